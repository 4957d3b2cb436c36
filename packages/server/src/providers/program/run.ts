import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../kernel/clock.ts';
import { killEscapedProcesses, runIdVariable } from './escaped-processes.ts';
import { killGroup, ProcessGroups } from './process-groups.ts';
import { buildSupervisedCommand, findLimitTools, type LimitTools } from './resource-limits.ts';

/** What a run may take of this machine; null: as much as it wants. */
export interface RunLimits {
  readonly timeoutMs: number;
  /** Seconds of processor time; held by the system where there is prlimit, as all that follow. */
  readonly cpuSeconds: number | null;
  /** Bytes of address space: right for a program that is known. */
  readonly addressBytes?: number;
  /** Bytes of memory that is written to: for any program, whatever it maps and reserves. */
  readonly memoryBytes?: number;
  /** Bytes of any file it writes. */
  readonly fileBytes?: number;
  /** Bytes of what it prints, with or without prlimit. */
  readonly outputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Also ends what has left its process group, found by a mark in its environment. */
  readonly killsEscaped?: boolean;
  /** Of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

interface RunResult {
  readonly stdout: Buffer;
  /** Seconds of processor time, as last seen; 0 where the system does not tell. */
  readonly cpuSeconds: number;
}

/** Runs a program without a shell and without input; see createRun. */
export type ProgramRunner = (
  program: string,
  args: readonly string[],
  limits: RunLimits,
) => Promise<RunResult>;

/** It failed, or was ended beyond a limit; `message` says why, with the last lines that it said. */
export class ProgramFailed extends Error {
  override readonly name = 'RunFailed';
  readonly reason: string;
  /** The end of what it wrote to its standard error. */
  readonly stderr: string;
  constructor(why: string, said = '') {
    super(said === '' ? why : `${why}: ${said}`);
    this.reason = why;
    this.stderr = said;
  }
}

const saidBytesMax = 8_192;
const pollMs = 100;
/** How long others may hold what an ended program prints to. */
const pipesMs = 1_000;

/**
 * Gives what runs a program and gives what it printed. Nothing of this process' environment is
 * passed on, and nothing that the program started outlives it, unless it leaves its process group
 * and `endsEscaped` is not set. It throws RunFailed, and the signal's reason when aborted.
 */
export function createProgramRunner(clock: Clock): ProgramRunner {
  const groups = new ProcessGroups();
  let holders: Promise<LimitTools> | undefined;
  let runs = 0;
  return async (program, args, limits) => {
    holders ??= findLimitTools();
    const [file = program, ...all] = [
      ...buildSupervisedCommand(limits, await holders),
      program,
      ...args,
    ];
    limits.signal?.throwIfAborted();
    runs += 1;
    const mark = limits.killsEscaped ? `${process.pid}.${runs}` : null;
    const child = spawn(file, all, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C', ...limits.env, ...(mark === null ? {} : { [runIdVariable]: mark }) },
    });
    await using _escaped = {
      [Symbol.asyncDispose]: async () => {
        if (mark !== null) await killEscapedProcesses(mark);
      },
    };
    using _group = groups.track(child);
    using spending = new CpuTimeMonitor(clock, child);
    return { stdout: await waitForResult(child, limits, clock), cpuSeconds: spending.seconds };
  };
}

async function waitForResult(
  child: ChildProcess,
  limits: RunLimits,
  clock: Clock,
): Promise<Buffer> {
  const printed: Buffer[] = [];
  let printedBytes = 0;
  let said = '';
  let broken: string | null = null;
  const end = (why: string): void => {
    broken ??= why;
    killGroup(child);
  };
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, timeout]) : timeout;
  const onAbort = (): void => end(timeout.aborted ? 'took too long' : 'was stopped');
  signal.addEventListener('abort', onAbort, { once: true });
  child.stdout?.on('data', (piece: Buffer) => {
    printedBytes += piece.length;
    if (printedBytes > limits.outputBytes) end('printed too much');
    else printed.push(piece);
  });
  child.stderr?.on('data', (piece: Buffer) => {
    said = (said + piece.toString('utf8')).slice(-saidBytesMax);
  });
  const exitCode = await waitForExit(child, clock).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
  limits.signal?.throwIfAborted();
  if (broken === null && exitCode === 0) return Buffer.concat(printed);
  const ending = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
  throw new ProgramFailed(broken ?? ending, said.trim());
}

/**
 * The exit code, once all that was printed is read. Others may hold the pipes of an ended program:
 * those of its group are ended after a while, and those outside are no longer listened to.
 */
async function waitForExit(child: ChildProcess, clock: Clock): Promise<number | null> {
  let timer: Disposable | undefined;
  child.once('exit', () => {
    timer = clock.after(pipesMs, () => {
      killGroup(child);
      timer = clock.after(pipesMs, () => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      });
    });
  });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return exitCode;
  } finally {
    timer?.[Symbol.dispose]();
  }
}

/** Ticks of a second in /proc, on every Linux that Node runs on. */
const ticksASecond = 100;

/** Looks every now and then at what a process has used: nobody tells once it is gone. */
class CpuTimeMonitor implements Disposable {
  seconds = 0;
  #timer: Disposable | undefined;
  readonly #clock: Clock;
  readonly #file: string;

  constructor(clock: Clock, { pid }: ChildProcess) {
    this.#clock = clock;
    this.#file = `/proc/${pid}/stat`;
    this.#plan();
  }

  #plan(): void {
    this.#timer = this.#clock.after(pollMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const told = await readFile(this.#file, 'latin1').catch(() => null);
    if (told === null || this.#timer === undefined) return;
    // After the name, which may hold anything: the state is the 3rd field, times the 14th, 15th.
    const fields = told.slice(told.lastIndexOf(')') + 2).split(' ');
    this.seconds = (Number(fields[11]) + Number(fields[12])) / ticksASecond;
    this.#plan();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
