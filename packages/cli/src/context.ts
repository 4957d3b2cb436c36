import { type Client, createClient } from '@mneme/sdk';
import { CliError } from './errors.ts';
import { monotonicMs, sleep, systemNow } from './kernel.ts';
import type { Display } from './output/describe.ts';
import type { ProgressBar, ProgressOutput } from './progress.ts';
import { isServerInstalled, readFromServerProgram, runServerProgram } from './server-program.ts';
import { type CliSettings, findApiKey, type GlobalOptions, isLoopbackUrl } from './settings.ts';
import { withSpinner } from './spinner.ts';

interface ClientOptions {
  /** Accepts responses of any media type, such as recordings. */
  readonly acceptsAnyType?: boolean;
  /** The caller shows the progress itself. */
  readonly showsProgress?: boolean;
}

/** What a process offers to the commands. */
interface ContextTerminal {
  readInput(): Promise<string>;
  /** The bytes of stdin. */
  readonly input: AsyncIterable<Uint8Array>;
  /** The lines of stdin, as they arrive. */
  inputLines(): AsyncIterable<string>;
  readFile(path: string): Promise<string>;
  /** Whether a person can answer: stdin and stderr are a terminal. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
  /** Like `ask`, without showing the answer. */
  askSecret(question: string): Promise<string>;
  /** The file with the profiles; null if the user has no folder for configuration. */
  readonly configFile: string | null;
  /** The folder for saved results; null if the user has none. */
  readonly stateFolder: string | null;
  /** Writes a line to stdout. */
  writeLine(line: string): void;
  /** Writes lines to stdout, on a terminal through a pager if they are many. */
  writePage(lines: readonly string[]): Promise<void>;
  readonly display: Display;
  /** Stdout, for binary output. */
  readonly output: NodeJS.WriteStream;
  writeStderrLine(line: string): void;
  setExitCode(code: number): void;
  /** Progress on stderr. */
  progress(): ProgressBar;
}

/** The dependencies of the commands; tests may pass their own. */
export interface CommandContext extends ContextTerminal {
  /** Applies the options that every command accepts. */
  configure(options: GlobalOptions): void;
  /** A client with the API key of the settings. Throws CliError without a key. */
  client(options?: ClientOptions): Promise<Client>;
  /** Where the service is, and the key. */
  settings(): CliSettings;
  /** The base URL of the service. */
  url(): string;
  /** A client without a key, for public routes, or with this URL and key. */
  publicClient(connection?: { readonly url: string; readonly apiKey: string }): Client;
  /** Runs a command of the server program and returns the JSON that it prints. */
  readFromServerProgram(parameters: readonly string[]): Promise<unknown>;
  /** Runs a command of the server program on this terminal and adopts its exit code. */
  runServerProgram(parameters: readonly string[]): Promise<void>;
  /** Whether the server program is installed here and `url()` is an address of this machine. */
  canCheckLocally(): boolean;
  sleep(ms: number): Promise<void>;
  monotonicMs(): number;
  now(): Date;
}

/** The clients do not retry: the user or the calling script decides about retries and timeouts. */
export function makeCommandContext(
  readSettings: (options: GlobalOptions) => CliSettings,
  terminal: ContextTerminal,
  progressOutput: ProgressOutput,
): CommandContext {
  let options: GlobalOptions = {};
  const settings = (): CliSettings => readSettings(options);
  const connect = (
    { url }: Pick<CliSettings, 'url'>,
    {
      acceptsAnyType = false,
      showsProgress = false,
      ...key
    }: ClientOptions & { apiKey?: string } = {},
  ): Client =>
    createClient({
      url,
      ...key,
      retries: 0,
      fetch: (...request) => {
        const response = fetchFromMneme(acceptsAnyType, ...request);
        return showsProgress ? response : withSpinner(progressOutput, response);
      },
    });
  return {
    ...terminal,
    sleep,
    monotonicMs,
    now: systemNow,
    configure: (given) => {
      options = given;
    },
    settings,
    url: () => settings().url,
    readFromServerProgram,
    async runServerProgram(parameters) {
      terminal.setExitCode(await runServerProgram(parameters));
    },
    canCheckLocally: () => isServerInstalled() && isLoopbackUrl(settings()),
    publicClient: (connection) =>
      connection ? connect(connection, { apiKey: connection.apiKey }) : connect(settings()),
    async client(clientOptions = {}) {
      const current = settings();
      return connect(current, { ...clientOptions, apiKey: await findApiKey(current) });
    },
  };
}

/** Rejects responses of another web server at the same URL. */
async function fetchFromMneme(
  acceptsAnyType: boolean,
  ...request: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetch(...request);
  const type = response.headers.get('content-type') ?? '';
  const isExpectedType = /[/+]json|^text\/event-stream|^application\/gzip/.test(type);
  if (acceptsAnyType || !response.ok || response.status === 204 || isExpectedType) return response;
  await response.body?.cancel();
  throw new CliError(
    'unexpected_answer',
    `The server at ${response.url} is not Mneme. Check MNEME_URL.`,
  );
}

/** Prints one JSON value with `--json`, one for each record with `--jsonl`, otherwise the lines. */
export function printResult(
  context: CommandContext,
  { json, jsonl }: { readonly json?: boolean; readonly jsonl?: boolean },
  value: unknown,
  lines: () => readonly string[],
): void {
  const values = jsonl && Array.isArray(value) ? value : [value];
  const printed =
    json || jsonl ? (json ? [value] : values).map((one) => JSON.stringify(one)) : lines();
  for (const line of printed) context.writeLine(line);
}
