import fs from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './errors.ts';

export interface CliSettings {
  /** URL of the service, without /v1. */
  readonly url: string;
  readonly apiKey: string | null;
  /** The file of the first admin key; read when `apiKey` is null. */
  readonly keyFile: string;
}

export const defaultServiceUrl = 'http://127.0.0.1:7077';

type Environment = Readonly<Record<string, string | undefined>>;

/** Depends only on the environment and the working folder; an empty variable counts as unset. */
export function readCliSettings(environment: Environment): CliSettings {
  const url = environment.MNEME_URL || localUrl(environment);
  return {
    url: readServiceUrl(url, 'MNEME_URL'),
    apiKey: environment.MNEME_API_KEY || null,
    keyFile: path.resolve(environment.MNEME_DATA_DIR || './data', 'admin-key'),
  };
}

/** @param name of the setting, for the error. Throws CliError `invalid_settings`. */
export function readServiceUrl(url: string, name: string): string {
  if (isPlainUrl(url)) return url;
  // Without the value, which may contain a password.
  const expected = 'an http or https URL without user, query or fragment';
  throw new CliError(
    'invalid_settings',
    `${name} must be ${expected}, such as ${defaultServiceUrl}.`,
  );
}

/** The URL of a server on this machine that reads the same settings. */
function localUrl({ MNEME_HOST: host, MNEME_PORT: port }: Environment): string {
  const local = new URL(defaultServiceUrl);
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) {
    throw new CliError(
      'invalid_settings',
      'MNEME_PORT must be a port from 1 to 65535. To connect to another machine, set MNEME_URL.',
    );
  }
  // A server that listens on all addresses is reachable on the loopback address.
  const isSingleAddress = host && !['0.0.0.0', '::', '*'].includes(host);
  const name = isSingleAddress ? (host.includes(':') ? `[${host}]` : host) : local.hostname;
  return `http://${name}:${port || local.port}`;
}

/** Whether the URL is a loopback address, so that the service's files may be on this machine. */
export const isLoopbackUrl = ({ url }: CliSettings): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}

/** The API key. Throws CliError `missing_api_key` or `invalid_settings`, never with the key. */
export async function findApiKey({ apiKey, keyFile }: CliSettings): Promise<string> {
  const key = (apiKey ?? (await readKeyFile(keyFile))).trim();
  // Other characters are invalid in an HTTP header and would fail later with an unclear error.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const source = apiKey === null ? keyFile : 'MNEME_API_KEY';
  throw new CliError('invalid_settings', `${source} does not contain an API key.`);
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await fs.readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new CliError(
      'missing_api_key',
      `Set MNEME_API_KEY, or set MNEME_DATA_DIR to the service's data folder: ${file} ${why}.`,
    );
  }
}
