import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CommanderError } from 'commander';
import { makeCommandContext } from './context.ts';
import { renderError } from './errors.ts';
import { readText } from './input.ts';
import { makeProgram } from './program.ts';
import { ProgressBar } from './progress.ts';
import { defaultServiceUrl, readCliSettings } from './settings.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

/** The URL for error messages; the default when the settings are invalid. */
function serviceUrl(): string {
  try {
    return readCliSettings(process.env).url;
  } catch {
    return defaultServiceUrl;
  }
}

const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

/** Prints an error and returns the exit code. */
function reportError(error: unknown): number {
  // Commander has printed the message; `--help` and `--version` are not errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.misused;
  const lines = renderError(error, serviceUrl());
  console.error(lines === null ? error : lines.join('\n'));
  return exitCodes.failed;
}

// A reader such as `head` closes the pipe early. Without this exit `events --follow` would
// continue without a reader.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.done);
});

const context = makeCommandContext(() => readCliSettings(process.env), {
  readInput: () => readText(process.stdin),
  inputLines: () => createInterface({ input: process.stdin }),
  writeLine: (line) => void process.stdout.write(`${line}\n`),
  output: process.stdout,
  writeStderrLine: (line) => void process.stderr.write(`${line}\n`),
  setExitCode: (code) => {
    process.exitCode = code;
  },
  progress: () =>
    new ProgressBar({
      isTerminal: process.stderr.isTTY,
      write: (text) => void process.stderr.write(text),
    }),
});

try {
  await makeProgram(context, version).parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error);
}
