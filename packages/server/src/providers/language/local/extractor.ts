import { Thread } from '../../../kernel/thread.ts';
import type { Extraction, SourceText } from '../language.ts';

/**
 * Texts leave much that lives briefly: with the usual young generation the process holds 50 MB
 * more. The old one holds the word lists and what the most hostile of texts takes.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 192 };

/**
 * Extracts in a thread of its own: a text takes milliseconds, a hostile one a second, in which
 * the event loop answers others. The thread is made when it is first needed, and anew after it
 * has ended; what was asked of one that ends is rejected with ThreadStopped.
 */
export class Extractor implements AsyncDisposable {
  #thread: Thread | undefined;

  extract(source: SourceText): Promise<Extraction> {
    this.#thread ??= new Thread(new URL('./thread-main.ts', import.meta.url), {
      name: 'mneme-extraction',
      resourceLimits,
      onFailure: () => {
        this.#thread = undefined;
      },
    });
    return this.#thread.ask(source) as Promise<Extraction>;
  }

  /** What is being read is rejected; a later text has a thread again. */
  async stop(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
