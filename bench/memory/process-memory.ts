import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import { createInstallation, type RunningServer } from '../servers.ts';
import { createTextGenerator } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';

/** MB. */
const bars = { empty: 250, start: 500, filled: 400 } as const;
const memories = 5_000;
const quickMemories = 200;
/** By then an idle process has returned what it does not need (`kernel/idle-memory.ts`). */
const releasedMs = 30_000;

/**
 * What the process of the embedded engine takes, as it is run in production: after a start, at
 * most during it, and after memories have been stored and read, without a start in between: at
 * once, and when it has been idle for a while.
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
    await wait(releasedMs);
    const released = await server.rss();
    say('');
    for (const [what, mb, bar] of [
      ['an empty server', currentMb, bars.empty],
      ['the peak of its start', peakMb, bars.start],
      [`after ${count} memories, half a minute later`, released.currentMb, bars.filled],
    ] as const) {
      say(renderVerdict(mb <= bar, `RSS of the process, ${what}: ${mb.toFixed(0)} MB (${bar})`));
    }
    say(
      `RSS of the process as soon as ${count} memories are read: ${filled.currentMb.toFixed(0)} MB`,
    );
  } finally {
    await server.stop();
  }
}

async function fill(server: RunningServer, texts: readonly string[]): Promise<void> {
  using client = new ApiClient(server, 2);
  await client.run(bulkCreateRequests(texts));
}
