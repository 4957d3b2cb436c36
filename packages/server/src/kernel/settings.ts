import { parseKeyId } from './api-key-format.ts';
import { backupSettings } from './backup-settings.ts';
import { validateAddressRange } from './client-network.ts';
import { diskSettings } from './disk-settings.ts';
import { indexSettings } from './index-settings.ts';
import { logFormats, logLevels } from './log.ts';
import { mediaSettings } from './media-settings.ts';
import { queryModelSettings } from './query-model-settings.ts';
import {
  checkAnyText,
  checkInteger,
  checkList,
  checkOneOf,
  checkUrl,
  type Setting,
} from './setting.ts';
import { telemetrySettings } from './telemetry-settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a prefix that is set to an empty text: an empty variable is unset. */
export const noPrefix = 'none';

const secretCharactersMin = 32;

/** The error of a secret; null if it is valid. */
export const validateSecret = (text: string): string | null =>
  text.length >= secretCharactersMin
    ? null
    : `must have at least ${secretCharactersMin} characters`;
const apiKey = (text: string): string | null =>
  parseKeyId(text) === null ? 'must be an API key: `mneme keys generate` prints a new one' : null;
const mailAddress = (text: string): string | null =>
  /^[^\s@<>]+@[^\s@<>]+$/.test(text) ? null : 'must be a mail address';
const mailDomain = (text: string): string | null =>
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text)
    ? null
    : 'must be a domain name in lower case';
const origins = checkList(
  'origins such as https://app.example.com, separated by commas',
  (item) => {
    // The URL parser accepts `*` in a host name, but no page has such an origin.
    const isOrigin =
      /^https?:\/\/[^*]+$/.test(item) && URL.canParse(item) && new URL(item).origin === item;
    return isOrigin ? null : `${item} is not an origin`;
  },
);

const hostNames = checkList('host names such as mneme.example.com without a port, or *', (item) => {
  const isName = item === '*' || (/^[\w.-]+$/.test(item) && URL.canParse(`http://${item}`));
  return isName ? null : `${item} is not a host name`;
});

const addressRanges = checkList(
  'addresses or CIDR ranges such as 10.0.0.0/8, separated by commas',
  validateAddressRange,
);

/** All settings; a test compares the documentation with them. */
export const settings = {
  MNEME_HOST: {
    description: 'Address to listen on',
    defaultValue: '127.0.0.1',
    check: checkAnyText,
  },
  MNEME_PORT: {
    description: 'Port; 0 picks a free one',
    defaultValue: '7077',
    check: checkInteger(0, 65_535),
  },
  MNEME_JOBS: {
    description:
      'Whether this process runs jobs, webhook calls and mail; off: only with PostgreSQL, and ' +
      'processes of `mneme worker` do',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
  MNEME_METRICS_PORT: {
    description: 'A port that serves /metrics, /livez and /readyz without a key; unset: none',
    check: checkInteger(0, 65_535),
  },
  MNEME_METRICS_HOST: {
    description: 'Address of the port for metrics',
    defaultValue: '127.0.0.1',
    check: checkAnyText,
  },
  MNEME_DATA_DIR: {
    description: 'Folder of the embedded database and the admin key',
    defaultValue: './data',
    check: checkAnyText,
  },
  MNEME_DATABASE_URL: {
    description: 'PostgreSQL ≥ 16 instead of the embedded database',
    secret: true,
    check: checkUrl(['postgres:', 'postgresql:']),
  },
  MNEME_ALLOW_OTHER_ENGINE: {
    description:
      '`true` allows a data folder that belongs to another database; its files are not ' +
      'changed',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_DATABASE_POOL: {
    description: 'Maximum number of connections to PostgreSQL',
    defaultValue: '10',
    check: checkInteger(2, 200),
  },
  MNEME_REQUESTS_MAX: {
    description:
      'Maximum number of concurrent requests; further ones receive 503. One client gets at ' +
      'most half',
    defaultValue: '1000',
    check: checkInteger(1, 100_000),
  },
  MNEME_TRUSTED_PROXIES: {
    description: 'Addresses or CIDR ranges of proxies whose X-Forwarded-For is trusted',
    isList: true,
    check: addressRanges,
  },
  MNEME_ADMIN_KEY: {
    description:
      'The admin key, as `mneme keys generate` prints one; unset: generated at the first start',
    secret: true,
    check: apiKey,
  },
  MNEME_SECRET_KEY: {
    description: 'Encrypts stored secrets; unset: generated once in `<data dir>/secret-key`',
    secret: true,
    check: validateSecret,
  },
  MNEME_ALLOW_OTHER_SECRET_KEY: {
    description: '`true` for one start accepts a new secret key after the loss of the previous one',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_TOKEN_SECRET: {
    description: 'Signs session tokens; unset: derived from the secret key',
    secret: true,
    check: validateSecret,
  },
  MNEME_CONSOLE: {
    description: 'on: serves the web console at /console; off: `/` leads to the API reference',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
  MNEME_CORS_ORIGINS: {
    description: 'Origins of web pages that may use the API, separated by commas',
    isList: true,
    check: origins,
  },
  MNEME_ALLOWED_HOSTS: {
    description:
      'Further host names that requests may use, separated by commas; * allows any. ' +
      'Addresses, localhost, MNEME_HOST and the host of MNEME_PUBLIC_URL are always allowed',
    isList: true,
    check: hostNames,
  },
  MNEME_CONTACT_EMAIL: {
    description: 'Default contact address of accounts',
    defaultValue: 'owner@localhost',
    check: mailAddress,
  },
  MNEME_REQUEST_TIMEOUT_SECONDS: {
    description: 'Seconds within which a request must arrive',
    defaultValue: '60',
    check: checkInteger(1, 3_600),
  },
  MNEME_ACTIVATION_IDLE_MINUTES: {
    description: 'Minutes without access after which an activation session is closed',
    defaultValue: '30',
    check: checkInteger(1, 10_080),
  },
  MNEME_ERASURES_KEPT_DAYS: {
    description:
      'Retention of the erasure ledger in days: more than the age of any backup you restore',
    defaultValue: '730',
    check: checkInteger(1, 36_500),
  },
  MNEME_LOG_LEVEL: {
    description: 'trace, debug, info, warn, error, fatal or silent',
    defaultValue: 'info',
    check: checkOneOf(logLevels),
  },
  MNEME_LOG_FORMAT: {
    description: 'json, pretty, or auto: pretty on a terminal, otherwise json',
    defaultValue: 'auto',
    check: checkOneOf(logFormats),
  },
  MNEME_SHUTDOWN_SECONDS: {
    description: 'Seconds that running requests have to finish after a stop signal',
    defaultValue: '25',
    check: checkInteger(0, 600),
  },
  MNEME_WEBHOOK_CONCURRENCY: {
    description: 'Maximum number of concurrent webhook deliveries',
    defaultValue: '16',
    check: checkInteger(1, 1_000),
  },
  MNEME_WEBHOOK_ALLOW_HTTP: {
    description: 'For development: allows http URLs of webhooks',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_WEBHOOK_ALLOW_PRIVATE: {
    description: 'For development: allows webhooks to this machine and to private networks',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_PUBLIC_URL: {
    description:
      'Public URL of this service, for links in mails. With https and without a path, it also ' +
      'enables OAuth for MCP clients',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_OAUTH_REGISTRATION: {
    description:
      '`off`: OAuth clients cannot register themselves; those with a metadata URL can connect',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
  MNEME_SMTP_PORT: {
    description: 'Port of the SMTP server for inbound mail; unset: no server, 0 picks a free port',
    check: checkInteger(0, 65_535),
  },
  MNEME_SMTP_HOST: {
    description: 'Address of the SMTP server for inbound mail',
    defaultValue: '127.0.0.1',
    check: checkAnyText,
  },
  MNEME_SMTP_TLS_CERT: {
    description: 'Certificate file for STARTTLS (PEM)',
    check: checkAnyText,
  },
  MNEME_SMTP_TLS_KEY: { description: 'Key file of that certificate (PEM)', check: checkAnyText },
  MNEME_EMAIL_DOMAIN: {
    description: 'Domain of the accounts’ addresses and of no-reply@',
    defaultValue: 'localhost',
    check: mailDomain,
  },
  MNEME_EMAIL_DMARC: {
    description: '`off` accepts mail that the DMARC policy of its domain rejects',
    defaultValue: 'on',
    check: checkOneOf(['on', 'off']),
  },
  MNEME_SMTP_URL: {
    description:
      'SMTP server for outbound mail; unset: mail is written to .eml files in the data folder',
    secret: true,
    check: checkUrl(['smtp:', 'smtps:']),
  },
  MNEME_DKIM_KEY: {
    description: 'Key file for the DKIM signature of outbound mail (PEM)',
    check: checkAnyText,
  },
  MNEME_DKIM_SELECTOR: {
    description: 'DNS selector of that key',
    defaultValue: 'mneme',
    check: checkAnyText,
  },
  MNEME_EMBEDDING_PROVIDER: {
    description:
      'encoder (sentence encoder, English), static (word vectors), openai or transformers',
    defaultValue: 'encoder',
    check: checkOneOf(['static', 'encoder', 'openai', 'transformers']),
  },
  MNEME_EMBEDDING_URL: {
    description: 'openai: base URL of a compatible endpoint, up to /v1; also for `models use`',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_EMBEDDING_MODEL: {
    description: 'openai: model name; transformers: name of an installed model, folder or hub name',
    check: checkAnyText,
  },
  MNEME_EMBEDDING_API_KEY: {
    description: 'openai: bearer key; also for `models use`',
    secret: true,
    check: checkAnyText,
  },
  MNEME_EMBEDDING_DIMENSIONS: {
    description: 'openai, transformers: dimensions of the vectors, if the model offers several',
    check: checkInteger(1, 8_192),
  },
  MNEME_EMBEDDING_TIMEOUT_MS: {
    description: 'openai: timeout of one call in milliseconds',
    defaultValue: '20000',
    check: checkInteger(100, 600_000),
  },
  MNEME_EMBEDDING_BATCH: {
    description: 'openai: maximum number of texts per call',
    defaultValue: '128',
    check: checkInteger(1, 2_048),
  },
  MNEME_EMBEDDING_DTYPE: {
    description: 'transformers: weight format, such as fp32 or q8',
    check: checkAnyText,
  },
  MNEME_EMBEDDING_POOLING: {
    description: 'transformers: mean, cls or last; unset: that of the model',
    check: checkOneOf(['mean', 'cls', 'last']),
  },
  MNEME_EMBEDDING_QUERY_PREFIX: {
    description:
      'openai, transformers: prefix of queries; unset: that of the model; `none`: no prefix',
    check: checkAnyText,
  },
  MNEME_EMBEDDING_DOCUMENT_PREFIX: {
    description:
      'openai, transformers: prefix of stored texts; unset: that of the model; `none`: no prefix',
    check: checkAnyText,
  },
  MNEME_EMBEDDING_RESET: {
    description: '`true` for one start replaces the model of `models use` by the configured one',
    defaultValue: 'false',
    check: checkOneOf(['true', 'false']),
  },
  MNEME_MODEL_HUB: {
    description: 'Address of the model hub that `mneme models install` downloads from',
    defaultValue: 'https://huggingface.co',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_LLM_URL: {
    description: 'Analyzes memories with a model: base URL of an OpenAI-compatible API, up to /v1',
    check: checkUrl(['http:', 'https:']),
  },
  MNEME_LLM_API_KEY: { description: 'Bearer key of that API', secret: true, check: checkAnyText },
  MNEME_LLM_MODEL: { description: 'Model name of that API', check: checkAnyText },
  MNEME_LLM_TIMEOUT_MS: {
    description: 'Timeout of one call in milliseconds',
    defaultValue: '30000',
    check: checkInteger(100, 600_000),
  },
  ...diskSettings,
  ...indexSettings,
  ...queryModelSettings,
  ...mediaSettings,
  ...backupSettings,
  ...telemetrySettings,
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The errors of all settings; each line starts with the variable. */
export function validateSettings(env: Environment): string[] {
  return (Object.entries(settings) as [SettingName, Setting][]).flatMap(([name, setting]) => {
    const text = env[name];
    const message = text ? invalidSettingMessage(name, setting, text) : null;
    return message === null ? [] : [message];
  });
}

/** What is wrong with a value, without that of a secret; null: it is valid. */
export function invalidSettingMessage(name: string, setting: Setting, text: string): string | null {
  const error = setting.check(text);
  return error && `${name} ${error}${setting.secret || setting.isList ? '' : `, not "${text}"`}`;
}

/** The value of a setting or its default; null without both. */
export function settingValue(env: Environment, name: SettingName): string | null {
  const setting: Setting = settings[name];
  return env[name] || (setting.defaultValue ?? null);
}

/** The settings that are set in an environment, without secrets. */
export const readExplicitSettings = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    (Object.entries(settings) as [SettingName, Setting][]).flatMap(([name, { secret }]) => {
      const text = env[name];
      return text === undefined || text === '' || secret ? [] : [[name, text]];
    }),
  );

/** Warns of variables named MNEME_* that are not settings, which are probably misspelt. */
export function findUnknownSettings(env: Environment): string[] {
  const known = Object.keys(settings);
  // Variables of the clients and of the tests.
  const others = ['MNEME_URL', 'MNEME_API_KEY', 'MNEME_TEST_DATABASE_URL'];
  return Object.keys(env)
    .filter((name) => name.startsWith('MNEME_') && ![...known, ...others].includes(name))
    .map((name) => {
      const nearest = known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
      return `${name} is not a setting. Did you mean ${nearest}?`;
    });
}

/** Levenshtein distance, for two short names. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
