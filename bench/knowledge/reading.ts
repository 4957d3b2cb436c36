import { addOne, bulksOf } from '../asks.ts';
import { type Ask, Connections, type Target } from '../client.ts';
import { nowUs, type Window } from '../profiled.ts';
import { Searcher } from '../searcher.ts';
import { type InstallOptions, install, type ServerName } from '../servers.ts';
import type { Texts } from '../texts.ts';
import type { Extent } from './extent.ts';
import { Follower } from './follow.ts';
import { poisons } from './poison.ts';
import { namingMemory } from './sentences.ts';

export interface ReadingFigures {
  readonly server: ServerName;
  readonly memories: number;
  /** From the last create on, until all were read. */
  readonly seconds: number;
  readonly idleMs: readonly number[];
  readonly busyMs: readonly number[];
  /** By poison: from its create until the memory after it was read. */
  readonly poisonMs: readonly (readonly [name: string, ms: number])[];
}

/** Many memories at once, read in the background while somebody searches; then poisoned ones. */
export async function measureReading(
  name: ServerName,
  options: InstallOptions,
  extent: Extent,
  texts: Texts,
): Promise<{ figures: ReadingFigures; window: Window }> {
  await using stack = new AsyncDisposableStack();
  const installation = stack.use(await install(name, options));
  const server = await installation.start();
  stack.defer(() => server.stop());
  const follower = new Follower(server);
  const first = Array.from({ length: extent.firstMemories }, () => namingMemory(texts));
  await send(server, bulksOf(first));
  await follower.caughtUp();
  const searcher = stack.use(new Searcher(server, first, texts));
  // A service that has run for a while: what is called often has been compiled.
  await searcher.run(() => searcher.count >= extent.searches / 3);
  const contents = Array.from({ length: extent.memories }, () => namingMemory(texts));
  const fromUs = nowUs();
  await send(server, bulksOf(contents));
  const begun = performance.now();
  let isRead = false;
  const reading = follower.caughtUp().finally(() => {
    isRead = true;
  });
  const busyMs = await searcher.run(() => isRead);
  await reading;
  const seconds = (performance.now() - begun) / 1_000;
  const toUs = nowUs();
  const idleMs = await searcher.run(() => searcher.count >= extent.searches);
  const poisonMs: [string, number][] = [];
  for (const [poison, text] of poisons) {
    await send(server, [addOne(text)]);
    const from = performance.now();
    await follower.caughtUp();
    poisonMs.push([poison, performance.now() - from]);
  }
  const memories = extent.memories;
  return {
    figures: { server: name, memories, seconds, idleMs, busyMs, poisonMs },
    window: { server: name, phase: 'reading', fromUs, toUs },
  };
}

/** On a connection of its own: one that idles for long may be closed while it is used again. */
async function send(server: Target, asks: readonly Ask[]): Promise<void> {
  using connection = new Connections(server, 1);
  await connection.run(asks);
}
