import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateKey } from './api-key-format.ts';
import { systemClock } from './clock.ts';
import { ConfigError, readConfig } from './config.ts';
import { createIds } from './ids.ts';
import { defaultSearchThreads } from './index-config.ts';
import { type Environment, settings } from './settings.ts';

/** The issues of an environment. */
function faultsOf(env: Environment): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}

const defaultIndex = {
  bytesMax: 2 ** 30,
  hasSegments: true,
  searchThreads: expect.any(Number),
  peerUrl: null,
};

describe('readConfig', () => {
  it('takes the URL of a peer without a path, and only with a server database', () => {
    const peer = { MNEME_PEER_URL: 'http://10.0.0.5:7077/' };
    const database = { MNEME_DATABASE_URL: 'postgres://localhost/mneme' };
    const { config } = readConfig({ ...database, ...peer });
    expect(config.index.peerUrl).toBe('http://10.0.0.5:7077');
    expect(faultsOf(peer)).toEqual([
      'MNEME_PEER_URL requires MNEME_DATABASE_URL: an embedded database belongs to one process',
    ]);
    for (const url of ['http://a/b', 'http://u:p@a', 'http://a?b', 'ftp://a', 'a:7077', 'a']) {
      expect(faultsOf({ ...database, MNEME_PEER_URL: url })).toEqual([
        'MNEME_PEER_URL must be a URL of http: or https: with a host and a port alone, such as ' +
          `http://10.0.0.5:7077, not "${url}"`,
      ]);
    }
  });

  it('uses the documented defaults', () => {
    const { config, warnings } = readConfig({});
    expect(warnings).toEqual([]);
    expect(config).toEqual({
      host: '127.0.0.1',
      port: 7077,
      metrics: null,
      dataDir: path.resolve('data'),
      databaseUrl: null,
      allowOtherEngine: false,
      databasePoolMax: 10,
      diskFreeMinMb: 256,
      requestsMax: 1_000,
      trustedProxies: [],
      adminKey: null,
      ...{ secretKey: null, allowOtherSecretKey: false },
      backup: {
        schedule: null,
        folder: path.resolve('data/backups'),
        bucket: null,
        keep: 7,
        passphrase: null,
        beforeUpgrade: true,
      },
      telemetry: null,
      tokenSecret: null,
      servesConsole: true,
      corsOrigins: [],
      allowedHosts: [],
      contactEmail: 'owner@localhost',
      requestTimeoutSeconds: 60,
      activationIdleMinutes: 30,
      erasuresKeptDays: 730,
      explicitSettings: {},
      logLevel: 'info',
      logFormat: 'auto',
      shutdownSeconds: 25,
      webhooks: { allowHttp: false, allowPrivate: false, concurrency: 16 },
      publicUrl: null,
      oauthRegistration: true,
      ...{ unknownSettings: [], ignoredSettings: [] },
      index: defaultIndex,
      modelProcessEnv: {},
      email: { domain: 'localhost', dmarc: true, smtp: null, smtpUrl: null, dkim: null },
      embedding: { provider: 'encoder' },
      embeddingEndpoint: { url: null, apiKey: null, timeoutMs: 20_000, batchMax: 128 },
      embeddingReset: false,
      runsJobs: true,
      modelHub: 'https://huggingface.co',
      llm: null,
      rerank: null,
      media: {
        uploadBytesMax: 2_147_483_648,
        importBytesMax: 16 * 1024 ** 3,
        ffmpeg: null,
        ffmpegCallsMax: null,
        ffprobe: null,
        searchPath: '',
        s3: null,
        transcription: {
          openai: null,
          command: null,
          commandLimits: { cpuSeconds: 14_400, memoryBytes: 16_384 * 2 ** 20 },
          transformers: null,
          timeoutSeconds: 1_800,
        },
        vision: { openai: null, local: false, timeoutMs: 60_000, framesMax: 24 },
      },
    });
  });

  it('reads the settings', () => {
    const { config } = readConfig({
      MNEME_HOST: '0.0.0.0',
      MNEME_PORT: '0',
      MNEME_DATA_DIR: path.resolve('elsewhere'),
      MNEME_DATABASE_URL: 'postgres://user:secret@db.example.org/mneme',
      MNEME_DATABASE_POOL: '4',
      MNEME_LOG_LEVEL: 'debug',
      MNEME_LOG_FORMAT: 'pretty',
      MNEME_SHUTDOWN_SECONDS: '0',
      MNEME_WEBHOOK_ALLOW_HTTP: 'true',
      MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    expect(config).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      dataDir: path.resolve('elsewhere'),
      databaseUrl: 'postgres://user:secret@db.example.org/mneme',
      databasePoolMax: 4,
      logLevel: 'debug',
      logFormat: 'pretty',
      shutdownSeconds: 0,
      webhooks: { allowHttp: true, allowPrivate: true, concurrency: 16 },
    });
  });

  it('reads the settings of a bucket', () => {
    const { config } = readConfig({
      MNEME_S3_BUCKET: 'kept',
      MNEME_S3_ENDPOINT: 'http://127.0.0.1:9000',
      MNEME_S3_ACCESS_KEY_ID: 'me',
      MNEME_S3_SECRET_ACCESS_KEY: 'secret',
      MNEME_S3_PATH_STYLE: 'true',
    });
    expect(config.media.s3).toEqual({
      bucket: 'kept',
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
      credentials: { keyId: 'me', secret: 'secret' },
      prefix: '',
      pathStyle: true,
    });
  });

  it.each([
    ['MNEME_S3_ENDPOINT', 'http://127.0.0.1', 'MNEME_S3_BUCKET'],
    ['MNEME_S3_ACCESS_KEY_ID', 'me', 'MNEME_S3_SECRET_ACCESS_KEY'],
    ['MNEME_S3_SECRET_ACCESS_KEY', 'x', 'MNEME_S3_ACCESS_KEY_ID'],
    ['MNEME_TRANSCRIPTION_URL', 'http://127.0.0.1', 'MNEME_TRANSCRIPTION_MODEL'],
    ['MNEME_VISION_MODEL', 'x', 'MNEME_VISION_URL'],
  ])('rejects %s without the settings that it requires', (name, value, missing) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${missing} is required with ${name}`);
  });

  it('treats an empty text as unset', () => {
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']));
    expect(readConfig(empty)).toEqual(readConfig({}));
  });

  it('reports all issues, each with its variable', () => {
    const faults = faultsOf({
      MNEME_PORT: '70000',
      MNEME_DATABASE_URL: 'mysql://db',
      MNEME_DATABASE_POOL: '1',
      MNEME_LOG_LEVEL: 'loud',
      MNEME_LOG_FORMAT: 'xml',
      MNEME_SHUTDOWN_SECONDS: '-1',
      MNEME_EMBEDDING_PROVIDER: 'openai',
      MNEME_EMBEDDING_DIMENSIONS: '1.5',
    });
    expect(faults.map((fault) => fault.split(' ', 1)[0])).toEqual([
      'MNEME_PORT',
      'MNEME_DATABASE_URL',
      'MNEME_DATABASE_POOL',
      'MNEME_LOG_LEVEL',
      'MNEME_LOG_FORMAT',
      'MNEME_SHUTDOWN_SECONDS',
      'MNEME_EMBEDDING_DIMENSIONS',
      'MNEME_EMBEDDING_URL',
      'MNEME_EMBEDDING_MODEL',
    ]);
    expect(faults[0]).toBe('MNEME_PORT must be an integer from 0 to 65535, not "70000"');
    expect(new ConfigError(faults).message).toContain(faults.at(-1));
  });

  it.each(['', ' ', '0x10', '1e3', '٣', '+5', '7077 '])('rejects the port %j', (text) => {
    if (text === '') expect(readConfig({ MNEME_PORT: text }).config.port).toBe(7077);
    else expect(faultsOf({ MNEME_PORT: text })).toHaveLength(1);
  });

  it.each([
    ['https://app.example.com', ['https://app.example.com']],
    ['http://localhost:5173, https://a.example', ['http://localhost:5173', 'https://a.example']],
  ])('accepts the origins %j', (text, corsOrigins) => {
    expect(readConfig({ MNEME_CORS_ORIGINS: text }).config.corsOrigins).toEqual(corsOrigins);
  });

  it.each([
    '*',
    'null',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/page',
    'https://app.example.com?x=1',
    'https://*.example.com',
    'https://APP.example.com',
    'https://app.example.com:443',
    'https://user@app.example.com',
    'file:///index.html',
    'chrome-extension://abcdefgh',
    'https://app.example.com https://b.example',
    'https://app.example.com,',
    ',',
  ])('rejects the origin %j, which no browser sends', (text) => {
    const faults = faultsOf({ MNEME_CORS_ORIGINS: text });
    expect(faults).toEqual([expect.stringMatching(/^MNEME_CORS_ORIGINS must be origins such as/)]);
    expect(faults[0]).not.toContain('\n');
  });

  it('names the item of a list that is wrong, once', () => {
    const [fault] = faultsOf({ MNEME_TRUSTED_PROXIES: '10.0.0.0/8, proxy' });
    expect(fault).toBe(
      'MNEME_TRUSTED_PROXIES must be addresses or CIDR ranges such as 10.0.0.0/8, ' +
        'separated by commas: proxy is not an IP address or a CIDR range',
    );
  });

  it.each(['MNEME_SECRET_KEY', 'MNEME_TOKEN_SECRET'])(
    'takes no %s of fewer than 32 characters, and does not show it',
    (name) => {
      const faults = faultsOf({ [name]: 'short but secret' });
      expect(faults).toEqual([`${name} must have at least 32 characters`]);
      expect(faultsOf({ [name]: 's'.repeat(32) })).toEqual([]);
    },
  );

  it('takes no MNEME_ADMIN_KEY with a typo, and says how to make one', () => {
    const key = generateKey(createIds(systemClock));
    expect(faultsOf({ MNEME_ADMIN_KEY: key })).toEqual([]);
    const typo = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect(faultsOf({ MNEME_ADMIN_KEY: typo })).toEqual([
      'MNEME_ADMIN_KEY must be an API key: `mneme keys generate` prints a new one',
    ]);
  });

  it('never shows a secret in an issue', () => {
    const url = 'postgresq://user:hunter2@db.example.org/mneme';
    const [fault] = faultsOf({ MNEME_DATABASE_URL: url });
    expect(fault).toBe('MNEME_DATABASE_URL must be a URL of postgres: or postgresql:');
  });

  it.each([
    [{ MNEME_EMBEDDING_PROVIDER: 'openai' }, ['MNEME_EMBEDDING_URL', 'MNEME_EMBEDDING_MODEL']],
    [{ MNEME_EMBEDDING_PROVIDER: 'transformers' }, ['MNEME_EMBEDDING_MODEL']],
  ])('reports the settings that %j requires', (env, names) => {
    expect(faultsOf(env)).toEqual(
      names.map(
        (name) =>
          `${name} is required with MNEME_EMBEDDING_PROVIDER=${env.MNEME_EMBEDDING_PROVIDER}`,
      ),
    );
  });

  it('reads the embedding provider with its settings', () => {
    const openai = readConfig({
      MNEME_EMBEDDING_PROVIDER: 'openai',
      MNEME_EMBEDDING_URL: 'http://127.0.0.1:1234/v1',
      MNEME_EMBEDDING_MODEL: 'embed-small',
      MNEME_EMBEDDING_DIMENSIONS: '256',
    });
    expect(openai.config.embedding).toEqual({
      provider: 'openai',
      url: 'http://127.0.0.1:1234/v1',
      model: 'embed-small',
      apiKey: null,
      timeoutMs: 20_000,
      batchMax: 128,
      overrides: { queryPrefix: null, documentPrefix: null, pooling: null, dimensions: 256 },
    });
    const local = readConfig({
      MNEME_EMBEDDING_PROVIDER: 'transformers',
      MNEME_EMBEDDING_MODEL: 'some/model',
      MNEME_EMBEDDING_QUERY_PREFIX: 'query: ',
      MNEME_EMBEDDING_DOCUMENT_PREFIX: 'none',
      MNEME_EMBEDDING_POOLING: 'cls',
    });
    expect(local.config.embedding).toEqual({
      provider: 'transformers',
      model: 'some/model',
      dtype: null,
      overrides: { queryPrefix: 'query: ', documentPrefix: '', pooling: 'cls', dimensions: null },
    });
  });

  it('reads the reranker, whose model and key require its URL', () => {
    const given = { MNEME_RERANK_URL: 'http://127.0.0.1:8080', MNEME_RERANK_TOP: '20' };
    expect(readConfig(given).config.rerank).toEqual({
      url: 'http://127.0.0.1:8080',
      model: null,
      apiKey: null,
      timeoutMs: 2_000,
      top: 20,
    });
    expect(() => readConfig({ MNEME_RERANK_MODEL: 'm', MNEME_RERANK_API_KEY: 'k' })).toThrow(
      /MNEME_RERANK_URL is required with MNEME_RERANK_MODEL\n.*with MNEME_RERANK_API_KEY/,
    );
  });

  it('reads the language model', () => {
    const given = { MNEME_LLM_URL: 'http://127.0.0.1:1234/v1', MNEME_LLM_MODEL: 'small-1' };
    expect(readConfig(given).config.llm).toEqual({
      url: 'http://127.0.0.1:1234/v1',
      apiKey: null,
      model: 'small-1',
      timeoutMs: 30_000,
      rewriteTimeoutMs: 2_000,
    });
    const more = { ...given, MNEME_LLM_API_KEY: 'sk-1', MNEME_LLM_TIMEOUT_MS: '100' };
    expect(readConfig(more).config.llm).toMatchObject({ apiKey: 'sk-1', timeoutMs: 100 });
    expect(readConfig({ MNEME_LLM_TIMEOUT_MS: '100' }).config.llm).toBeNull();
  });

  it.each([
    [{ MNEME_LLM_URL: 'http://a/v1' }, ['MNEME_LLM_MODEL is required with MNEME_LLM_URL']],
    [{ MNEME_LLM_MODEL: 'm' }, ['MNEME_LLM_URL is required with MNEME_LLM_MODEL']],
    [{ MNEME_LLM_API_KEY: 'sk-1' }, ['MNEME_LLM_URL is required with MNEME_LLM_API_KEY']],
    [
      { MNEME_LLM_URL: 'api.example.com', MNEME_LLM_MODEL: 'm', MNEME_LLM_TIMEOUT_MS: '1s' },
      [
        'MNEME_LLM_URL must be a URL of http: or https:, not "api.example.com"',
        'MNEME_LLM_TIMEOUT_MS must be an integer from 100 to 600000, not "1s"',
      ],
    ],
  ])('rejects %j as a language model', (env, faults) => {
    expect(faultsOf(env)).toEqual(faults);
  });

  it('reads the settings of inbound and outbound mail', () => {
    const { config } = readConfig({
      MNEME_PUBLIC_URL: 'https://mneme.example.org/',
      MNEME_SMTP_PORT: '2525',
      MNEME_SMTP_TLS_CERT: 'cert.pem',
      MNEME_SMTP_TLS_KEY: 'key.pem',
      MNEME_EMAIL_DOMAIN: 'mail.example.org',
      MNEME_EMAIL_DMARC: 'off',
      MNEME_SMTP_URL: 'smtps://user:secret@relay.example.org',
      MNEME_DKIM_KEY: 'dkim.pem',
    });
    expect(config.publicUrl).toBe('https://mneme.example.org');
    expect(config.email).toEqual({
      domain: 'mail.example.org',
      dmarc: false,
      smtp: { host: '127.0.0.1', port: 2_525, tls: { cert: 'cert.pem', key: 'key.pem' } },
      smtpUrl: 'smtps://user:secret@relay.example.org',
      dkim: { keyFile: 'dkim.pem', selector: 'mneme' },
    });
    expect(faultsOf({ MNEME_SMTP_TLS_CERT: 'cert.pem' })).toEqual([
      'MNEME_SMTP_TLS_KEY is required with MNEME_SMTP_TLS_CERT',
    ]);
    expect(faultsOf({ MNEME_SMTP_TLS_KEY: 'key.pem' })).toEqual([
      'MNEME_SMTP_TLS_CERT is required with MNEME_SMTP_TLS_KEY',
    ]);
    const refused = { MNEME_SMTP_URL: 'https://relay.example.org', MNEME_EMAIL_DOMAIN: 'A@b' };
    expect(faultsOf(refused).map((fault) => fault.split(' ', 1)[0])).toEqual([
      'MNEME_EMAIL_DOMAIN',
      'MNEME_SMTP_URL',
    ]);
  });

  it('passes variables for downloads and programs to model processes, but no key', () => {
    const given = { PATH: '/bin', HF_TOKEN: 'of the hub', HTTPS_PROXY: 'http://proxy:3128' };
    const kept = {
      MNEME_PORT: '80',
      PGPASSWORD: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
      NODE_OPTIONS: '',
    };
    const secret = 'a secret of more than 32 characters';
    const secrets = {
      MNEME_SECRET_KEY: secret,
      MNEME_TOKEN_SECRET: secret,
      MNEME_ADMIN_KEY: generateKey(createIds(systemClock)),
      MNEME_EMBEDDING_API_KEY: secret,
      MNEME_DATABASE_URL: 'postgres://me:secret@db/mneme',
    };
    const { config } = readConfig({ ...given, ...kept, ...secrets });
    expect(config.modelProcessEnv).toEqual(given);
  });

  it('warns of an unknown setting and suggests the nearest one', () => {
    const { warnings } = readConfig({
      MNEME_PROT: '80',
      MNEME_LOGLEVEL: 'info',
      MNEME_DATABASE_URI: 'x',
      MNEME_URL: 'http://127.0.0.1:7077',
      MNEME_API_KEY: 'mnk_x',
      PATH: '/bin',
    });
    expect(warnings).toEqual([
      'MNEME_PROT is not a setting. Did you mean MNEME_PORT?',
      'MNEME_LOGLEVEL is not a setting. Did you mean MNEME_LOG_LEVEL?',
      'MNEME_DATABASE_URI is not a setting. Did you mean MNEME_DATABASE_URL?',
    ]);
  });

  it('lists unknown settings with the issues', () => {
    const env = { MNEME_PORT: 'x', MNEME_DATA_DIRR: '/tmp/m' };
    expect(() => readConfig(env)).toThrow(/MNEME_PORT[\s\S]*Did you mean MNEME_DATA_DIR\?/);
  });

  it('leaves a core to everything else, and searches in at most 4 threads by default', () => {
    expect([1, 2, 3, 5, 64].map(defaultSearchThreads)).toEqual([1, 1, 2, 4, 4]);
    const { index } = readConfig({}).config;
    expect(index.searchThreads).toBe(defaultSearchThreads(os.availableParallelism()));
  });

  it('takes 1 to 64 search threads', () => {
    const threads = (given: string) =>
      readConfig({ MNEME_SEARCH_THREADS: given }).config.index.searchThreads;
    expect([threads('1'), threads('64')]).toEqual([1, 64]);
    for (const wrong of ['0', '65', '1.5', 'many']) {
      expect(() => threads(wrong)).toThrow('MNEME_SEARCH_THREADS');
    }
  });
});
