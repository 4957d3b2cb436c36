import { validateRange } from './client-network.ts';
import { logFormats, logLevels } from './log.ts';
import { anyText, integer, oneOf, type Setting, url } from './setting.ts';
import { backupSettings } from './settings-backup.ts';
import { mediaSettings } from './settings-media.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const secretCharactersMin = 32;
export const splitList = (text: string): string[] => text.split(',').map((part) => part.trim());

/** What is wrong with a text that is to be a secret, or null. */
export const validateSecret = (text: string): string | null =>
  text.length >= secretCharactersMin
    ? null
    : `must have at least ${secretCharactersMin} characters`;
const mailAddress = (text: string): string | null =>
  /^[^\s@<>]+@[^\s@<>]+$/.test(text) ? null : 'must be a mail address';
const mailDomain = (text: string): string | null =>
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/.test(text)
    ? null
    : 'must be a domain name in lower case';
const origins = (text: string): string | null => {
  // A pattern would be a host name to the parser, and never any page's origin.
  const isOrigin = (one: string): boolean =>
    /^https?:\/\/[^*]+$/.test(one) && URL.canParse(one) && new URL(one).origin === one;
  const wrong = splitList(text).find((one) => !isOrigin(one));
  return wrong === undefined
    ? null
    : `must be origins such as https://app.example.com, separated by commas: ${wrong} is none`;
};

const hostNames = (text: string): string | null => {
  const isName = (one: string): boolean =>
    one === '*' || (/^[\w.-]+$/.test(one) && URL.canParse(`http://${one}`));
  const wrong = splitList(text).find((one) => !isName(one));
  return wrong === undefined
    ? null
    : `must be host names such as mneme.example.com without a port, or *: ${wrong} is none`;
};

const addressRanges = (text: string): string | null => {
  const fault = splitList(text)
    .map(validateRange)
    .find((one) => one !== null);
  return fault === undefined
    ? null
    : `must be addresses or CIDR ranges such as 10.0.0.0/8, separated by commas: ${fault}`;
};

/** Every setting there is; the README's table is checked against it. */
export const settings = {
  MNEME_HOST: { description: 'Address to listen on', defaultValue: '127.0.0.1', check: anyText },
  MNEME_PORT: {
    description: 'Port; 0 picks a free one',
    defaultValue: '7077',
    check: integer(0, 65_535),
  },
  MNEME_DATA_DIR: {
    description: 'Folder of the embedded database and the admin key',
    defaultValue: './data',
    check: anyText,
  },
  MNEME_DATABASE_URL: {
    description: 'PostgreSQL ≥ 16 instead of the embedded database',
    secret: true,
    check: url(['postgres:', 'postgresql:']),
  },
  MNEME_ALLOW_OTHER_ENGINE: {
    description: '`true` starts on a data folder that belongs to another database; its files stay',
    defaultValue: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_DATABASE_POOL: {
    description: 'Connections to PostgreSQL',
    defaultValue: '10',
    check: integer(2, 200),
  },
  MNEME_DISK_FREE_MIN_MB: {
    description: "MB left free on the embedded database's disk: with less, it is only read",
    defaultValue: '256',
    check: integer(0, 1_000_000),
  },
  MNEME_REQUESTS_MAX: {
    description:
      'Requests in progress at the same time; more are answered 503, and one client gets half',
    defaultValue: '1000',
    check: integer(1, 100_000),
  },
  MNEME_TRUSTED_PROXIES: {
    description: 'Addresses or CIDR ranges of proxies whose X-Forwarded-For names the client',
    check: addressRanges,
  },
  MNEME_ADMIN_KEY: {
    description: 'The first admin key, instead of a made one',
    secret: true,
    check: anyText,
  },
  MNEME_SECRET_KEY: {
    description: 'Encrypts stored secrets; unset: made once in `<data dir>/secret-key`',
    secret: true,
    check: validateSecret,
  },
  MNEME_ALLOW_OTHER_SECRET_KEY: {
    description: '`true` for one start: the secret key is lost, the database takes a new one',
    defaultValue: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_TOKEN_SECRET: {
    description: 'Signs session tokens; unset: derived from the secret key',
    secret: true,
    check: validateSecret,
  },
  MNEME_CORS_ORIGINS: {
    description: 'Origins of web pages that may call, separated by commas',
    check: origins,
  },
  MNEME_ALLOWED_HOSTS: {
    description:
      'Further host names that requests may use, separated by commas; * allows any. Addresses, ' +
      'localhost, MNEME_HOST and the host of MNEME_PUBLIC_URL always are',
    check: hostNames,
  },
  MNEME_CONTACT_EMAIL: {
    description: 'Contact address of accounts that have set none',
    defaultValue: 'owner@localhost',
    check: mailAddress,
  },
  MNEME_REQUEST_TIMEOUT_SECONDS: {
    description: 'How long a request may take to arrive',
    defaultValue: '60',
    check: integer(1, 3_600),
  },
  MNEME_ACTIVATION_IDLE_MINUTES: {
    description: 'Minutes without access after which an activation session is closed',
    defaultValue: '30',
    check: integer(1, 10_080),
  },
  MNEME_ERASURES_KEPT_DAYS: {
    description:
      'Days that the ledger of erasures is kept: more than the age of any backup you restore',
    defaultValue: '730',
    check: integer(1, 36_500),
  },
  MNEME_LOG_LEVEL: {
    description: 'trace, debug, info, warn, error, fatal or silent',
    defaultValue: 'info',
    check: oneOf(logLevels),
  },
  MNEME_LOG_FORMAT: {
    description: 'json, pretty, or auto: pretty on a terminal, else json',
    defaultValue: 'auto',
    check: oneOf(logFormats),
  },
  MNEME_SHUTDOWN_SECONDS: {
    description: 'How long running requests may finish after a stop signal',
    defaultValue: '25',
    check: integer(0, 600),
  },
  MNEME_WEBHOOK_CONCURRENCY: {
    description: 'Deliveries to webhooks under way at the same time',
    defaultValue: '16',
    check: integer(1, 1_000),
  },
  MNEME_WEBHOOK_ALLOW_HTTP: {
    description: 'For development: webhooks may go to http addresses',
    defaultValue: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_WEBHOOK_ALLOW_PRIVATE: {
    description: 'For development: webhooks may go to this machine and to private networks',
    defaultValue: 'false',
    check: oneOf(['true', 'false']),
  },
  MNEME_PUBLIC_URL: {
    description: 'Where this service is reached from outside, for links in mails',
    check: url(['http:', 'https:']),
  },
  MNEME_SMTP_PORT: {
    description: 'Port that takes mail in; unset: none is taken, 0 picks a free one',
    check: integer(0, 65_535),
  },
  MNEME_SMTP_HOST: {
    description: 'Address that takes mail in',
    defaultValue: '127.0.0.1',
    check: anyText,
  },
  MNEME_SMTP_TLS_CERT: {
    description: 'File of the certificate for STARTTLS (PEM)',
    check: anyText,
  },
  MNEME_SMTP_TLS_KEY: { description: 'File of its key (PEM)', check: anyText },
  MNEME_EMAIL_DOMAIN: {
    description: 'Domain of the accounts’ addresses, and of no-reply@',
    defaultValue: 'localhost',
    check: mailDomain,
  },
  MNEME_EMAIL_DMARC: {
    description: '`off` takes mail that the policy of its domain asks to refuse',
    defaultValue: 'on',
    check: oneOf(['on', 'off']),
  },
  MNEME_SMTP_URL: {
    description: 'Server that mail leaves by; unset: it is kept as .eml files in the data folder',
    secret: true,
    check: url(['smtp:', 'smtps:']),
  },
  MNEME_DKIM_KEY: { description: 'File of the key that signs leaving mail (PEM)', check: anyText },
  MNEME_DKIM_SELECTOR: {
    description: 'Selector of that key in the DNS',
    defaultValue: 'mneme',
    check: anyText,
  },
  MNEME_EMBEDDING_PROVIDER: {
    description: 'static, openai or transformers',
    defaultValue: 'static',
    check: oneOf(['static', 'openai', 'transformers']),
  },
  MNEME_EMBEDDING_URL: {
    description: 'openai: base URL of a compatible endpoint, up to /v1',
    check: url(['http:', 'https:']),
  },
  MNEME_EMBEDDING_MODEL: {
    description: 'openai: model name; transformers: folder or hub name',
    check: anyText,
  },
  MNEME_EMBEDDING_API_KEY: { description: 'openai: bearer key', secret: true, check: anyText },
  MNEME_EMBEDDING_DIMENSIONS: {
    description: 'openai: dimensions to ask for',
    check: integer(1, 8_192),
  },
  MNEME_EMBEDDING_TIMEOUT_MS: {
    description: 'openai: patience for one call',
    defaultValue: '20000',
    check: integer(100, 600_000),
  },
  MNEME_EMBEDDING_BATCH: {
    description: 'openai: texts in one call',
    defaultValue: '128',
    check: integer(1, 2_048),
  },
  MNEME_EMBEDDING_DTYPE: {
    description: 'transformers: weights, such as fp32 or q8',
    check: anyText,
  },
  MNEME_EMBEDDING_QUERY_PREFIX: {
    description: 'transformers: put before a query',
    defaultValue: '',
    check: anyText,
  },
  MNEME_EMBEDDING_DOCUMENT_PREFIX: {
    description: 'transformers: put before a stored text',
    defaultValue: '',
    check: anyText,
  },
  MNEME_LLM_URL: {
    description: 'Lets a model read memories: base URL of an OpenAI-compatible API, up to /v1',
    check: url(['http:', 'https:']),
  },
  MNEME_LLM_API_KEY: { description: 'Bearer key of that API', secret: true, check: anyText },
  MNEME_LLM_MODEL: { description: 'Name of the model there', check: anyText },
  MNEME_LLM_TIMEOUT_MS: {
    description: 'Patience for one call of it',
    defaultValue: '30000',
    check: integer(100, 600_000),
  },
  ...mediaSettings,
  ...backupSettings,
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** What is wrong with the texts of an environment; each line names its variable. */
export function validateSettings(env: Environment): string[] {
  return (Object.entries(settings) as [SettingName, Setting][]).flatMap(([name, setting]) => {
    const text = env[name];
    const wrong = text === undefined || text === '' ? null : setting.check(text);
    if (wrong === null) return [];
    return [`${name} ${wrong}${setting.secret ? '' : `, not "${text}"`}`];
  });
}

/** The text of a setting or what it is unless told; null where there is neither. */
export function settingValue(env: Environment, name: SettingName): string | null {
  const setting: Setting = settings[name];
  return env[name] || (setting.defaultValue ?? null);
}

/** The settings that an environment has, without secrets. */
export const readExplicitSettings = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    (Object.entries(settings) as [SettingName, Setting][]).flatMap(([name, { secret }]) => {
      const text = env[name];
      return text === undefined || text === '' || secret ? [] : [[name, text]];
    }),
  );

/** Likely misspellings: names like ours that are no settings. */
export function findUnknownSettings(env: Environment): string[] {
  const known = Object.keys(settings);
  // Read by the clients on the same machine, or by the tests; no setting of the server.
  const elsewhere = ['MNEME_URL', 'MNEME_API_KEY', 'MNEME_TEST_DATABASE_URL'];
  return Object.keys(env)
    .filter((name) => name.startsWith('MNEME_') && ![...known, ...elsewhere].includes(name))
    .map((name) => {
      const near = known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
      return `${name} is not a setting; did you mean ${near}?`;
    });
}

/** Levenshtein distance, for two short names. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
