import { expect, it } from 'vitest';
import { ThreadStopped } from '../../../kernel/thread.ts';
import { extract } from './extraction/extract.ts';
import { Extractor } from './extractor.ts';

const at = new Date('2026-05-04T12:00:00Z');
const source = { text: 'I met Ana Pires of Acme Corp. in Berlin yesterday.', at, speaker: 'Ben' };

it('a thread reads what is read here, several texts at once', async () => {
  await using extractor = new Extractor();
  const sources = [source, { text: 'Kafka needs it.', at }, { text: '', at }];
  const read = await Promise.all(sources.map((one) => extractor.extract(one)));
  expect(read).toEqual(sources.map((one) => extract(one)));
  expect(read[0]?.entities.map(({ name }) => name)).toContain('Ana Pires');
});

it('is made anew after it has ended', async () => {
  await using extractor = new Extractor();
  const [lost] = await Promise.allSettled([extractor.extract(source), extractor.stop()]);
  expect(lost).toMatchObject({ status: 'rejected', reason: expect.any(ThreadStopped) });
  expect(await extractor.extract(source)).toEqual(extract(source));
});
