import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CommanderError } from 'commander';
import { makeCommandContext } from './context.ts';
import { apiTerms, renderError, UsageError } from './errors.ts';
import { stateFolderPath } from './evaluation/state-folder.ts';
import { readText, readTextFile } from './input.ts';
import { commandLineTerms } from './options.ts';
import { createStyle } from './output/style.ts';
import { configFilePath, readConfig } from './profiles/config-file.ts';
import { makeProgram } from './program.ts';
import { ProgressBar } from './progress.ts';
import { defaultServiceUrl, readCliSettings } from './settings.ts';
import { askLine, askSecret, writePage } from './terminal.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

const { stdin, stdout, stderr, env: environment } = process;
const streams = { stdin, stdout, stderr, environment };
const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

// A reader such as `head` closes the pipe early. Without this exit `events --follow` would
// continue without a reader.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.done);
});

const configFile = configFilePath(environment);
const progressOutput = {
  isTerminal: stderr.isTTY === true,
  write: (text: string) => void stderr.write(text),
};
let isInputRead = false;

/** Two values cannot both have the whole input. */
async function readInput(): Promise<string> {
  if (isInputRead) throw new UsageError('only one value can be read from stdin');
  isInputRead = true;
  return readText(stdin);
}

const context = makeCommandContext(
  (options) => readCliSettings(environment, options, () => readConfig(configFile)),
  {
    configFile,
    stateFolder: stateFolderPath(environment),
    readInput,
    input: stdin,
    inputLines: () => createInterface({ input: stdin }),
    readFile: readTextFile,
    isInteractive: stdin.isTTY === true && stderr.isTTY === true,
    ask: (question) => askLine(streams, question),
    askSecret: (question) => askSecret(streams, question),
    writeLine: (line) => void stdout.write(`${line}\n`),
    writePage: (lines) => writePage(streams, lines, program.opts<{ pager: boolean }>().pager),
    display: {
      width: stdout.isTTY ? stdout.columns || null : null,
      style: createStyle(stdout.isTTY === true, environment),
    },
    output: stdout,
    writeStderrLine: (line) => void stderr.write(`${line}\n`),
    setExitCode: (code) => {
      process.exitCode = code;
    },
    progress: () => new ProgressBar(progressOutput),
  },
  progressOutput,
);
const program = makeProgram(context, version);

/** The URL for error messages; the default when the settings are invalid. */
function serviceUrl(): string {
  try {
    return context.url();
  } catch {
    return defaultServiceUrl;
  }
}

/** Prints an error and returns the exit code. */
function reportError(error: unknown): number {
  // Commander has printed the message; `--help` and `--version` are not errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.misused;
  // `mneme api` has fields of the API instead of options.
  const terms = program.args[0] === 'api' ? apiTerms : commandLineTerms;
  const lines = renderError(error, serviceUrl(), terms);
  console.error(lines === null ? error : lines.join('\n'));
  return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
}

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = reportError(error);
}
