import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Clock } from '../../kernel/clock.ts';
import { isRunnable } from './find.ts';

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
  /** Of its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Ran {
  readonly printed: Buffer;
  /** Seconds of processor time, as last seen; 0 where the system does not tell. */
  readonly cpuSeconds: number;
}

/** Those of them that the system holds. */
type SystemLimits = Partial<
  Pick<RunLimits, 'cpuSeconds' | 'addressBytes' | 'memoryBytes' | 'fileBytes'>
>;

/** Runs a program without a shell and without input; see createRun. */
export type Run = (program: string, args: readonly string[], limits: RunLimits) => Promise<Ran>;

/** It failed, or was ended beyond a limit; `message` has the last lines that it said. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed';
  readonly exitCode: number | null;
  constructor(message: string, exitCode: number | null) {
    super(message);
    this.exitCode = exitCode;
  }
}

const saidBytesMax = 8_192;
const prlimitPlace = '/usr/bin/prlimit';
const lookMs = 100;

/**
 * Gives what runs a program and gives what it printed. Nothing of this process' environment is
 * passed on. It throws RunFailed, and the signal's reason when aborted.
 */
export function createRun(clock: Clock): Run {
  return async (program, args, limits) => {
    const [file = program, ...all] = [...(await limitsBefore(limits)), program, ...args];
    limits.signal?.throwIfAborted();
    const child = spawn(file, all, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C', ...limits.env },
    });
    using spending = new Spending(clock, child);
    return { printed: await outcome(child, limits), cpuSeconds: spending.seconds };
  };
}

async function outcome(child: ChildProcess, limits: RunLimits): Promise<Buffer> {
  const printed: Buffer[] = [];
  let printedBytes = 0;
  let said = '';
  let broken: string | null = null;
  const end = (why: string): void => {
    broken ??= why;
    child.kill('SIGKILL');
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
  const exitCode = await ended(child).finally(() => signal.removeEventListener('abort', onAbort));
  limits.signal?.throwIfAborted();
  if (broken !== null) throw new RunFailed(`${broken}: ${said}`, exitCode);
  if (exitCode !== 0) throw new RunFailed(said.trim() || 'it was ended', exitCode);
  return Buffer.concat(printed);
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });

/** What stands before a program's name so that the system holds it; nothing without prlimit. */
export async function limitsBefore({
  cpuSeconds = null,
  addressBytes,
  memoryBytes,
  fileBytes,
}: SystemLimits): Promise<string[]> {
  if (!(await isRunnable(prlimitPlace))) return [];
  const held = ['--core=0'];
  if (cpuSeconds !== null) held.push(`--cpu=${Math.max(1, Math.ceil(cpuSeconds))}`);
  if (addressBytes !== undefined) held.push(`--as=${addressBytes}`);
  if (memoryBytes !== undefined) held.push(`--data=${memoryBytes}`);
  if (fileBytes !== undefined) held.push(`--fsize=${fileBytes}`);
  return [prlimitPlace, ...held, '--'];
}

/** Ticks of a second in /proc, on every Linux that Node runs on. */
const ticksASecond = 100;

/** Looks every now and then at what a process has used: nobody tells once it is gone. */
class Spending implements Disposable {
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
    this.#timer = this.#clock.after(lookMs, () => void this.#look());
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
