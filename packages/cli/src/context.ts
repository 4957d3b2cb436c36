import { type Client, createClient } from '@mneme/sdk';
import { CliError } from './errors.ts';
import { monotonicMs, sleep } from './kernel.ts';
import type { Progress } from './progress.ts';
import { isServerInstalled, readFromServerProgram, runServerProgram } from './server-program.ts';
import { findKey, isThisMachine, type Settings } from './settings.ts';

/** What the commands need from outside; a test may put its own together. */
export interface Context {
  /** A client with the key of the settings; throws Fault where there is none. */
  client(): Promise<Client>;
  /** Where the service is looked for. */
  url(): string;
  /** A client without a key, for what is public. */
  publicClient(): Client;
  /** Runs a command of the server's own program; returns the JSON that it prints. */
  readFromServerProgram(parameters: readonly string[]): Promise<unknown>;
  /** Runs one on this terminal; the exit code becomes that of this process. */
  runServerProgram(parameters: readonly string[]): Promise<void>;
  /** Whether a service that does not answer can be checked by its files: both are here. */
  canCheckLocally(): boolean;
  readInput(): Promise<string>;
  writeLine(line: string): void;
  /** The output, for bytes. */
  readonly output: NodeJS.WriteStream;
  /** Beside the output. */
  writeStderrLine(line: string): void;
  setExitCode(code: number): void;
  /** Beside the output. */
  progress(): Progress;
  sleep(ms: number): Promise<void>;
  monotonicMs(): number;
}

type Terminal = Pick<
  Context,
  'readInput' | 'writeLine' | 'output' | 'writeStderrLine' | 'setExitCode' | 'progress'
>;

/** Nothing is retried here: a person, or a script with its own patience, waits for the answer. */
export function makeContext(readSettings: () => Settings, terminal: Terminal): Context {
  const connect = ({ url }: Settings, key: { apiKey?: string } = {}): Client =>
    createClient({ url, ...key, retries: 0, fetch: fetchFromMneme });
  return {
    ...terminal,
    sleep,
    monotonicMs,
    url: () => readSettings().url,
    readFromServerProgram,
    async runServerProgram(parameters) {
      terminal.setExitCode(await runServerProgram(parameters));
    },
    canCheckLocally: () => isServerInstalled() && isThisMachine(readSettings()),
    publicClient: () => connect(readSettings()),
    async client() {
      const settings = readSettings();
      return connect(settings, { apiKey: await findKey(settings) });
    },
  };
}

/** Another web server may answer at the URL: its pages must not be taken for answers. */
async function fetchFromMneme(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  const type = response.headers.get('content-type') ?? '';
  const isOurs = /[/+]json|^text\/event-stream|^application\/gzip/.test(type);
  if (!response.ok || response.status === 204 || isOurs) return response;
  await response.body?.cancel();
  throw new CliError('unexpected_answer', `What answers at ${response.url} is not Mneme.`);
}

/** Prints one JSON value, or the lines for people. */
export function printResult(
  context: Context,
  { json }: { readonly json?: boolean },
  value: unknown,
  lines: () => readonly string[],
): void {
  for (const line of json ? [JSON.stringify(value)] : lines()) context.writeLine(line);
}
