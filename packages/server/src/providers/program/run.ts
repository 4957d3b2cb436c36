import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../kernel/clock.ts';
import { killEscapedProcesses, runIdVariable } from './escaped-processes.ts';
import { killGroup, ProcessGroups } from './process-groups.ts';
import {
  buildSupervisedCommand,
  findResourceLimitTools,
  type ResourceLimitTools,
} from './resource-limits.ts';

/** Resource limits of a run; null: unlimited. */
export interface RunLimits {
  readonly timeoutMs: number;
  /**
   * Seconds of processor time; like the following limits, enforced only where prlimit is installed.
   */
  readonly cpuSeconds: number | null;
  /** Bytes of address space: suitable for known programs. */
  readonly addressBytes?: number;
  /**
   * Bytes of writable memory: suitable for any program, regardless of mapped and reserved memory.
   */
  readonly memoryBytes?: number;
  /** Maximum bytes of each written file. */
  readonly fileBytes?: number;
  /** Maximum bytes of output, with or without prlimit. */
  readonly outputBytes: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Also kills processes that left the process group, identified by a variable in their
   * environment.
   */
  readonly killsEscaped?: boolean;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

interface RunResult {
  readonly stdout: Buffer;
  /** Seconds of processor time at the last poll; 0 if the system does not report it. */
  readonly cpuSeconds: number;
}

/** Runs a program without a shell and without input; see createProgramRunner. */
export type ProgramRunner = (
  program: string,
  args: readonly string[],
  limits: RunLimits,
) => Promise<RunResult>;

/**
 * The program failed or exceeded a limit; `message` contains the reason and the end of its stderr.
 */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
  readonly reason: string;
  /** The end of its standard error. */
  readonly stderr: string;
  constructor(reason: string, stderr = '') {
    super(stderr === '' ? reason : `${reason}: ${stderr}`);
    this.reason = reason;
    this.stderr = stderr;
  }
}

const stderrBytesMax = 8_192;
const pollMs = 100;
/** How long other processes may keep the pipes of an exited program open. */
const pipeTimeoutMs = 1_000;

/**
 * Returns a function that runs a program and returns its output. The program inherits no
 * environment, and nothing that it starts outlives it, unless it leaves its process group and
 * `killsEscaped` is not set. The function throws ProgramFailed, and the signal's reason when
 * aborted.
 */
export function createProgramRunner(clock: Clock): ProgramRunner {
  const groups = new ProcessGroups();
  let limitTools: Promise<ResourceLimitTools> | undefined;
  let runs = 0;
  return async (program, args, limits) => {
    limitTools ??= findResourceLimitTools();
    const [file = program, ...all] = [
      ...buildSupervisedCommand(limits, await limitTools),
      program,
      ...args,
    ];
    limits.signal?.throwIfAborted();
    runs += 1;
    const runId = limits.killsEscaped ? `${process.pid}.${runs}` : null;
    const child = spawn(file, all, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C', ...limits.env, ...(runId === null ? {} : { [runIdVariable]: runId }) },
    });
    await using _escaped = {
      [Symbol.asyncDispose]: async () => {
        if (runId !== null) await killEscapedProcesses(runId);
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
  let stderr = '';
  let abortReason: string | null = null;
  const end = (reason: string): void => {
    abortReason ??= reason;
    killGroup(child);
  };
  const timeout = AbortSignal.timeout(limits.timeoutMs);
  const signal = limits.signal ? AbortSignal.any([limits.signal, timeout]) : timeout;
  const onAbort = (): void => end(timeout.aborted ? 'took too long' : 'was stopped');
  signal.addEventListener('abort', onAbort, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    printedBytes += chunk.length;
    if (printedBytes > limits.outputBytes) end('printed too much');
    else printed.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-stderrBytesMax);
  });
  const exitCode = await waitForExit(child, clock).finally(() =>
    signal.removeEventListener('abort', onAbort),
  );
  limits.signal?.throwIfAborted();
  if (abortReason === null && exitCode === 0) return Buffer.concat(printed);
  const ending = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
  throw new ProgramFailed(abortReason ?? ending, stderr.trim());
}

/**
 * Waits for the exit code until all output is read. Other processes may keep the pipes of an exited
 * program open: those of its group are killed after a timeout, and others are ignored.
 */
async function waitForExit(child: ChildProcess, clock: Clock): Promise<number | null> {
  let timer: Disposable | undefined;
  child.once('exit', () => {
    timer = clock.after(pipeTimeoutMs, () => {
      killGroup(child);
      timer = clock.after(pipeTimeoutMs, () => {
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

/** Ticks per second in /proc, on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Polls the processor time of a process, which is not available after it exits. */
class CpuTimeMonitor implements Disposable {
  seconds = 0;
  #timer: Disposable | undefined;
  readonly #clock: Clock;
  readonly #file: string;

  constructor(clock: Clock, { pid }: ChildProcess) {
    this.#clock = clock;
    this.#file = `/proc/${pid}/stat`;
    this.#schedule();
  }

  #schedule(): void {
    this.#timer = this.#clock.after(pollMs, () => void this.#poll());
  }

  async #poll(): Promise<void> {
    const stat = await readFile(this.#file, 'latin1').catch(() => null);
    if (stat === null || this.#timer === undefined) return;
    // After the name, which may contain any character: the state is the 3rd field, times the 14th,
    // 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    this.seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
    this.#schedule();
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
