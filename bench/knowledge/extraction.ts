import { ApiClient, type ApiRequest, type ServerTarget } from '../api-client.ts';
import { BackgroundSearcher } from '../background-searcher.ts';
import { bulkCreateRequests, createMemoryRequest } from '../memory-requests.ts';
import { nowUs, type ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type InstallationOptions, type ServerName } from '../servers.ts';
import type { TextGenerator } from '../text-generator.ts';
import { ExtractionFollower } from './extraction-follower.ts';
import { pathologicalTexts } from './pathological-texts.ts';
import { memoryWithNames } from './sentences.ts';
import type { WorkloadSize } from './workload.ts';

export interface ExtractionFigures {
  readonly server: ServerName;
  readonly memories: number;
  /** From the last create on, until all were read. */
  readonly seconds: number;
  readonly idleMs: readonly number[];
  readonly busyMs: readonly number[];
  /** By poison: from its create until the memory after it was read. */
  readonly pathologicalMs: readonly (readonly [name: string, ms: number])[];
}

/** Many memories at once, read in the background while somebody searches; then poisoned ones. */
export async function measureExtraction(
  name: ServerName,
  options: InstallationOptions,
  extent: WorkloadSize,
  texts: TextGenerator,
): Promise<{ figures: ExtractionFigures; window: ProfileWindow }> {
  await using stack = new AsyncDisposableStack();
  const installation = stack.use(await createInstallation(name, options));
  const server = await installation.start();
  stack.defer(() => server.stop());
  const follower = new ExtractionFollower(server);
  const first = Array.from({ length: extent.initialMemories }, () => memoryWithNames(texts));
  await send(server, bulkCreateRequests(first));
  await follower.waitUntilCaughtUp();
  const searcher = stack.use(new BackgroundSearcher(server, first, texts));
  // A service that has run for a while: what is called often has been compiled.
  await searcher.run(() => searcher.count >= extent.searches / 3);
  const contents = Array.from({ length: extent.memories }, () => memoryWithNames(texts));
  const fromUs = nowUs();
  await send(server, bulkCreateRequests(contents));
  const begun = performance.now();
  let isRead = false;
  const reading = follower.waitUntilCaughtUp().finally(() => {
    isRead = true;
  });
  const busyMs = await searcher.run(() => isRead);
  await reading;
  const seconds = (performance.now() - begun) / 1_000;
  const toUs = nowUs();
  const idleMs = await searcher.run(() => searcher.count >= extent.searches);
  const poisonMs: [string, number][] = [];
  for (const [poison, text] of pathologicalTexts) {
    await send(server, [createMemoryRequest(text)]);
    const from = performance.now();
    await follower.waitUntilCaughtUp();
    poisonMs.push([poison, performance.now() - from]);
  }
  const memories = extent.memories;
  return {
    figures: { server: name, memories, seconds, idleMs, busyMs, pathologicalMs: poisonMs },
    window: { server: name, phase: 'reading', fromUs, toUs },
  };
}

/** On a connection of its own: one that idles for long may be closed while it is used again. */
async function send(server: ServerTarget, asks: readonly ApiRequest[]): Promise<void> {
  using connection = new ApiClient(server, 1);
  await connection.run(asks);
}
