import fs from 'node:fs/promises';
import path from 'node:path';
import { CliError } from './errors.ts';
import { type Config, emptyConfig, type Profile } from './profiles/config-file.ts';

export interface CliSettings {
  /** URL of the service, without /v1. */
  readonly url: string;
  readonly apiKey: string | null;
  /** The file of the first admin key; read when `apiKey` is null. */
  readonly keyFile: string;
  /** The profile that contains the key. */
  readonly profile?: string;
}

/** Options that every command accepts. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly server?: string;
}

export const defaultServiceUrl = 'http://127.0.0.1:7077';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * URL and key of the service: from the options, then the environment, then the profile, then this
 * machine. An empty variable counts as unset. The key of a profile is only sent to its own URL.
 */
export function readCliSettings(
  environment: Environment,
  options: GlobalOptions = {},
  readConfig: () => Config = () => emptyConfig,
): CliSettings {
  const { MNEME_URL, MNEME_HOST, MNEME_PORT, MNEME_API_KEY, MNEME_DATA_DIR } = environment;
  // A named profile replaces the environment; the current one and MNEME_PROFILE do not.
  const named =
    options.profile === undefined ? null : requireProfile(readConfig(), options.profile);
  const environmentUrl = MNEME_URL || (MNEME_HOST || MNEME_PORT ? localUrl(environment) : null);
  const givenUrl = options.server ?? named?.profile.url ?? environmentUrl;
  const givenKey = (named === null && MNEME_API_KEY) || null;
  const needsProfile = named === null && (givenUrl === null || givenKey === null);
  const found = named ?? (needsProfile ? currentProfile(readConfig(), environment) : null);
  const url = givenUrl ?? found?.profile.url ?? localUrl(environment);
  requirePlainUrl(url, options.server === undefined ? 'MNEME_URL' : '--server');
  const isOwnKey = found !== null && isSameService(found.profile.url, url);
  return {
    url,
    apiKey: givenKey ?? (isOwnKey ? found.profile.api_key : null),
    keyFile: path.resolve(MNEME_DATA_DIR || './data', 'admin-key'),
    ...(isOwnKey && givenKey === null && { profile: found.name }),
  };
}

interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

function requireProfile({ profiles }: Config, name: string): NamedProfile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return { name, profile };
  const known = Object.keys(profiles);
  const hint =
    known.length > 0 ? `The profiles are ${known.join(', ')}.` : 'There are no profiles.';
  throw new CliError(
    'unknown_profile',
    `There is no profile ${name}. ${hint} Create it with: mneme login --profile ${name}`,
  );
}

function currentProfile(config: Config, { MNEME_PROFILE }: Environment): NamedProfile | null {
  const name = MNEME_PROFILE || config.current;
  return name ? requireProfile(config, name) : null;
}

/** Throws CliError `invalid_settings` without the value, which may contain a password. */
export function requirePlainUrl(url: string, source: string): void {
  if (isPlainUrl(url)) return;
  const expected = 'an http or https URL without user, query or fragment';
  throw new CliError(
    'invalid_settings',
    `${source} must be ${expected}, such as ${defaultServiceUrl}.`,
  );
}

/** Whether two URLs, with or without /v1, are of the same service. */
const isSameService = (one: string, other: string): boolean => serviceOf(one) === serviceOf(other);

const serviceOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).href.replace(/\/?(?:v1\/?)?$/, '') : url;

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
export async function findApiKey(settings: CliSettings): Promise<string> {
  const { apiKey, keyFile, profile } = settings;
  const key = (apiKey ?? (await readKeyFile(keyFile))).trim();
  // Other characters are invalid in an HTTP header and would fail later with an unclear error.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const given = profile === undefined ? 'MNEME_API_KEY' : `The profile ${profile}`;
  const source = apiKey === null ? keyFile : given;
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
      'Set MNEME_API_KEY, or run mneme login, or set MNEME_DATA_DIR to the data folder of the ' +
        `service: ${file} ${why}.`,
    );
  }
}
