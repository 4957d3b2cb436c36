import type { Extraction, FoundStatement, SourceText, SpeakerFact } from '@mneme/extraction';
import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { Mutex } from '../../../kernel/mutex.ts';
import { WorkerThread, WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import type { AnalysisRequest } from './thread-main.ts';
import type { TextPair } from './updates/find-outdated.ts';

/**
 * Texts create much short-lived data: the default young generation would use 50 MB more. The old
 * generation fits the word lists and the worst-case text.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 };
/** Known texts take less than a tenth of it; a slower one must not block the others. */
const timeoutMs = 60_000;

/**
 * Extracts in a worker thread: a text takes milliseconds, a hostile one up to a second, and the
 * event loop must not be blocked. Texts are processed sequentially. The thread starts when it is
 * first needed, and again after it has ended; the text in progress is rejected with
 * WorkerThreadStopped.
 */
export class Extractor implements AsyncDisposable {
  readonly #clock: Pick<Clock, 'after'>;
  #thread: WorkerThread | undefined;
  readonly #mutex = new Mutex();
  #isClosed = false;

  constructor(clock: Pick<Clock, 'after'> = systemClock) {
    this.#clock = clock;
  }

  extract(source: SourceText): Promise<Extraction> {
    return this.#request({ kind: 'extract', source }) as Promise<Extraction>;
  }

  /** What a text states that lasts. */
  findStatements(text: string): Promise<FoundStatement[]> {
    return this.#request({ kind: 'statements', text }) as Promise<FoundStatement[]>;
  }

  /** What the author of a text says of themselves. */
  findSpeakerFacts(text: string): Promise<SpeakerFact[]> {
    return this.#request({ kind: 'speaker', text }) as Promise<SpeakerFact[]>;
  }

  /** For each pair the log-odds that the newer text outdates the older one, by the network. */
  judgePairs(pairs: readonly TextPair[]): Promise<number[]> {
    return this.#request({ kind: 'judge', pairs }) as Promise<number[]>;
  }

  #request(request: AnalysisRequest): Promise<unknown> {
    return this.#mutex.run(() => this.#send(request));
  }

  async #send(request: AnalysisRequest): Promise<unknown> {
    if (this.#isClosed) throw new WorkerThreadStopped('Extraction has ended');
    this.#thread ??= new WorkerThread(new URL('./thread-main.ts', import.meta.url), {
      name: 'mneme-extraction',
      resourceLimits,
      onFailure: () => {
        this.#thread = undefined;
      },
    });
    using _timeout = this.#clock.after(timeoutMs, () => void this.#stop());
    return await this.#thread.request(request);
  }

  async #stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    return this.#stop();
  }
}
