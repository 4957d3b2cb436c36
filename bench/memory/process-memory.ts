import { ApiClient } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import { createInstallation, type RunningServer } from '../servers.ts';
import { createTextGenerator } from '../text-generator.ts';

/** MB. */
const bars = { empty: 250, start: 500, filled: 400 } as const;
const memories = 5_000;
const quickMemories = 200;

/**
 * What the process of the embedded engine takes, as it is run in production: after a start, at
 * most during it, and after memories have been stored and read, without a start in between.
 */
export async function measureProcess(
  options: BenchmarkOptions,
  vocabulary: Parameters<typeof createTextGenerator>[0],
  say: Print,
): Promise<void> {
  const count = options.quick ? quickMemories : memories;
  await using installation = await createInstallation('embedded', {
    databaseUrl: null,
    profileDir: null,
  });
  // A second start: the first one creates the database.
  await (await installation.start()).stop();
  const server = await installation.start();
  try {
    await server.waitUntilIdle();
    const { currentMb, peakMb } = await server.rss();
    const texts = createTextGenerator(vocabulary, 2);
    await fill(
      server,
      Array.from({ length: count }, () => texts.memory()),
    );
    await server.waitUntilIdle();
    const filled = await server.rss();
    say(`\nRSS of an empty server ≤ ${bars.empty} MB: ${verdict(currentMb, bars.empty)}`);
    say(`peak of its start ≤ ${bars.start} MB: ${verdict(peakMb, bars.start)}`);
    say(
      `RSS after ${count} memories ≤ ${bars.filled} MB: ${verdict(filled.currentMb, bars.filled)}`,
    );
  } finally {
    await server.stop();
  }
}

async function fill(server: RunningServer, texts: readonly string[]): Promise<void> {
  using client = new ApiClient(server, 2);
  await client.run(bulkCreateRequests(texts));
}

const verdict = (mb: number, bar: number): string =>
  `${mb.toFixed(0)} MB, ${mb <= bar ? 'held' : 'missed'}`;
