import { type Clock, systemClock } from '../../../kernel/clock.ts';
import { Thread, ThreadStopped } from '../../../kernel/thread.ts';
import type { Extraction, SourceText } from '../text-analyzer.ts';

/**
 * Texts leave much that lives briefly: with the usual young generation the process holds 50 MB
 * more. The old one holds the word lists and what the most hostile of texts takes.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 };
/** No text that was met takes a tenth of it; one that does must not keep all others waiting. */
const timeoutMs = 60_000;

/**
 * Extracts in a thread of its own: a text takes milliseconds, a hostile one a second, in which
 * the event loop answers others. Texts are read in turn. The thread is made when it is first
 * needed, and anew after it has ended; the text that it was reading is rejected with ThreadStopped.
 */
export class Extractor implements AsyncDisposable {
  readonly #clock: Pick<Clock, 'after'>;
  #thread: Thread | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(clock: Pick<Clock, 'after'> = systemClock) {
    this.#clock = clock;
  }

  extract(source: SourceText): Promise<Extraction> {
    const read = this.#last.then(() => this.#read(source));
    this.#last = read.catch(() => undefined);
    return read;
  }

  async #read(source: SourceText): Promise<Extraction> {
    if (this.#isClosed) throw new ThreadStopped('Extraction has ended');
    this.#thread ??= new Thread(new URL('./thread-main.ts', import.meta.url), {
      name: 'mneme-extraction',
      resourceLimits,
      onFailure: () => {
        this.#thread = undefined;
      },
    });
    using _patience = this.#clock.after(timeoutMs, () => void this.#stop());
    return (await this.#thread.request(source)) as Extraction;
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
