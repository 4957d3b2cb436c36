import type { Command } from 'commander';
import type { App } from '../domains/ctx.ts';
import { listMissingMediaTools } from '../domains/media/index.ts';
import { readConfig } from '../kernel/config.ts';
import { type ServerHandle, serve } from '../serve.ts';
import type { Terminal } from './terminal.ts';

/** `mneme-server start`, and what it does without a command: the service, until a signal. */
export function addStart(program: Command, terminal: Terminal): void {
  program
    .command('start')
    .description('start the service; the default')
    .action(async () => {
      const { config, warnings } = readConfig(terminal.env);
      for (const warning of warnings) terminal.warn(`mneme: ${warning}`);
      const running = await serve(config, terminal.version, { onEngineFailure: terminal.fail });
      stopOnSignals(running, terminal);
      await printWelcome(running, terminal);
    });
}

/** Prints where the service is, and after the first start how to use it, to standard error. */
async function printWelcome(
  running: ServerHandle,
  { version, warn, isInteractive }: Terminal,
): Promise<void> {
  const { url, context, smtpPort } = running;
  warn(`Mneme ${version} listens on ${url}/v1 (API reference: ${url}/docs)`);
  if (smtpPort !== null) warn(`The SMTP server listens on port ${smtpPort}`);
  const lacking = await listMissingMediaTools(context.app);
  for (const line of [await describeMediaTools(context.app), ...lacking])
    warn(`Audio and video: ${line}`);
  if (context.firstKey === null) return;
  const { file, key: secret } = context.firstKey;
  const key = `$(cat '${file}')`;
  // Output that is no terminal is often stored.
  warn(isInteractive ? firstKeyMessage(file, secret) : `\nThe admin key is stored in ${file}.`);
  warn(`
Store a memory:

  curl -s ${url}/v1/memories -H "Authorization: Bearer ${key}" \\
    -H 'Content-Type: application/json' \\
    -d '{"content": "The car would not start because its battery was dead."}'

Find it by other words:

  curl -s -G ${url}/v1/search -H "Authorization: Bearer ${key}" \\
    --data-urlencode 'q=why did the vehicle fail to run?'
`);
}

const firstKeyMessage = (file: string, key: string): string => `
The admin key is stored in ${file}. It is printed only once:

  ${key}`;

/** What reads recordings, or what has to be installed for it. */
const describeMediaTools = ({ ffmpeg }: App): Promise<string> =>
  ffmpeg.versions().then(
    (told) => `ffmpeg ${told.ffmpeg}, ffprobe ${told.ffprobe}`,
    (error: Error) => error.message,
  );

const duplicateSignalMs = 500;

/** The first signal stops gently, a second one at once. */
function stopOnSignals(running: ServerHandle, { fail }: Terminal): void {
  const { clock, log } = running.context.app;
  let askedAtMs: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    if (askedAtMs !== null) {
      // Ctrl-C at a package script may reach us twice, by the terminal and by the script's runner.
      if (clock.monotonicMs() - askedAtMs > duplicateSignalMs) process.exit(1);
      return;
    }
    askedAtMs = clock.monotonicMs();
    log.info({ signal }, 'stopping');
    running.stop().then(() => process.exit(0), fail);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
