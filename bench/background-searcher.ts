import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient, type ServerTarget } from './api-client.ts';
import type { TextGenerator } from './text-generator.ts';

/** Between two searches: one who asks often, not a crowd. */
const pauseMs = 20;

/** One search after the other, with a pause between two, for words of what is known. */
export class BackgroundSearcher implements Disposable {
  readonly #connection: ApiClient;
  readonly #known: readonly string[];
  readonly #texts: TextGenerator;
  count = 0;

  constructor(server: ServerTarget, known: readonly string[], texts: TextGenerator) {
    this.#connection = new ApiClient(server, 1);
    this.#known = known;
    this.#texts = texts;
  }

  /** What each took, in ms. */
  async run(isOver: () => boolean): Promise<number[]> {
    const millis: number[] = [];
    this.count = 0;
    do {
      const of = this.#known[this.#texts.integerBelow(this.#known.length)] ?? '';
      const query = new URLSearchParams({ q: this.#texts.query(of) });
      const run = await this.#connection.run([{ method: 'GET', path: `/search?${query}` }]);
      millis.push(...run.latenciesMs);
      this.count += 1;
      await wait(pauseMs);
    } while (!isOver());
    return millis;
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}
