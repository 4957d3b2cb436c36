import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../kernel/clock.ts';
import { Mutex } from '../../kernel/mutex.ts';
import { resolveScriptUrl } from '../../kernel/script-url.ts';
import { buildLimitCommand, findResourceLimitTools } from '../program/index.ts';
import type { ModelFailure, ModelRequest, ModelResponse } from './protocol.ts';

export interface ModelProcessSettings {
  /** Name in messages: "hub/whisper". */
  readonly name: string;
  /** Script that calls `serveModelRequests`. */
  readonly script: URL;
  /** Parameters for loading the model. */
  readonly task: unknown;
  /** Timeout of one request, including loading. */
  readonly timeoutMs: number;
  /** The process exits after this idle time; null: never. */
  readonly idleMs: number | null;
  /** Limit of writable memory in bytes, if prlimit is installed; null: unlimited. */
  readonly memoryBytes: number | null;
  /** Its complete environment; default: empty. Nothing of this process is inherited. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Error class of the provider; other errors are returned as a plain Error. */
  readonly ErrorClass: new (
    message: string,
    options: ErrorOptions & { unavailable?: boolean; isPermanent?: boolean },
  ) => Error;
}

/** Answers requests, which can be aborted. */
export interface ModelClient<Question, Answer> {
  /** @throws the signal's reason when it is aborted */
  request(question: Question, signal: AbortSignal): Promise<Answer>;
}

interface RunningProcess {
  readonly child: ChildProcess;
  /** Resolves with the reason when it exits. */
  readonly ended: Promise<string>;
}

/**
 * Idle time of models that are used occasionally: loading takes seconds, and a loaded model uses
 * hundreds of megabytes.
 */
export const occasionalModelIdleMs = 300_000;

/**
 * Runs a local model in a child process: its computation does not block the server, a crash fails
 * only one request, and an abort kills the process. Requests run one after the other. The process
 * starts on demand and exits after the idle time.
 */
export class ModelProcess<Question, Answer>
  implements ModelClient<Question, Answer>, AsyncDisposable
{
  readonly #settings: ModelProcessSettings;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #limitCommand: Promise<readonly string[]>;
  #running: RunningProcess | undefined;
  #idle: Disposable | undefined;
  readonly #mutex = new Mutex();
  #isClosed = false;

  constructor(settings: ModelProcessSettings, clock: Pick<Clock, 'after'>) {
    const { memoryBytes } = settings;
    this.#settings = settings;
    this.#clock = clock;
    const limits = memoryBytes === null ? {} : { memoryBytes };
    this.#limitCommand = findResourceLimitTools().then((limitTools) =>
      buildLimitCommand(limits, limitTools),
    );
  }

  request(question: Question, signal: AbortSignal): Promise<Answer> {
    return this.#mutex.run(() => this.#send(question, signal));
  }

  async #send(question: Question, signal: AbortSignal): Promise<Answer> {
    const { name, task, timeoutMs, idleMs, ErrorClass } = this.#settings;
    const limitCommand = await this.#limitCommand;
    signal.throwIfAborted();
    if (this.#isClosed) throw new ErrorClass(`${name} is closed`, { unavailable: true });
    this.#idle?.[Symbol.dispose]();
    this.#running ??= this.#start(limitCommand);
    const { child, ended } = this.#running;
    let isLate = false;
    using _timeout = this.#clock.after(timeoutMs, () => {
      isLate = true;
      void this.#stop();
    });
    const stop = (): void => void this.#stop();
    signal.addEventListener('abort', stop, { once: true });
    const response = new Promise<ModelResponse>((resolve) => child.once('message', resolve));
    // A failed send means that the process has exited, which `ended` reports.
    child.send({ task, input: question } satisfies ModelRequest, () => undefined);
    const outcome = await Promise.race([response, ended]);
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

  #start(limitCommand: readonly string[]): RunningProcess {
    const { env = {}, script: source } = this.#settings;
    const script = fileURLToPath(resolveScriptUrl(source));
    const [execPath, ...execArgv] = [...limitCommand, process.execPath];
    const child = fork(script, {
      ...{ execPath, execArgv, serialization: 'advanced' },
      // Nothing is written to stdin: closing it tells the child that this process has exited.
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
    await this.#mutex.waitForAll();
  }
}
