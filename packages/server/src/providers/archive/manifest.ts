import { z } from 'zod';
import { ArchiveRejected } from './errors.ts';
import { manifestName } from './layout.ts';

const format = 'mneme-backup';
const formatVersion = 1;
export const manifestBytesMax = 2 ** 20;

const migration = z.object({ name: z.string(), checksum: z.string() });

/** Metadata of an archive. Later versions may add fields without a new format version. */
const detailsSchema = z.object({
  program_version: z.string(),
  created_at: z.iso.datetime(),
  database: z.object({
    /** `files`: a physical backup of an embedded database; `tables`: rows of a server's tables. */
    kind: z.enum(['files', 'tables']),
    id: z.string(),
    postgres_version: z.string(),
    schema_version: z.int().nonnegative(),
    migrations: z.array(migration),
  }),
  /** The settings relevant to a restore, by name; never a secret. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const schema = detailsSchema.extend({
  format: z.literal(format),
  format_version: z.literal(formatVersion),
  has_secret_key: z.boolean(),
});

const headSchema = z.object({
  format: z.literal(format),
  format_version: z.int().positive(),
  program_version: z.string().optional(),
});

export type ManifestDetails = z.output<typeof detailsSchema>;
export type Manifest = z.output<typeof schema>;

export function formatManifest(details: ManifestDetails, hasSecretKey: boolean): Uint8Array {
  const head = { format, format_version: formatVersion };
  const manifest = schema.parse({ ...head, ...details, has_secret_key: hasSecretKey });
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  if (bytes.length > manifestBytesMax) throw new Error('the manifest of the archive is too large');
  return bytes;
}

/** Throws ArchiveRejected. */
export function parseManifest(bytes: Uint8Array): Manifest {
  const content = parseJson(bytes);
  const head = headSchema.safeParse(content);
  if (!head.success) {
    const message = `This is not a backup of Mneme: ${manifestName} has another format.`;
    throw new ArchiveRejected('foreign', message, { entry: manifestName });
  }
  const { format_version: version, program_version: program } = head.data;
  if (version > formatVersion) {
    throw new ArchiveRejected(
      'newer_format',
      `The backup has format version ${version}, but this version of Mneme reads only version ` +
        `${formatVersion}: install ` +
        `${program ? `Mneme ${program}` : 'the version that created it'} or later.`,
      { entry: manifestName },
    );
  }
  const manifest = schema.safeParse(content);
  if (manifest.success) return manifest.data;
  const issue = manifest.error.issues[0];
  const where = issue?.path.join('.');
  throw damaged(`${where ? `${where}: ` : ''}${issue?.message ?? 'invalid'}`, manifest.error);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw damaged('it is not JSON', error);
  }
}

const damaged = (what: string, cause: unknown): ArchiveRejected =>
  new ArchiveRejected('corrupted', `The backup is damaged: ${manifestName} is invalid (${what}).`, {
    entry: manifestName,
    cause,
  });
