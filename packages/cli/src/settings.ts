import fs from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './errors.ts';

export interface Settings {
  /** Where the service is, without /v1. */
  readonly url: string;
  readonly apiKey: string | null;
  /** Where the service writes its first admin key; read when there is no `apiKey`. */
  readonly keyFile: string;
}

export const defaultUrl = 'http://127.0.0.1:7077';

type Environment = Readonly<Record<string, string | undefined>>;

/** Pure but for the working folder; an empty variable counts as unset. */
export function readSettings(environment: Environment): Settings {
  const url = environment.MNEME_URL || localUrl(environment);
  if (!isPlainUrl(url)) {
    // Without the value, since a password may stand in it.
    const wanted = 'an http or https URL without user, query or fragment';
    throw new CliError('invalid_settings', `MNEME_URL must be ${wanted}, such as ${defaultUrl}.`);
  }
  return {
    url,
    apiKey: environment.MNEME_API_KEY || null,
    keyFile: path.resolve(environment.MNEME_DATA_DIR || './data', 'admin-key'),
  };
}

/** Of a server on this machine that reads the same settings. */
function localUrl({ MNEME_HOST: host, MNEME_PORT: port }: Environment): string {
  const local = new URL(defaultUrl);
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new CliError(
      'invalid_settings',
      'MNEME_PORT must be a port from 1 to 65535, or MNEME_URL must say where the service is.',
    );
  }
  // A server that listens on every address is reached on this machine's own.
  const isOne = host && !['0.0.0.0', '::', '*'].includes(host);
  const name = isOne ? (host.includes(':') ? `[${host}]` : host) : local.hostname;
  return `http://${name}:${port || local.port}`;
}

/** Whether the service is to be on this machine: its files may be here, too. */
export const isThisMachine = ({ url }: Settings): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** The key to send. Throws Fault `missing_api_key` or `invalid_settings`, never with the key. */
export async function findKey({ apiKey, keyFile }: Settings): Promise<string> {
  const key = (apiKey ?? (await readKeyFile(keyFile))).trim();
  // What an HTTP header cannot carry would fail later, and less clearly.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const source = apiKey === null ? keyFile : 'MNEME_API_KEY';
  throw new CliError('invalid_settings', `${source} does not hold an API key.`);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`;
    throw new CliError(
      'missing_api_key',
      `Set MNEME_API_KEY, or MNEME_DATA_DIR to the service's data folder: ${file} ${why}.`,
    );
  }
}
