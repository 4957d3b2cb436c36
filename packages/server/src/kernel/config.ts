import path from 'node:path';
import { type BackupConfig, readBackupConfig } from './backup-config.ts';
import { type IndexConfig, readIndexConfig } from './index-config.ts';
import type { LogFormat, LogLevel } from './log.ts';
import { type MediaConfig, readMediaConfig } from './media-config.ts';
import { modelProcessEnv } from './process-env.ts';
import { type RerankConfig, readRerankConfig } from './query-model-config.ts';
import { splitCommaList } from './setting.ts';
import {
  type Environment,
  findUnknownSettings,
  noPrefix,
  readExplicitSettings,
  type SettingName,
  settingValue,
  validateSettings,
} from './settings.ts';
import { readTelemetryConfig, type TelemetryConfig } from './telemetry-config.ts';
import { correctToleratedSettings } from './tolerated-settings.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Serves metrics and probes without a key; null: only the API does, for operators. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Whether the data folder may belong to another database. */
  readonly allowOtherEngine: boolean;
  readonly databasePoolMax: number;
  /** Minimum free space on the disk of the embedded database; below, writes are rejected. */
  readonly diskFreeMinMb: number;
  readonly index: IndexConfig;
  /** Maximum number of requests in progress; further ones get 503. */
  readonly requestsMax: number;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is used. */
  readonly trustedProxies: readonly string[];
  readonly adminKey: string | null;
  /** Encrypts stored secrets; null: the key is in a file of the data folder. */
  readonly secretKey: string | null;
  /** Whether the database may start with another secret key than before. */
  readonly allowOtherSecretKey: boolean;
  /** Signs session tokens; null: derived from the secret key. */
  readonly tokenSecret: string | null;
  /** Serves the web console. */
  readonly servesConsole: boolean;
  readonly corsOrigins: readonly string[];
  /** In lower case; `*` for any. */
  readonly allowedHosts: readonly string[];
  /** The default for accounts without an address. */
  readonly contactEmail: string;
  readonly requestTimeoutSeconds: number;
  /** The time without access after which an activation session expires. */
  readonly activationIdleMinutes: number;
  /** Retention of erasures: a restore of an older backup cannot repeat all erasures. */
  readonly erasuresKeptDays: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly shutdownSeconds: number;
  readonly webhooks: {
    readonly allowHttp: boolean;
    readonly allowPrivate: boolean;
    /** Maximum number of concurrent deliveries. */
    readonly concurrency: number;
  };
  /** Without a trailing slash; null: links are paths. */
  readonly publicUrl: string | null;
  /** Whether OAuth clients may register themselves. */
  readonly oauthRegistration: boolean;
  readonly email: EmailConfig;
  readonly embedding: EmbeddingConfig;
  readonly embeddingEndpoint: EmbeddingEndpointConfig;
  readonly embeddingReset: boolean;
  /** Whether the server runs jobs itself; false: processes of `mneme worker` do. */
  readonly runsJobs: boolean;
  readonly modelHub: string;
  /** The language model; null: built-in rules, which run offline. */
  readonly llm: LlmConfig | null;
  /** The reranker of search results; null: the ranking alone orders them. */
  readonly rerank: RerankConfig | null;
  readonly media: MediaConfig;
  readonly backup: BackupConfig;
  /** OpenTelemetry; null: off. */
  readonly telemetry: TelemetryConfig | null;
  /** The settings that are set in the environment, without secrets. */
  readonly explicitSettings: Readonly<Record<string, string>>;
  /** A warning for each variable with a prefix of a setting that is not a setting. */
  readonly unknownSettings: readonly string[];
  /** A warning for each variable whose invalid value is ignored. */
  readonly ignoredSettings: readonly string[];
  /** The environment of model processes. */
  readonly modelProcessEnv: Readonly<Record<string, string>>;
}

interface EmailConfig {
  /** The domain of generated addresses. */
  readonly domain: string;
  /** Whether to reject mail if the DMARC policy of its domain requests it. */
  readonly dmarc: boolean;
  /** The SMTP server; null: inbound mail is received only by /email/inbound. */
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    /** PEM files; null: no STARTTLS. */
    readonly tls: { readonly cert: string; readonly key: string } | null;
  } | null;
  /** Null: outbound mail is written to .eml files in the data folder. */
  readonly smtpUrl: string | null;
  readonly dkim: { readonly keyFile: string; readonly selector: string } | null;
}

interface LlmConfig {
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly timeoutMs: number;
  /** Of the rewrite of a query, for which a search waits. */
  readonly rewriteTimeoutMs: number;
}

type EmbeddingConfig =
  | { readonly provider: 'static' | 'encoder' }
  | {
      readonly provider: 'openai';
      readonly url: string;
      readonly model: string;
      readonly apiKey: string | null;
      readonly timeoutMs: number;
      readonly batchMax: number;
      readonly overrides: EmbeddingOverrides;
    }
  | {
      readonly provider: 'transformers';
      readonly model: string;
      readonly dtype: string | null;
      readonly overrides: EmbeddingOverrides;
    };

/** Replace the facts of the model; null: not set. */
interface EmbeddingOverrides {
  readonly queryPrefix: string | null;
  readonly documentPrefix: string | null;
  readonly pooling: 'mean' | 'cls' | 'last' | null;
  readonly dimensions: number | null;
}

/** The endpoint for models that are chosen while the server runs. */
interface EmbeddingEndpointConfig {
  readonly url: string | null;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly batchMax: number;
}

/** All invalid settings, one line per variable. */
export class ConfigError extends Error {
  readonly issues: readonly string[];
  constructor(issues: readonly string[], warnings: readonly string[] = []) {
    const lines = [...issues, ...warnings].map((line) => `  - ${line}`);
    super(`The configuration is not valid:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.issues = issues;
  }
}

/**
 * Converts the environment to typed settings. Throws ConfigError; warns of unknown variables and of
 * values that are ignored.
 */
export function readConfig(variables: Environment): { config: Config; warnings: string[] } {
  const { env, changes, warnings: ignored } = correctToleratedSettings(variables);
  const issues = validateSettings(env);
  const value = (name: SettingName): string | null => settingValue(env, name);
  const provider = value('MNEME_EMBEDDING_PROVIDER') as EmbeddingConfig['provider'];
  const embedding = embeddingConfig(provider, value, issues);
  const list = (name: SettingName) => {
    const text = value(name);
    return text === null ? [] : splitCommaList(text);
  };
  const llm = llmConfig(value, issues);
  const rerank = readRerankConfig(value, issues);
  const email = emailConfig(value, issues);
  const media = readMediaConfig(value, env, issues);
  const unknown = findUnknownSettings(env);
  const dataDir = path.resolve(value('MNEME_DATA_DIR') ?? '');
  const runsJobs = readRunsJobs(value, issues);
  const index = readIndexConfig(value, issues);
  if (issues.length > 0) throw new ConfigError(issues, [...unknown, ...ignored]);
  const config: Config = {
    host: value('MNEME_HOST') ?? '',
    port: Number(value('MNEME_PORT')),
    metrics: metricsConfig(value),
    dataDir,
    databaseUrl: value('MNEME_DATABASE_URL'),
    allowOtherEngine: value('MNEME_ALLOW_OTHER_ENGINE') === 'true',
    databasePoolMax: Number(value('MNEME_DATABASE_POOL')),
    diskFreeMinMb: Number(value('MNEME_DISK_FREE_MIN_MB')),
    index,
    requestsMax: Number(value('MNEME_REQUESTS_MAX')),
    trustedProxies: list('MNEME_TRUSTED_PROXIES'),
    adminKey: value('MNEME_ADMIN_KEY'),
    secretKey: value('MNEME_SECRET_KEY'),
    allowOtherSecretKey: value('MNEME_ALLOW_OTHER_SECRET_KEY') === 'true',
    tokenSecret: value('MNEME_TOKEN_SECRET'),
    servesConsole: value('MNEME_CONSOLE') === 'on',
    corsOrigins: list('MNEME_CORS_ORIGINS'),
    allowedHosts: list('MNEME_ALLOWED_HOSTS').map((name) => name.toLowerCase()),
    contactEmail: value('MNEME_CONTACT_EMAIL') ?? '',
    requestTimeoutSeconds: Number(value('MNEME_REQUEST_TIMEOUT_SECONDS')),
    activationIdleMinutes: Number(value('MNEME_ACTIVATION_IDLE_MINUTES')),
    erasuresKeptDays: Number(value('MNEME_ERASURES_KEPT_DAYS')),
    logLevel: value('MNEME_LOG_LEVEL') as LogLevel,
    logFormat: value('MNEME_LOG_FORMAT') as LogFormat,
    shutdownSeconds: Number(value('MNEME_SHUTDOWN_SECONDS')),
    webhooks: {
      allowHttp: value('MNEME_WEBHOOK_ALLOW_HTTP') === 'true',
      allowPrivate: value('MNEME_WEBHOOK_ALLOW_PRIVATE') === 'true',
      concurrency: Number(value('MNEME_WEBHOOK_CONCURRENCY')),
    },
    publicUrl: value('MNEME_PUBLIC_URL')?.replace(/\/+$/, '') ?? null,
    oauthRegistration: value('MNEME_OAUTH_REGISTRATION') === 'on',
    email,
    embedding,
    embeddingEndpoint: embeddingEndpointConfig(value),
    embeddingReset: value('MNEME_EMBEDDING_RESET') === 'true',
    runsJobs,
    modelHub: value('MNEME_MODEL_HUB') ?? '',
    llm,
    rerank,
    media,
    backup: readBackupConfig(value, dataDir),
    telemetry: readTelemetryConfig(value, changes),
    explicitSettings: readExplicitSettings(env),
    unknownSettings: unknown,
    ignoredSettings: ignored,
    modelProcessEnv: modelProcessEnv(env),
  };
  return { config, warnings: [...unknown, ...ignored] };
}

function readRunsJobs(value: ReadSetting, issues: string[]): boolean {
  if (value('MNEME_JOBS') !== 'off') return true;
  if (value('MNEME_DATABASE_URL') === null) {
    issues.push(
      'MNEME_JOBS=off requires MNEME_DATABASE_URL: no other process can run the jobs of an ' +
        'embedded database',
    );
  }
  return false;
}

function metricsConfig(value: (name: SettingName) => string | null): Config['metrics'] {
  const port = value('MNEME_METRICS_PORT');
  const host = value('MNEME_METRICS_HOST') ?? '';
  return port === null ? null : { host, port: Number(port) };
}

/** The certificate requires its key, and the key its certificate. */
function emailConfig(value: (name: SettingName) => string | null, issues: string[]): EmailConfig {
  const port = value('MNEME_SMTP_PORT');
  const cert = value('MNEME_SMTP_TLS_CERT');
  const key = value('MNEME_SMTP_TLS_KEY');
  if (cert !== null && key === null) {
    issues.push('MNEME_SMTP_TLS_KEY is required with MNEME_SMTP_TLS_CERT');
  }
  if (cert === null && key !== null) {
    issues.push('MNEME_SMTP_TLS_CERT is required with MNEME_SMTP_TLS_KEY');
  }
  const tls = cert === null || key === null ? null : { cert, key };
  const host = value('MNEME_SMTP_HOST') ?? '';
  const keyFile = value('MNEME_DKIM_KEY');
  return {
    domain: value('MNEME_EMAIL_DOMAIN') ?? '',
    dmarc: value('MNEME_EMAIL_DMARC') === 'on',
    smtp: port === null ? null : { host, port: Number(port), tls },
    smtpUrl: value('MNEME_SMTP_URL'),
    dkim: keyFile === null ? null : { keyFile, selector: value('MNEME_DKIM_SELECTOR') ?? '' },
  };
}

function embeddingConfig(
  provider: EmbeddingConfig['provider'],
  value: (name: SettingName) => string | null,
  issues: string[],
): EmbeddingConfig {
  const requireSetting = (name: SettingName): string => {
    const text = value(name);
    if (text === null) issues.push(`${name} is required with MNEME_EMBEDDING_PROVIDER=${provider}`);
    return text ?? '';
  };
  const overrides = embeddingOverrides(value);
  if (provider === 'openai') {
    return {
      provider,
      ...embeddingEndpointConfig(value),
      url: requireSetting('MNEME_EMBEDDING_URL'),
      model: requireSetting('MNEME_EMBEDDING_MODEL'),
      overrides,
    };
  }
  if (provider === 'transformers') {
    return {
      provider,
      model: requireSetting('MNEME_EMBEDDING_MODEL'),
      dtype: value('MNEME_EMBEDDING_DTYPE'),
      overrides,
    };
  }
  return { provider };
}

type ReadSetting = (name: SettingName) => string | null;

function embeddingOverrides(value: ReadSetting): EmbeddingOverrides {
  const prefix = (name: SettingName): string | null => {
    const text = value(name);
    return text === noPrefix ? '' : text;
  };
  const dimensions = value('MNEME_EMBEDDING_DIMENSIONS');
  return {
    queryPrefix: prefix('MNEME_EMBEDDING_QUERY_PREFIX'),
    documentPrefix: prefix('MNEME_EMBEDDING_DOCUMENT_PREFIX'),
    pooling: value('MNEME_EMBEDDING_POOLING') as EmbeddingOverrides['pooling'],
    dimensions: dimensions === null ? null : Number(dimensions),
  };
}

const embeddingEndpointConfig = (value: ReadSetting): EmbeddingEndpointConfig => ({
  url: value('MNEME_EMBEDDING_URL'),
  apiKey: value('MNEME_EMBEDDING_API_KEY'),
  timeoutMs: Number(value('MNEME_EMBEDDING_TIMEOUT_MS')),
  batchMax: Number(value('MNEME_EMBEDDING_BATCH')),
});

/** The URL requires a model name and vice versa; the key requires both. */
function llmConfig(
  value: (name: SettingName) => string | null,
  issues: string[],
): LlmConfig | null {
  const url = value('MNEME_LLM_URL');
  const model = value('MNEME_LLM_MODEL');
  const apiKey = value('MNEME_LLM_API_KEY');
  if (url !== null && model === null) issues.push('MNEME_LLM_MODEL is required with MNEME_LLM_URL');
  if (url === null && model !== null) issues.push('MNEME_LLM_URL is required with MNEME_LLM_MODEL');
  if (url === null && model === null && apiKey !== null) {
    issues.push('MNEME_LLM_URL is required with MNEME_LLM_API_KEY');
  }
  if (url === null || model === null) return null;
  const timeoutMs = Number(value('MNEME_LLM_TIMEOUT_MS'));
  const rewriteTimeoutMs = Number(value('MNEME_LLM_REWRITE_TIMEOUT_MS'));
  return { url, apiKey, model, timeoutMs, rewriteTimeoutMs };
}
