import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kernel/clock.ts';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import { buildLimitCommand, findLimitTools } from '../program/index.ts';
import type { ModelFailure, ModelRequest, ModelResponse } from './protocol.ts';

export interface ModelProcessSettings {
  /** As messages name it: "hub/whisper". */
  readonly name: string;
  /** TypeScript that calls `answerQuestions`. */
  readonly script: URL;
  /** What it loads the model by. */
  readonly task: unknown;
  /** For one question, loading included. */
  readonly timeoutMs: number;
  /** After so long without a question it ends; null: never. */
  readonly idleMs: number | null;
  /** Bytes of memory that it may write to, where there is prlimit; null: as much as it wants. */
  readonly memoryBytes: number | null;
  /** Its whole environment; left out: empty. Nothing of this process' is passed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The error of whose model it is; others come back as a plain Error. */
  readonly ErrorClass: new (
    message: string,
    options: ErrorOptions & { unavailable?: boolean; lasting?: boolean },
  ) => Error;
}

/** Something that answers questions and can be broken off. */
export interface ModelClient<Question, Answer> {
  /** @throws the signal's reason when it is aborted */
  request(question: Question, signal: AbortSignal): Promise<Answer>;
}

interface RunningProcess {
  readonly child: ChildProcess;
  /** Resolves once it has ended, to why. */
  readonly ended: Promise<string>;
}

/** Of models for now and then: loading takes seconds, what is loaded hundreds of megabytes. */
export const occasionalIdleMs = 300_000;

/**
 * A model of this machine in a process of its own: what it computes keeps no request waiting, its
 * crash is one failed question, and it can be broken off, by ending it. Questions are answered in
 * turn. The process is made when it is needed, and ends when nobody has asked for long.
 */
export class ModelProcess<Question, Answer>
  implements ModelClient<Question, Answer>, AsyncDisposable
{
  readonly #settings: ModelProcessSettings;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #before: Promise<readonly string[]>;
  #running: RunningProcess | undefined;
  #idle: Disposable | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(settings: ModelProcessSettings, clock: Pick<Clock, 'after'>) {
    const { memoryBytes } = settings;
    this.#settings = settings;
    this.#clock = clock;
    const limits = memoryBytes === null ? {} : { memoryBytes };
    this.#before = findLimitTools().then((holders) => buildLimitCommand(limits, holders));
  }

  request(question: Question, signal: AbortSignal): Promise<Answer> {
    const answered = this.#last.then(() => this.#answer(question, signal));
    this.#last = answered.catch(() => undefined);
    return answered;
  }

  async #answer(question: Question, signal: AbortSignal): Promise<Answer> {
    const { name, task, timeoutMs, idleMs, ErrorClass } = this.#settings;
    const before = await this.#before;
    signal.throwIfAborted();
    if (this.#isClosed) throw new ErrorClass(`${name} is closed`, { unavailable: true });
    this.#idle?.[Symbol.dispose]();
    this.#running ??= this.#start(before);
    const { child, ended } = this.#running;
    let isLate = false;
    using _patience = this.#clock.after(timeoutMs, () => {
      isLate = true;
      void this.#stop();
    });
    const stop = (): void => void this.#stop();
    signal.addEventListener('abort', stop, { once: true });
    const told = new Promise<ModelResponse>((resolve) => child.once('message', resolve));
    // What cannot be sent has nobody to read it: the process has ended, and that is heard of.
    child.send({ task, input: question } satisfies ModelRequest, () => undefined);
    const outcome = await Promise.race([told, ended]);
    signal.removeEventListener('abort', stop);
    if (typeof outcome === 'string') {
      signal.throwIfAborted();
      if (isLate) throw new ErrorClass(`${name} took too long`, {});
      const cause = new Error(`its process ended: ${outcome}`);
      throw new ErrorClass(`${name} was stopped`, { cause, unavailable: true });
    }
    if (idleMs !== null) this.#idle = this.#clock.after(idleMs, stop);
    if ('failed' in outcome) throw this.#errorOf(outcome.failed);
    return outcome.answer as Answer;
  }

  #start(before: readonly string[]): RunningProcess {
    const { env = {}, script: source } = this.#settings;
    const script = fileURLToPath(resolveScriptUrl(source));
    const [execPath, ...execArgv] = [...before, process.execPath];
    const child = fork(script, {
      ...{ execPath, execArgv, serialization: 'advanced' },
      // Its input is never written to: it tells the process that this one is there.
      stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
      env,
    });
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
      child.once('error', (error) => resolve(error.message));
    });
    const running = { child, ended };
    void ended.then(() => {
      if (this.#running === running) this.#running = undefined;
    });
    return running;
  }

  #errorOf({ name, message, inspected, ...rest }: ModelFailure): Error {
    const { ErrorClass } = this.#settings;
    const cause = new Error(message);
    cause.stack = inspected;
    return name === new ErrorClass('', {}).name
      ? new ErrorClass(message, { cause, ...rest })
      : cause;
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    running?.child.kill('SIGKILL');
    await running?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#idle?.[Symbol.dispose]();
    await this.#stop();
    await this.#last;
  }
}
