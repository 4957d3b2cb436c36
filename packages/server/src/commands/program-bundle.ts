import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../kernel/clock.ts';
import { bundledThreadsFolder, nameBundledScript } from '../kernel/script-url.ts';
import { isPackageInstalled } from '../providers/packages/index.ts';

/**
 * The program in few files: loading the 2,300 modules of the sources and of the dependencies takes
 * half of a start. `bin/start.mjs` runs the bundle as long as the files that it was made of are as
 * they were, and the sources otherwise.
 *
 * The bundle keeps the addresses of the modules (`import.meta.url`), so that assets are found.
 * Threads have bundles of their own; child processes run from the sources.
 */

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const serverFolder = path.join(root, 'packages/server');
/** Also known to `bin/find-program.mjs`. */
const bundlesFolder = path.join(root, 'node_modules/.cache/mneme/program');
const manifestFile = path.join(bundlesFolder, 'manifest.json');
export const threadScripts = [
  'database/embedded/worker.ts',
  'domains/clusters/thread/entry.ts',
  'domains/search-index/thread/dot-product-entry.ts',
  'domains/search-index/thread/entry.ts',
  'http/json-body/thread-main.ts',
  'providers/embedding/encoder/entry.ts',
  'providers/language/local/thread-main.ts',
];
const unfinishedPrefix = 'unfinished-';
const abandonedAfterMs = 3_600_000;

/** What `bin/find-program.mjs` reads. */
interface BundleManifest {
  /** The path of the program, relative to the folder of the manifest. */
  readonly program: string;
  /** What the bundle was made of, relative to the repository, with sizes and times of changes. */
  readonly files: readonly DescribedFile[];
}

type DescribedFile = readonly [file: string, size: number, mtimeMs: number];

/**
 * Whether no bundle was made yet, and one can be: the bundler is installed, and its folder is
 * writable. A bundle that an edit has made outdated is left to `npm run prepare`: in development it
 * would be made at each start.
 */
export async function canMakeProgramBundle(): Promise<boolean> {
  if (existsSync(manifestFile) || !isPackageInstalled('rolldown')) return false;
  try {
    await fs.mkdir(bundlesFolder, { recursive: true });
    await fs.access(bundlesFolder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Makes the bundle anew. Without the bundler, which production installs lack, it does nothing. */
export async function ensureProgramBundle(): Promise<void> {
  if (!isPackageInstalled('rolldown')) return;
  await fs.mkdir(bundlesFolder, { recursive: true });
  const unfinished = await fs.mkdtemp(path.join(bundlesFolder, unfinishedPrefix));
  try {
    const { files, digest } = await writeBundle(unfinished);
    const folder = path.join(bundlesFolder, digest);
    await fs.chmod(unfinished, 0o755);
    // A folder with the same content may be in use.
    await fs.rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await removeOldBundles(digest);
    const manifest: BundleManifest = {
      program: `${digest}/main.mjs`,
      files: [...files, describeFile(path.join(root, 'package-lock.json'))],
    };
    await fs.writeFile(`${manifestFile}.new`, JSON.stringify(manifest));
    await fs.rename(`${manifestFile}.new`, manifestFile);
  } finally {
    await fs.rm(unfinished, { recursive: true, force: true });
  }
}

async function writeBundle(folder: string): Promise<{ files: DescribedFile[]; digest: string }> {
  const sources = path.join(serverFolder, 'src');
  const threads = threadScripts.map((script) => path.join(sources, script));
  const parts = [
    await writePart(folder, { main: path.join(sources, 'main.ts') }),
    await writePart(
      path.join(folder, bundledThreadsFolder),
      Object.fromEntries(threads.map((file) => [nameBundledScript(file), file])),
    ),
  ];
  const files = new Map(parts.flatMap((part) => part.files.map((file) => [file[0], file])));
  const hash = createHash('sha256');
  for (const content of parts.flatMap((part) => part.contents)) hash.update(content);
  return {
    files: [...files.values()].sort(([a], [b]) => (a < b ? -1 : 1)),
    digest: hash.digest('hex').slice(0, 16),
  };
}

/** Writes a file for each entry, and files of what several need. */
async function writePart(
  folder: string,
  input: Readonly<Record<string, string>>,
): Promise<{ files: DescribedFile[]; contents: (string | Uint8Array)[] }> {
  const { rolldown } = await import('rolldown');
  const { peerDependencies = {} } = JSON.parse(
    await fs.readFile(path.join(serverFolder, 'package.json'), 'utf8'),
  ) as { peerDependencies?: Record<string, string> };
  const files: DescribedFile[] = [];
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    // Optional packages come and go; the database reads files beside its modules.
    external: [/^@electric-sql\/pglite($|\/)/, ...Object.keys(peerDependencies)],
    plugins: [
      keepModuleAddresses(folder, (file) => files.push(describeFile(file))),
      importHttpWithoutFetch,
    ],
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
  });
  await bundle.close();
  return {
    files,
    contents: output.map((file) => (file.type === 'chunk' ? file.code : file.source)),
  };
}

const httpModuleId = '\0node:http';

/**
 * `import 'node:http'` reads all its exports, and that of WebSocket loads the client of `fetch`:
 * 23 ms of a start.
 */
export const importHttpWithoutFetch = {
  name: 'http without fetch',
  resolveId: (id: string, _importer: string | undefined, { kind }: { kind: string }) =>
    /^(?:node:)?http$/.test(id) && kind === 'import-statement' ? httpModuleId : null,
  load(id: string) {
    if (id !== httpModuleId) return null;
    const lazy = new Set(['default', 'CloseEvent', 'MessageEvent', 'WebSocket']);
    const names = Object.keys(http).filter((name) => !lazy.has(name));
    return (
      "const http = process.getBuiltinModule('node:http');\nexport default http;\n" +
      `export const { ${names.join(', ')} } = http;\n`
    );
  },
};

function keepModuleAddresses(folder: string, onModule: (file: string) => void) {
  return {
    name: 'addresses of modules',
    transform(code: string, id: string) {
      const isOwn = id.startsWith(path.join(root, 'packages') + path.sep);
      // Dependencies change with package-lock.json.
      if (!isOwn || id.includes(`${path.sep}node_modules${path.sep}`)) return null;
      onModule(id);
      const address = path.relative(folder, id).split(path.sep).join('/');
      const kept = `new URL(${JSON.stringify(address)}, import.meta.url).href`;
      return { code: code.replaceAll('import.meta.url', kept) };
    },
  };
}

function describeFile(file: string): DescribedFile {
  const { size, mtimeMs } = statSync(file);
  return [path.relative(root, file), size, mtimeMs];
}

/** Keeps the former bundle: a program that runs may still load parts of it. */
async function removeOldBundles(current: string): Promise<void> {
  const former = await fs.readFile(manifestFile, 'utf8').then(
    (text) => path.dirname((JSON.parse(text) as BundleManifest).program),
    () => null,
  );
  for (const entry of await fs.readdir(bundlesFolder, { withFileTypes: true })) {
    const folder = path.join(bundlesFolder, entry.name);
    const isUsed = [current, former].includes(entry.name) || (await isBeingWritten(folder));
    if (!entry.isDirectory() || isUsed) continue;
    await fs.rm(folder, { recursive: true, force: true });
  }
}

/** A build that was killed leaves its folder, which a later one removes. */
async function isBeingWritten(folder: string): Promise<boolean> {
  if (!path.basename(folder).startsWith(unfinishedPrefix)) return false;
  const { mtimeMs } = await fs.stat(folder);
  return systemClock.now().getTime() - mtimeMs < abandonedAfterMs;
}
