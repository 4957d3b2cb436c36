import type { Client } from '@mneme/sdk';
import { createMemory } from '../memories/memory-requests.ts';

/** As many as leave the backup a share of the processor. */
const writers = 4;
/** Then a writer changes what it has: the database stays small however long a test takes. */
const createdMax = 5;

export interface WriteLoad {
  /** Ends all writers, and throws what one of them was refused. */
  stop(): Promise<void>;
}

let loads = 0;

/**
 * Writers at the same time, until they are stopped or the server is gone.
 * @param ids gets the id of each memory that was acknowledged
 */
export function startWriteLoad(client: Client, ids: string[]): WriteLoad {
  loads += 1;
  const load = loads;
  let isOver = false;
  const write = async (writer: number): Promise<void> => {
    const own: string[] = [];
    const step = async (i: number): Promise<void> => {
      const content = `Note ${i} of writer ${writer} in load ${load} about the harbour.`;
      if (own.length < createdMax) {
        const { id } = await createMemory(client, content);
        own.push(id);
        ids.push(id);
      } else {
        const id = own[i % createdMax] ?? '';
        await client.memories.update({ params: { id }, body: { content } });
      }
    };
    try {
      for (let i = 0; !isOver; i += 1) await step(i);
    } catch (error) {
      // The connection is lost: the server was killed.
      if (!(error instanceof TypeError)) throw error;
    }
  };
  const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  all.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await all;
    },
  };
}
