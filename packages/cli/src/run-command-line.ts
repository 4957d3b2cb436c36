import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { format } from 'node:util';
import { CommanderError } from 'commander';
import { type CommandContext, makeCommandContext } from './context.ts';
import { apiTerms, renderError, UsageError } from './errors.ts';
import { stateFolderPath } from './evaluation/state-folder.ts';
import { readText, readTextFile } from './input.ts';
import { commandLineTerms } from './options.ts';
import { createStyle } from './output/style.ts';
import { configFilePath, readConfig } from './profiles/config-file.ts';
import { makeProgram } from './program.ts';
import { ProgressBar } from './progress.ts';
import { defaultServiceUrl, readCliSettings } from './settings.ts';
import { askLine, askSecret, type ProcessStreams, writePage } from './terminal.ts';

const { version } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { version: string };

export const exitCodes = { done: 0, failed: 1, misused: 2 } as const;

/**
 * Runs one command with what a process offers, and resolves with the exit code.
 * @param args without the program: `['search', 'tea']`
 */
export async function runCommandLine(
  args: readonly string[],
  streams: ProcessStreams,
): Promise<number> {
  let exitCode: number = exitCodes.done;
  const context = createContext(
    streams,
    () => program.opts<{ pager: boolean }>().pager,
    (code) => {
      exitCode = code;
    },
  );
  const program = makeProgram(context, version);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed the message; `--help` and `--version` are not errors.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode : exitCodes.misused;
    // `mneme api` has fields of the API instead of options.
    const terms = program.args[0] === 'api' ? apiTerms : commandLineTerms;
    const lines = renderError(error, serviceUrl(context), terms);
    streams.stderr.write(`${lines === null ? format(error) : lines.join('\n')}\n`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.failed;
  }
}

function createContext(
  streams: ProcessStreams,
  usesPager: () => boolean,
  setExitCode: (code: number) => void,
): CommandContext {
  const { stdin, stdout, stderr, environment } = streams;
  const configFile = configFilePath(environment);
  const progressOutput = {
    isTerminal: stderr.isTTY === true,
    write: (text: string) => void stderr.write(text),
  };
  let isInputRead = false;
  /** Two values cannot both have the whole input. */
  const readInput = async (): Promise<string> => {
    if (isInputRead) throw new UsageError('only one value can be read from stdin');
    isInputRead = true;
    return readText(stdin);
  };
  return makeCommandContext(
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
      writePage: (lines) => writePage(streams, lines, usesPager()),
      display: {
        width: stdout.isTTY ? stdout.columns || null : null,
        style: createStyle(stdout.isTTY === true, environment),
      },
      output: stdout,
      writeStderrLine: (line) => void stderr.write(`${line}\n`),
      setExitCode,
      progress: () => new ProgressBar(progressOutput),
    },
    progressOutput,
  );
}

/** The URL for error messages; the default when the settings are invalid. */
function serviceUrl(context: CommandContext): string {
  try {
    return context.url();
  } catch {
    return defaultServiceUrl;
  }
}
