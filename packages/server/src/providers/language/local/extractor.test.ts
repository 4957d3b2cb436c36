import { extractEntitiesAndFacts } from '@mneme/extraction';
import { expect, it } from 'vitest';
import { createFakeClock } from '../../../../../../test/support/fake-clock.ts';
import { WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import { Extractor } from './extractor.ts';

const at = new Date('2026-05-04T12:00:00Z');
const source = { text: 'I met Ana Pires of Acme Corp. in Berlin yesterday.', at, speaker: 'Ben' };
const stopped = { status: 'rejected', reason: expect.any(WorkerThreadStopped) };

it('the thread returns the same results, text by text', async () => {
  await using extractor = new Extractor();
  const sources = [source, { text: 'Kafka needs it.', at }, { text: '', at }];
  const read = await Promise.all(sources.map((one) => extractor.extract(one)));
  expect(read).toEqual(sources.map((one) => extractEntitiesAndFacts(one)));
  expect(read[0]?.entities.map(({ name }) => name)).toContain('Ana Pires');
});

it('a text that takes too long is rejected, and later ones are processed', async () => {
  const clock = createFakeClock();
  await using extractor = new Extractor(clock);
  const reading = Promise.allSettled([extractor.extract(source), extractor.extract(source)]);
  // The first text is being processed now.
  await Promise.resolve();
  clock.advance(60_000);
  const [lost, read] = await reading;
  expect(lost).toMatchObject(stopped);
  expect(read).toEqual({ status: 'fulfilled', value: extractEntitiesAndFacts(source) });
});

it('running and waiting texts are rejected on disposal', async () => {
  const extractor = new Extractor();
  const reading = Promise.allSettled([extractor.extract(source), extractor.extract(source)]);
  await Promise.resolve();
  await extractor[Symbol.asyncDispose]();
  expect(await reading).toMatchObject([stopped, stopped]);
});
