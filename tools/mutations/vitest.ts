import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface VitestOptions {
  /** The woven copy. */
  readonly copy: string;
  readonly project: readonly string[];
  /** Absolute paths, or parts of paths; all files of the projects where empty. */
  readonly files: readonly string[];
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeLimitMs: number | null;
  /** Whether its output is shown while it runs. */
  readonly showsOutput: boolean;
}

export interface VitestResult {
  readonly code: number | null;
  readonly isTimedOut: boolean;
  /** What the JSON reporter wrote; null where Vitest ended before. */
  readonly report: VitestJsonReport | null;
  /** The end of its output. */
  readonly output: string;
  readonly seconds: number;
}

/** What is read of the report of Vitest's JSON reporter. */
export interface VitestJsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const outputCharactersMax = 4_000;
const endMs = 15_000;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const interruptedCode = 130;

/** Runs Vitest in the woven copy and waits for its end. */
export async function runVitest(options: VitestOptions): Promise<VitestResult> {
  const { copy, showsOutput } = options;
  const json = join(copy, '.report.json');
  rmSync(json, { force: true });
  const begun = performance.now();
  const child = spawn(process.execPath, toArguments(options, json), {
    cwd: copy,
    env: options.env,
    // A group of its own, so that its workers end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
      if (showsOutput) process.stderr.write(text);
    });
  }
  const { code, isTimedOut } = await waitForExit(child, options.timeLimitMs);
  killProcessesIn(copy);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const report = existsSync(json)
    ? (JSON.parse(readFileSync(json, 'utf8')) as VitestJsonReport)
    : null;
  return { code, isTimedOut, report, output, seconds };
}

const toArguments = ({ copy, project, files, flags }: VitestOptions, json: string) => [
  join(copy, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--config=tools/mutations/instrumented/vitest.config.ts',
  ...project.map((name) => `--project=${name}`),
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${json}`,
  ...flags,
  ...files,
];

async function waitForExit(child: ChildProcess, timeLimitMs: number | null) {
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  // A signal reaches this process only; what an interrupted run found is not kept.
  const interrupt = () => {
    signalGroup(child, 'SIGTERM');
    process.exit(interruptedCode);
  };
  for (const signal of signals) process.once(signal, interrupt);
  let isTimedOut = false;
  const timers: NodeJS.Timeout[] = [];
  if (timeLimitMs !== null) {
    const stop = (signal: NodeJS.Signals) => () => {
      isTimedOut = true;
      signalGroup(child, signal);
    };
    timers.push(setTimeout(stop('SIGTERM'), timeLimitMs));
    timers.push(setTimeout(stop('SIGKILL'), timeLimitMs + endMs));
  }
  const code = await ended.promise;
  for (const timer of timers) clearTimeout(timer);
  for (const signal of signals) process.off(signal, interrupt);
  return { code, isTimedOut };
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ends servers that outlived their test: they run in the copy. On Linux only. */
function killProcessesIn(copy: string): void {
  if (!existsSync('/proc')) return;
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      const folder = readlinkSync(`/proc/${pid}/cwd`);
      if (folder === copy) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}
