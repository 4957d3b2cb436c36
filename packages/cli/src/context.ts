import { type Client, createClient } from '@mneme/sdk';
import { CliError } from './errors.ts';
import { monotonicMs, sleep } from './kernel.ts';
import type { ProgressBar } from './progress.ts';
import { isServerInstalled, readFromServerProgram, runServerProgram } from './server-program.ts';
import { type CliSettings, findApiKey, isLoopbackUrl } from './settings.ts';

/** The dependencies of the commands; tests may pass their own. */
export interface CommandContext {
  /** A client with the API key of the settings. Throws CliError without a key. */
  client(): Promise<Client>;
  /** Where the service is, and the key. */
  settings(): CliSettings;
  /** The base URL of the service. */
  url(): string;
  /** A client without a key, for public routes. */
  publicClient(): Client;
  /** Runs a command of the server program and returns the JSON that it prints. */
  readFromServerProgram(parameters: readonly string[]): Promise<unknown>;
  /** Runs a command of the server program on this terminal and adopts its exit code. */
  runServerProgram(parameters: readonly string[]): Promise<void>;
  /** Whether the server program is installed here and `url()` is an address of this machine. */
  canCheckLocally(): boolean;
  readInput(): Promise<string>;
  /** The lines of stdin, as they arrive. */
  inputLines(): AsyncIterable<string>;
  /** Writes a line to stdout. */
  writeLine(line: string): void;
  /** Stdout, for binary output. */
  readonly output: NodeJS.WriteStream;
  writeStderrLine(line: string): void;
  setExitCode(code: number): void;
  /** Progress on stderr. */
  progress(): ProgressBar;
  sleep(ms: number): Promise<void>;
  monotonicMs(): number;
}

type Terminal = Pick<
  CommandContext,
  | 'readInput'
  | 'inputLines'
  | 'writeLine'
  | 'output'
  | 'writeStderrLine'
  | 'setExitCode'
  | 'progress'
>;

/** The clients do not retry: the user or the calling script decides about retries and timeouts. */
export function makeCommandContext(
  readSettings: () => CliSettings,
  terminal: Terminal,
): CommandContext {
  const connect = ({ url }: CliSettings, key: { apiKey?: string } = {}): Client =>
    createClient({ url, ...key, retries: 0, fetch: fetchFromMneme });
  return {
    ...terminal,
    sleep,
    monotonicMs,
    settings: readSettings,
    url: () => readSettings().url,
    readFromServerProgram,
    async runServerProgram(parameters) {
      terminal.setExitCode(await runServerProgram(parameters));
    },
    canCheckLocally: () => isServerInstalled() && isLoopbackUrl(readSettings()),
    publicClient: () => connect(readSettings()),
    async client() {
      const settings = readSettings();
      return connect(settings, { apiKey: await findApiKey(settings) });
    },
  };
}

/** Rejects responses of another web server at the same URL. */
async function fetchFromMneme(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const type = response.headers.get('content-type') ?? '';
  const isExpectedType = /[/+]json|^text\/event-stream|^application\/gzip/.test(type);
  if (!response.ok || response.status === 204 || isExpectedType) return response;
  await response.body?.cancel();
  throw new CliError(
    'unexpected_answer',
    `The server at ${response.url} is not Mneme. Check MNEME_URL.`,
  );
}

/** Prints one JSON value with `--json`, otherwise the lines. */
export function printResult(
  context: CommandContext,
  { json }: { readonly json?: boolean },
  value: unknown,
  lines: () => readonly string[],
): void {
  for (const line of json ? [JSON.stringify(value)] : lines()) context.writeLine(line);
}
