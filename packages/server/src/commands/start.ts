import type { Command } from 'commander';
import type { App } from '../domains/ctx.ts';
import { readConfig } from '../kernel/config.ts';
import { releaseIdleMemory } from '../kernel/idle-memory.ts';
import { ensureConsoleBuilt } from '../providers/console/index.ts';
import type { ServerHandle } from '../serve.ts';
import { openService, stopOnSignals } from './service-process.ts';
import type { Terminal } from './terminal.ts';

/** `mneme-server start`, the default command: runs the service until a signal. */
export function registerStartCommand(program: Command, terminal: Terminal): void {
  program
    .command('start')
    .description('start the service (default)')
    .option('--until-unused', 'end after the last client of `mneme mcp` has left')
    .action(async ({ untilUnused = false }: { untilUnused?: boolean }) => {
      const { config, warnings } = readConfig(terminal.env);
      for (const warning of warnings) terminal.warn(`mneme: ${warning}`);
      const overrides = await openService(config, terminal);
      const { serve } = await import('../serve.ts');
      const running = await serve(config, terminal.version, overrides);
      const stop = stopOnSignals(running, terminal);
      releaseIdleMemory(running.context.app.clock);
      if (untilUnused) {
        const { watchClientLeases } = await import('./client-leases.ts');
        watchClientLeases(running.context.app, () => stop('unused'));
      }
      await printWelcome(running, terminal);
      if (config.servesConsole) await ensureConsoleBuilt().catch(() => undefined);
      const { prepareInBackground } = await import('./prepare-in-background.ts');
      await prepareInBackground(running.context.app.log);
    });
}

/** Prints the addresses to stderr, and after the first start how to use the service. */
async function printWelcome(
  running: ServerHandle,
  { version, warn, isInteractive }: Terminal,
): Promise<void> {
  const { context, smtpPort, metricsPort } = running;
  const { servesConsole, publicUrl, host } = context.app.config;
  // What a user can open: in a container the address to listen on is none.
  const url = publicUrl ?? running.url;
  const others = ['0.0.0.0', '::'].includes(host) ? ' and all other addresses of this machine' : '';
  warn(`Mneme ${version} listens on ${running.url}/v1${others} (API reference: ${url}/docs)`);
  if (servesConsole) warn(`The console is at ${url}/console`);
  if (smtpPort !== null) warn(`The SMTP server listens on port ${smtpPort}`);
  if (metricsPort !== null) warn(`Metrics are served without a key on port ${metricsPort}`);
  const { listMissingMediaTools } = await import('../domains/media/index.ts');
  const missing = await listMissingMediaTools(context.app);
  for (const line of [await describeMediaTools(context.app), ...missing])
    warn(`Audio and video: ${line}`);
  if (context.firstKey === null) return;
  const { file, key: secret } = context.firstKey;
  const key = `$(cat '${file}')`;
  // Output to a file or a log collector is often stored: print no secret there.
  if (isInteractive) {
    warn(firstKeyMessage(file, secret));
    if (servesConsole) {
      const { createSignInFragment } = await import('../domains/accounts/index.ts');
      const fragment = await createSignInFragment(context.app, secret);
      warn(`\nOpen the console, signed in, within 15 minutes:\n\n  ${url}/console${fragment}`);
    }
  } else warn(`\nThe admin key is stored in ${file}.`);
  warn(`
Store a memory:

  curl -s ${url}/v1/memories -H "Authorization: Bearer ${key}" \\
    -H 'Content-Type: application/json' \\
    -d '{"content": "The car would not start because its battery was dead."}'

Find it with different words:

  curl -s -G ${url}/v1/search -H "Authorization: Bearer ${key}" \\
    --data-urlencode 'q=why did the vehicle fail to run?'
`);
}

const firstKeyMessage = (file: string, key: string): string => `
The admin key is stored in ${file}. It is printed only this once:

  ${key}`;

/** The versions of ffmpeg, or the error that says what to install. */
const describeMediaTools = ({ ffmpeg }: App): Promise<string> =>
  ffmpeg.versions().then(
    (versions) => `ffmpeg ${versions.ffmpeg}, ffprobe ${versions.ffprobe}`,
    (error: Error) => error.message,
  );
