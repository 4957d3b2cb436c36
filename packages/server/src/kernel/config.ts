import path from 'node:path';
import { type BackupConfig, backupConfig } from './config-backup.ts';
import { type MediaConfig, mediaConfig } from './config-media.ts';
import type { LogFormat, LogLevel } from './log.ts';
import { modelProcessEnv } from './process-env.ts';
import {
  type Environment,
  findUnknownSettings,
  readExplicitSettings,
  type SettingName,
  settingValue,
  splitList,
  validateSettings,
} from './settings.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  /** Whether the data folder may belong to another database. */
  readonly allowOtherEngine: boolean;
  readonly databasePoolMax: number;
  /** Of the embedded database's disk; below, nothing is stored. */
  readonly diskFreeMinMb: number;
  /** Requests in progress; more are answered 503. */
  readonly requestsMax: number;
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly adminKey: string | null;
  /** Encrypts stored secrets; null: a file of the data folder has it. */
  readonly secretKey: string | null;
  /** Whether the database gives up the secret key that it began with. */
  readonly allowOtherSecretKey: boolean;
  /** Signs session tokens; null: derived from the secret key. */
  readonly tokenSecret: string | null;
  readonly corsOrigins: readonly string[];
  /** In lower case; `*` for any. */
  readonly allowedHosts: readonly string[];
  /** Of accounts that have set none. */
  readonly contactEmail: string;
  readonly requestTimeoutSeconds: number;
  /** After this long without access an activation session is over. */
  readonly activationIdleMinutes: number;
  /** So long a backup is good: what was erased since is erased again after a restore. */
  readonly erasuresKeptDays: number;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly shutdownSeconds: number;
  readonly webhooks: {
    readonly allowHttp: boolean;
    readonly allowPrivate: boolean;
    /** Deliveries under way at the same time. */
    readonly concurrency: number;
  };
  /** Without a slash at the end; null: links are paths. */
  readonly publicUrl: string | null;
  readonly email: EmailConfig;
  readonly embedding: EmbeddingConfig;
  /** The model that reads texts; null: rules do it, without any network. */
  readonly llm: LlmConfig | null;
  readonly media: MediaConfig;
  readonly backup: BackupConfig;
  /** The texts of the settings that the environment has, without secrets. */
  readonly explicitSettings: Readonly<Record<string, string>>;
  /** A line for each variable that has a name like a setting and is none. */
  readonly unknownSettings: readonly string[];
  /** The environment of model processes. */
  readonly modelProcessEnv: Readonly<Record<string, string>>;
}

interface EmailConfig {
  /** Of the addresses that are made. */
  readonly domain: string;
  /** Whether mail that a domain's own policy asks to refuse is refused. */
  readonly dmarc: boolean;
  /** The listener; null: mail comes by /email/inbound alone. */
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    /** Files of PEM; null: no STARTTLS. */
    readonly tls: { readonly cert: string; readonly key: string } | null;
  } | null;
  /** Null: .eml files in the data folder. */
  readonly smtpUrl: string | null;
  readonly dkim: { readonly keyFile: string; readonly selector: string } | null;
}

interface LlmConfig {
  readonly url: string;
  readonly apiKey: string | null;
  readonly model: string;
  readonly timeoutMs: number;
}

type EmbeddingConfig =
  | { readonly provider: 'static' }
  | {
      readonly provider: 'openai';
      readonly url: string;
      readonly model: string;
      readonly apiKey: string | null;
      readonly dimensions: number | null;
      readonly timeoutMs: number;
      readonly batchMax: number;
    }
  | {
      readonly provider: 'transformers';
      readonly model: string;
      readonly dtype: string | null;
      readonly queryPrefix: string;
      readonly documentPrefix: string;
    };

/** All faults of the environment at once, each line naming its variable. */
export class ConfigError extends Error {
  readonly issues: readonly string[];
  constructor(faults: readonly string[], warnings: readonly string[] = []) {
    const lines = [...faults, ...warnings].map((line) => `  - ${line}`);
    super(`The configuration is not valid:\n${lines.join('\n')}`);
    this.name = 'ConfigError';
    this.issues = faults;
  }
}

/** Environment → typed settings. Throws ConfigError; warnings name likely misspellings. */
export function readConfig(env: Environment): { config: Config; warnings: string[] } {
  const faults = validateSettings(env);
  const value = (name: SettingName): string | null => settingValue(env, name);
  const provider = value('MNEME_EMBEDDING_PROVIDER') as EmbeddingConfig['provider'];
  const embedding = embeddingConfig(provider, value, faults);
  const list = (name: SettingName) => {
    const text = value(name);
    return text === null ? [] : splitList(text);
  };
  const llm = llmConfig(value, faults);
  const email = emailConfig(value, faults);
  const media = mediaConfig(value, env, faults);
  const warnings = findUnknownSettings(env);
  const dataDir = path.resolve(value('MNEME_DATA_DIR') ?? '');
  if (faults.length > 0) throw new ConfigError(faults, warnings);
  const config: Config = {
    host: value('MNEME_HOST') ?? '',
    port: Number(value('MNEME_PORT')),
    dataDir,
    databaseUrl: value('MNEME_DATABASE_URL'),
    allowOtherEngine: value('MNEME_ALLOW_OTHER_ENGINE') === 'true',
    databasePoolMax: Number(value('MNEME_DATABASE_POOL')),
    diskFreeMinMb: Number(value('MNEME_DISK_FREE_MIN_MB')),
    requestsMax: Number(value('MNEME_REQUESTS_MAX')),
    trustedProxies: list('MNEME_TRUSTED_PROXIES'),
    adminKey: value('MNEME_ADMIN_KEY'),
    secretKey: value('MNEME_SECRET_KEY'),
    allowOtherSecretKey: value('MNEME_ALLOW_OTHER_SECRET_KEY') === 'true',
    tokenSecret: value('MNEME_TOKEN_SECRET'),
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
    email,
    embedding,
    llm,
    media,
    backup: backupConfig(value, dataDir),
    explicitSettings: readExplicitSettings(env),
    unknownSettings: warnings,
    modelProcessEnv: modelProcessEnv(env),
  };
  return { config, warnings };
}

/** A certificate and its key belong together. */
function emailConfig(value: (name: SettingName) => string | null, faults: string[]): EmailConfig {
  const port = value('MNEME_SMTP_PORT');
  const cert = value('MNEME_SMTP_TLS_CERT');
  const key = value('MNEME_SMTP_TLS_KEY');
  if (cert !== null && key === null) {
    faults.push('MNEME_SMTP_TLS_KEY is required with MNEME_SMTP_TLS_CERT');
  }
  if (cert === null && key !== null) {
    faults.push('MNEME_SMTP_TLS_CERT is required with MNEME_SMTP_TLS_KEY');
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
  faults: string[],
): EmbeddingConfig {
  const need = (name: SettingName): string => {
    const text = value(name);
    if (text === null) faults.push(`${name} is required with MNEME_EMBEDDING_PROVIDER=${provider}`);
    return text ?? '';
  };
  if (provider === 'openai') {
    const dimensions = value('MNEME_EMBEDDING_DIMENSIONS');
    return {
      provider,
      url: need('MNEME_EMBEDDING_URL'),
      model: need('MNEME_EMBEDDING_MODEL'),
      apiKey: value('MNEME_EMBEDDING_API_KEY'),
      dimensions: dimensions === null ? null : Number(dimensions),
      timeoutMs: Number(value('MNEME_EMBEDDING_TIMEOUT_MS')),
      batchMax: Number(value('MNEME_EMBEDDING_BATCH')),
    };
  }
  if (provider === 'transformers') {
    return {
      provider,
      model: need('MNEME_EMBEDDING_MODEL'),
      dtype: value('MNEME_EMBEDDING_DTYPE'),
      queryPrefix: value('MNEME_EMBEDDING_QUERY_PREFIX') ?? '',
      documentPrefix: value('MNEME_EMBEDDING_DOCUMENT_PREFIX') ?? '',
    };
  }
  return { provider: 'static' };
}

/** An address and a model name belong together; a key without them is a slip too. */
function llmConfig(
  value: (name: SettingName) => string | null,
  faults: string[],
): LlmConfig | null {
  const url = value('MNEME_LLM_URL');
  const model = value('MNEME_LLM_MODEL');
  const apiKey = value('MNEME_LLM_API_KEY');
  if (url !== null && model === null) faults.push('MNEME_LLM_MODEL is required with MNEME_LLM_URL');
  if (url === null && model !== null) faults.push('MNEME_LLM_URL is required with MNEME_LLM_MODEL');
  if (url === null && model === null && apiKey !== null) {
    faults.push('MNEME_LLM_URL is required with MNEME_LLM_API_KEY');
  }
  if (url === null || model === null) return null;
  return { url, apiKey, model, timeoutMs: Number(value('MNEME_LLM_TIMEOUT_MS')) };
}
