import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../atomic-file.ts';
import { CliError } from '../errors.ts';

export interface Profile {
  /** URL of the service, without /v1. */
  readonly url: string;
  readonly api_key: string;
}

export interface Config {
  /** The name of the profile that commands use without --profile. */
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

export const emptyConfig: Config = { current: null, profiles: {} };

type Environment = Readonly<Record<string, string | undefined>>;

/** `mneme/config.json` in the folder for configuration of the user; null if there is none. */
export function configFilePath({ XDG_CONFIG_HOME, HOME, USERPROFILE }: Environment): string | null {
  const home = HOME || USERPROFILE;
  const folder = XDG_CONFIG_HOME || (home ? path.join(home, '.config') : null);
  return folder === null ? null : path.join(folder, 'mneme', 'config.json');
}

/** Throws CliError `unsafe_file` for a file that others can access, and `invalid_config`. */
export function readConfig(file: string | null): Config {
  const text = file === null ? null : readIfExists(file);
  if (file === null || text === null) return emptyConfig;
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw new CliError(
      'unsafe_file',
      `${file} contains API keys, and other users can access it. Run: chmod 600 ${quote(file)}`,
    );
  }
  const config = parse(text);
  if (config !== null) return config;
  throw new CliError(
    'invalid_config',
    `${file} is not a valid configuration. Correct it, or delete it and run mneme login.`,
  );
}

/** Writes the file atomically, for its owner only. */
export async function writeConfig(file: string, config: Config): Promise<void> {
  const folder = path.dirname(file);
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700);
  const bytes = Buffer.from(`${JSON.stringify(config, null, 2)}\n`);
  await writeFileAtomically(file, toStream(bytes), { replace: true, onBytes: () => undefined });
}

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const quote = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new CliError('unreadable_file', `${file} cannot be read (${code}).`);
  }
}

function parse(text: string): Config | null {
  try {
    const { current = null, profiles = {} } = JSON.parse(text) as Partial<Config>;
    const isValid =
      (current === null || typeof current === 'string') &&
      Object.values(profiles).every(
        ({ url, api_key }) => typeof url === 'string' && typeof api_key === 'string',
      );
    return isValid ? { current, profiles } : null;
  } catch {
    return null;
  }
}
