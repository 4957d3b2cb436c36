import { createInterface } from 'node:readline';
import { PassThrough, Readable } from 'node:stream';
import { createClient } from '@mneme/sdk';
import { CommanderError } from 'commander';
import type { CommandContext } from './context.ts';
import { renderError, UsageError } from './errors.ts';
import { sleep } from './kernel.ts';
import { commandLineTerms } from './options.ts';
import { plainStyle } from './output/style.ts';
import { makeProgram } from './program.ts';
import { ProgressBar } from './progress.ts';

export interface SentRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly body?: unknown;
}

interface TestOptions {
  /** Answers a request with JSON, or with a response; by default with an empty object. */
  readonly respond?: (request: SentRequest) => unknown;
  /** A service that runs, in place of `respond`. */
  readonly service?: { readonly url: string; readonly apiKey: string };
  /** The answers of a person at a terminal; without them there is no terminal. */
  readonly answers?: readonly string[];
  readonly width?: number;
  readonly input?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly configFile?: string;
  readonly stateFolder?: string;
}

interface TestRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly SentRequest[];
  readonly questions: readonly string[];
  /** The labels of the progress. */
  readonly progress: readonly string[];
  /** The commands of the server program that ran. */
  readonly serverCommands: readonly string[];
}

/** Runs a command in this process, with a service that is a function, or with one that runs. */
export async function runInProcess(
  args: readonly string[],
  options: TestOptions = {},
): Promise<TestRun> {
  const requests: SentRequest[] = [];
  const questions: string[] = [];
  const [stdout, stderr, progress]: [string[], string[], string[]] = [[], [], []];
  const serverCommands: string[] = [];
  const recorder = { requests, questions, stdout, stderr, progress, serverCommands };
  const context = createTestContext(options, recorder);
  let code = 0;
  try {
    await makeProgram(context, '1.2.3').parseAsync(args, { from: 'user' });
  } catch (error) {
    code = error instanceof UsageError ? 2 : 1;
    if (error instanceof CommanderError) code = error.exitCode === 0 ? 0 : 2;
    else stderr.push(...(renderError(error, '', commandLineTerms) ?? [String(error)]));
  }
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
  const output = { stdout: text(stdout), stderr: text(stderr) };
  return { code, ...output, requests, questions, progress, serverCommands };
}

interface Recorder {
  readonly requests: SentRequest[];
  readonly questions: string[];
  readonly stdout: string[];
  readonly stderr: string[];
  readonly progress: string[];
  readonly serverCommands: string[];
}

function createTestContext(options: TestOptions, recorder: Recorder): CommandContext {
  const { respond = () => ({}), answers, width = null, input = '', files = {} } = options;
  const { requests, questions, stdout, stderr, progress } = recorder;
  const remaining = [...(answers ?? [])];
  const output = new PassThrough();
  output.on('data', (chunk: Buffer) => stdout.push(chunk.toString()));
  const { url, apiKey } = options.service ?? { url: 'http://mneme.test', apiKey: 'mnk_test' };
  const connect = () =>
    options.service ? createClient({ url, apiKey, retries: 0 }) : createRecordedClient();
  const createRecordedClient = () =>
    createClient({
      url,
      apiKey,
      retries: 0,
      fetch: async (url, init) => {
        const { pathname, search } = new URL(String(url));
        const { method = 'GET', body } = init ?? {};
        const sent = typeof body === 'string' ? { body: JSON.parse(body) } : {};
        const request = { method, path: `${pathname}${search}`, ...sent };
        requests.push(request);
        const answer = respond(request);
        return answer instanceof Response ? answer : Response.json(answer);
      },
    });
  const ask = async (question: string): Promise<string> => {
    questions.push(question);
    return remaining.shift() ?? '';
  };
  return {
    configure: () => undefined,
    client: async () => connect(),
    publicClient: connect,
    settings: () => ({ url, apiKey, keyFile: '' }),
    url: () => url,
    readFromServerProgram: async () => ({}),
    runServerProgram: async (parameters) => void recorder.serverCommands.push(parameters.join(' ')),
    canCheckLocally: () => false,
    readInput: async () => input.replace(/\n$/, ''),
    input: new Blob([input]).stream() as unknown as AsyncIterable<Uint8Array>,
    inputLines: () => createInterface({ input: Readable.from([input]) }),
    readFile: async (path) => files[path] ?? '',
    isInteractive: answers !== undefined,
    ask,
    askSecret: ask,
    configFile: options.configFile ?? null,
    stateFolder: options.stateFolder ?? null,
    writeLine: (line) => void stdout.push(line),
    writePage: async (lines) => void stdout.push(...lines),
    display: { width, style: plainStyle },
    output: output as unknown as NodeJS.WriteStream,
    writeStderrLine: (line) => void stderr.push(line),
    setExitCode: () => undefined,
    progress: () =>
      new ProgressBar({
        isTerminal: false,
        write: (line) => void progress.push(line.trimEnd().replace(/^.*%\s+/, '')),
      }),
    sleep: options.service ? sleep : async () => undefined,
    monotonicMs: () => 0,
    now: () => new Date('2026-03-10T12:00:00Z'),
  };
}
