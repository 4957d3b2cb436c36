import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { runProgram } from './commands/program.ts';
import type { Terminal } from './commands/terminal.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const exitCodes = { failed: 1, misused: 2 } as const;

async function fail(error: unknown): Promise<never> {
  // Commander has printed the message; `--help` and `--version` are not errors.
  if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : exitCodes.misused);
  const { isUserFacingError } = await import('./commands/user-facing-errors.ts');
  console.error(isUserFacingError(error) ? `mneme: ${error.message}` : error);
  process.exit(exitCodes.failed);
}

// The service must not end when the reader of its output closes the pipe.
process.stdout.on('error', () => undefined);

const { stderr } = process;
const terminal: Terminal = {
  env: process.env,
  setVariables: (changes) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  },
  version,
  isInteractive: Boolean(stderr.isTTY),
  print: (line) => console.log(line),
  warn: (line) => console.warn(line),
  showProgress: (text) => {
    if (stderr.isTTY) stderr.write(`\r\u001b[K${text ?? ''}`);
  },
  setExitCode: (code) => {
    process.exitCode = code;
  },
  fail,
};

const parameters = process.argv.slice(2);

try {
  await runProgram(terminal, parameters.length === 0 ? ['start'] : parameters);
} catch (error) {
  await fail(error);
}
