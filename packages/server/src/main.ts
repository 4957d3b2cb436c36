import { readFileSync } from 'node:fs';
import {
  AdminKeyMalformed,
  AdminKeyNotReset,
  type FirstKey,
  SecretKeyMismatch,
} from './domains/accounts/index.ts';
import type { App } from './domains/ctx.ts';
import { lackingForMedia } from './domains/media/index.ts';
import {
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  DiskFull,
  EngineFailed,
  isDamaged,
  isStorageFault,
  MigrationRefused,
} from './engine/index.ts';
import { type Config, ConfigError, readConfig } from './kernel/config.ts';
import { DataFolderUnusable } from './kernel/data-folder.ts';
import { DataFolderForeign } from './kernel/folder-owner.ts';
import { createLog } from './kernel/log.ts';
import { EmbeddingFailed } from './providers/embedding/index.ts';
import { resetAdmin } from './reset-admin.ts';
import { AddressUnusable, type Running, serve } from './serve.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** Faults that a person at the terminal can mend: the message is enough, a stack would hide it. */
const plainFaults = [
  AddressUnusable,
  AdminKeyMalformed,
  AdminKeyNotReset,
  ConfigError,
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderForeign,
  DataFolderInUse,
  DataFolderUnusable,
  DiskFull,
  EmbeddingFailed,
  EngineFailed,
  MigrationRefused,
  SecretKeyMismatch,
];

function fail(error: unknown): never {
  const plain = plainFaults.some((kind) => error instanceof kind) || isDatabaseFault(error);
  console.error(plain ? `mneme: ${(error as Error).message}` : error);
  process.exit(1);
}

/** PostgreSQL's own words: no connection, no room, a damaged table. */
const isDatabaseFault = (error: unknown): boolean =>
  isStorageFault(error) || isDamaged(error) || /^XX/.test((error as { code?: string }).code ?? '');

async function greet(running: Running): Promise<void> {
  const { url, context, smtpPort } = running;
  console.log(`Mneme ${version} listens on ${url}/v1 (reference: ${url}/docs)`);
  if (smtpPort !== null) console.log(`Mail is taken in on port ${smtpPort}`);
  const lacking = await lackingForMedia(context.app);
  for (const told of [await mediaOf(context.app), ...lacking]) {
    console.log(`Audio and video: ${told}`);
  }
  if (context.firstKey === null) return;
  const { file, key: secret } = context.firstKey;
  const key = `$(cat '${file}')`;
  console.log(`
The admin key is in ${file} and is shown this once:

  ${secret}

Store a memory:

  curl -s ${url}/v1/memories -H "Authorization: Bearer ${key}" \\
    -H 'Content-Type: application/json' \\
    -d '{"content": "The car would not start because its battery was dead."}'

Find it by other words:

  curl -s -G ${url}/v1/search -H "Authorization: Bearer ${key}" \\
    --data-urlencode 'q=why did the vehicle fail to run?'
`);
}

/** What reads recordings, or what has to be installed for it. */
const mediaOf = ({ ffmpeg }: App): Promise<string> =>
  ffmpeg.versions().then(
    (told) => `ffmpeg ${told.ffmpeg}, ffprobe ${told.ffprobe}`,
    (error: Error) => error.message,
  );

const repeatMs = 500;

/** The first signal stops gently, a second one at once. */
function stopOnSignals(running: Running): void {
  const { clock, log } = running.context.app;
  let askedAtMs: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (askedAtMs !== null) {
      // Ctrl-C at a package script may reach us twice, by the terminal and by the script's runner.
      if (clock.monotonicMs() - askedAtMs > repeatMs) process.exit(1);
      return;
    }
    askedAtMs = clock.monotonicMs();
    log.info({ signal }, 'stopping');
    running.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

// A reader of our output that goes away must not take the service along.
process.stdout.on('error', () => undefined);

/** `reset-admin [--json]`: what `mneme keys reset-admin` runs. */
async function runReset(config: Config, isJson: boolean): Promise<void> {
  // Standard output has nothing but the result.
  const log = createLog('error', { write: (line) => void process.stderr.write(line) });
  const made = await resetAdmin(config, log);
  console.log(isJson ? JSON.stringify(made) : describeReset(made));
}

const describeReset = ({ key, file }: FirstKey): string =>
  `The admin key was replaced. The former one has ended; other processes of the server refuse it
within 10 s. The new one is in ${file}:

  ${key}`;

const [command, ...options] = process.argv.slice(2);
const isReset = command === 'reset-admin' && options.every((option) => option === '--json');
if (command !== undefined && !isReset) {
  console.error('mneme: usage: start.mjs [reset-admin [--json]]');
  process.exit(2);
}

try {
  const { config, warnings } = readConfig(process.env);
  for (const warning of warnings) console.warn(`mneme: ${warning}`);
  if (isReset) {
    await runReset(config, options.length > 0);
  } else {
    const running = await serve(config, version, { onEngineFailure: fail });
    stopOnSignals(running);
    await greet(running);
  }
} catch (error) {
  fail(error);
}
