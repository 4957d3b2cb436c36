import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { CliError } from './errors.ts';

/** The server program; it is missing where only the clients are installed. */
const serverProgramPath = fileURLToPath(new URL('../../server/bin/start.mjs', import.meta.url));

export const isServerInstalled = (): boolean => existsSync(serverProgramPath);

/**
 * Runs a command of the server program with the environment of this process and returns the JSON
 * value that it prints. Throws CliError `server_program_failed` with the program's error message.
 */
export async function readFromServerProgram(parameters: readonly string[]): Promise<unknown> {
  const child = spawnServerProgram([...parameters, '--json'], ['ignore', 'pipe', 'pipe']);
  const ended = waitForExit(child);
  const [output = '', errorOutput = ''] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : '')),
  );
  const code = await ended;
  if (code === 0) return JSON.parse(output);
  const message = errorOutput.trim().replace(/^mneme: /gm, '');
  throw new CliError(
    'server_program_failed',
    message || `${serverProgramPath} failed with exit code ${code}.`,
  );
}

/** Runs a command of the server program on this terminal and returns its exit code. */
export async function runServerProgram(parameters: readonly string[]): Promise<number> {
  const child = spawnServerProgram(parameters, 'inherit');
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  // The terminal sends Ctrl-C to both processes; this one waits until the child handles it.
  const ignore = (): void => undefined;
  process.on('SIGTERM', forward).on('SIGHUP', forward).on('SIGINT', ignore);
  try {
    return await waitForExit(child);
  } finally {
    process.off('SIGTERM', forward).off('SIGHUP', forward).off('SIGINT', ignore);
  }
}

/**
 * Runs a command of the server program that outlives this process. Its output goes to the file; the
 * result says when it has ended, while this process runs. Throws CliError `no_server`.
 */
export function spawnServerInBackground(
  parameters: readonly string[],
  { outputFile, workingFolder }: { outputFile: number; workingFolder: string | undefined },
): { readonly hasEnded: boolean } {
  requireServerInstalled();
  const child = spawn(process.execPath, [serverProgramPath, ...parameters], {
    stdio: ['ignore', outputFile, outputFile],
    detached: true,
    windowsHide: true,
    ...(workingFolder === undefined ? {} : { cwd: workingFolder }),
  });
  const state = { hasEnded: false };
  const end = (): void => {
    state.hasEnded = true;
  };
  child.once('error', end).once('exit', end).unref();
  return state;
}

function spawnServerProgram(parameters: readonly string[], stdio: StdioOptions): ChildProcess {
  requireServerInstalled();
  return spawn(process.execPath, [serverProgramPath, ...parameters], { stdio });
}

function requireServerInstalled(): void {
  if (isServerInstalled()) return;
  throw new CliError(
    'no_server',
    `The server is not installed on this machine: ${serverProgramPath} does not exist.`,
  );
}

/** The exit code; 128 plus the signal number after a signal, as in a shell. */
const waitForExit = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
