import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CliError } from './errors.ts';

/** The server's own program; there is none where the clients alone are installed. */
const serverProgramPath = fileURLToPath(new URL('../../server/bin/start.mjs', import.meta.url));

export const isServerInstalled = (): boolean => existsSync(serverProgramPath);

/**
 * Runs a command of the server's program with this process's settings, and returns the one JSON
 * value that it prints. Throws Fault with the program's own words where it fails.
 */
export async function readFromServerProgram(parameters: readonly string[]): Promise<unknown> {
  const child = spawnServerProgram([...parameters, '--json'], ['ignore', 'pipe', 'pipe']);
  const ended = waitForExit(child);
  const [output = '', faults = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  );
  const code = await ended;
  if (code === 0) return JSON.parse(output);
  const told = faults.trim().replace(/^mneme: /gm, '');
  throw new CliError('server_program_failed', told || `${serverProgramPath} ended with ${code}.`);
}

/**
 * Runs a command of the server's program on this terminal: its input, output and progress are ours,
 * and so is the exit code that this resolves with.
 */
export async function runServerProgram(parameters: readonly string[]): Promise<number> {
  const child = spawnServerProgram(parameters, 'inherit');
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  // The terminal sends Ctrl-C to both; this process waits for what the program makes of it.
  const wait = (): void => undefined;
  process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', wait);
  try {
    return await waitForExit(child);
  } finally {
    process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', wait);
  }
}

function spawnServerProgram(parameters: readonly string[], stdio: StdioOptions): ChildProcess {
  if (!isServerInstalled()) {
    throw new CliError(
      'no_server',
      `The server is not installed here: ${serverProgramPath} is missing.`,
    );
  }
  return spawn(process.execPath, [serverProgramPath, ...parameters], { stdio });
}

/** The exit code, as a shell gives it for a process that a signal ended. */
const waitForExit = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
