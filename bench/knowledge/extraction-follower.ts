import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient, type ServerTarget } from '../api-client.ts';
import { createMemoryRequest } from '../memory-requests.ts';
import { markerText } from './sentences.ts';

const pollMs = 50;
const timeoutMs = 600_000;

interface Page {
  readonly data: readonly { readonly data: { readonly memory_id: string } }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Somebody who follows which memories have been read, in the order in which they were. */
export class ExtractionFollower {
  readonly #server: ServerTarget;
  #cursor: string | null = null;
  #markers = 0;

  constructor(server: ServerTarget) {
    this.#server = server;
  }

  /** Stores a memory that names somebody, and waits until it was read: all before it were. */
  async waitUntilCaughtUp(): Promise<void> {
    this.#markers += 1;
    // Of its own each time: what idles for long is closed.
    using connection = new ApiClient(this.#server, 1);
    const made = await connection.run([createMemoryRequest(markerText(this.#markers))]);
    const { id } = made.responses[0] as { id: string };
    const begun = performance.now();
    for (let told = false; !told; ) {
      const { data, has_more, next_cursor } = await this.#page(connection);
      told = data.some((event) => event.data.memory_id === id);
      if (has_more) this.#cursor = next_cursor;
      else if (!told) await wait(pollMs);
      if (performance.now() - begun > timeoutMs) throw new Error('it takes too long');
    }
  }

  async #page(connection: ApiClient): Promise<Page> {
    const cursor = this.#cursor === null ? '' : `&cursor=${encodeURIComponent(this.#cursor)}`;
    const path = `/events?type=entity.extracted&limit=100${cursor}`;
    const { responses } = await connection.run([{ method: 'GET', path }]);
    return responses[0] as Page;
  }
}
