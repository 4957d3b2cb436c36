import type { Client } from '@mneme/sdk';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LongDocuments } from '../../../bench/retrieval/long-documents/document-parts.ts';
import { generateLongDocuments } from '../../../bench/retrieval/long-documents/generate.ts';
import { indexCache } from '../../../packages/server/src/domains/search-index/index.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { runVerification } from '../verify/run-verification.ts';

type TestAccount = Awaited<ReturnType<Service['createAccount']>>;

/** Paragraphs about one subject each, of which none has the words of a question below. */
const paragraphs = [
  'The roof of the barn was tiled anew in spring, and the gutters were cleaned. ',
  'Rehearsals of the choir take place in the annex while the hall is painted. ',
  'I can never eat prawns or mussels, they make my throat swell. Bread is fine. ',
  'The last train leaves at a quarter to midnight, except on public holidays. ',
];
/** About 1,000 words; its passages are about one subject each. */
const long = paragraphs.map((one) => `${one.repeat(18).trim()}\n\n`).join('');

/** The results carry the whole contents, of which some are long. */
const search = async (client: Client, q: string, limit = 5) =>
  onlyMemoryResults((await client.search.post({ body: { q, limit } })).results);

describe.each(oneEngine)('passages of long memories on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    // Standing timers: the worker encodes only when a test drains it.
    service = await startService(engine, {
      env: { MNEME_EMBEDDING_PROVIDER: 'encoder' },
      overrides: { clock: createFakeClock() },
    });
  });
  afterAll(() => service.stop());

  const drain = (): Promise<void> => service.running.context.encodingWorker.drain();

  async function storedPassages({ id }: TestAccount, memoryId: string) {
    const { rows } = await sql<{ bytes: number | null; lacks_passages: boolean }>`
      select length(passages) as bytes, lacks_passages from vectors
      where account_id = ${id}::uuid and document_id = ${memoryId}::uuid`.execute(
      service.running.context.app.engine.db,
    );
    return rows;
  }

  it('the hit names its passage: by words at once, by meaning once it is encoded', async () => {
    const account = await service.createAccount();
    const { client } = account;
    const { id } = await client.memories.create({ body: { content: long } });
    const [byWords] = await search(client, 'last train at midnight');
    expect(byWords?.passage?.text).toContain('The last train leaves');
    await drain();
    const [byMeaning] = await search(client, 'which seafood is dangerous for me');
    expect(byMeaning).toMatchObject({ id });
    expect(byMeaning?.passage?.text).toContain('prawns or mussels');
    expect(byMeaning?.highlight).toContain('prawns or mussels');
    // An index that is loaded again finds the same.
    indexCache.of(service.running.context.app).evict(account.id);
    expect(await search(client, 'which seafood is dangerous for me')).toMatchObject([
      { passage: byMeaning?.passage },
    ]);
  });

  it('offsets count UTF-16 code units and slice the content exactly', async () => {
    const { client } = await service.createAccount();
    const content = `🦊 ${'Füchse 狐 🦊🦊 leben hier. '.repeat(60)}\n\n${long}`;
    await client.memories.create({ body: { content } });
    const [hit] = await search(client, 'rehearsals of the choir');
    const { start = 0, end = 0, text } = hit?.passage ?? {};
    expect(content.slice(start, end)).toBe(text);
    expect(text).toContain('Rehearsals of the choir');
    expect(start).toBeGreaterThan(1_000);
  });

  it('a short memory is not divided', async () => {
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'The last train leaves at midnight.' } });
    expect((await search(client, 'last train'))[0]?.passage).toBeNull();
  });

  it('vectors of passages follow the content, and go with the memory', async () => {
    const account = await service.createAccount();
    const { client } = account;
    const { id } = await client.memories.create({ body: { content: long } });
    expect(await storedPassages(account, id)).toEqual([{ bytes: null, lacks_passages: true }]);
    await drain();
    const [first] = await storedPassages(account, id);
    expect(first).toMatchObject({ lacks_passages: false });
    expect((first?.bytes ?? 0) / 256).toBeGreaterThan(8);
    await client.memories.update({ params: { id }, body: { tags: ['kept'] } });
    expect(await storedPassages(account, id)).toEqual([first]);
    await client.memories.update({ params: { id }, body: { content: `${long}${long}` } });
    expect(await storedPassages(account, id)).toEqual([{ bytes: null, lacks_passages: true }]);
    await drain();
    expect((await storedPassages(account, id))[0]?.bytes).toBe(2 * (first?.bytes ?? 0));
    await client.memories.update({ params: { id }, body: { content: 'It is short now.' } });
    await drain();
    expect(await storedPassages(account, id)).toEqual([{ bytes: null, lacks_passages: false }]);
    expect(await runVerification(service, { account_id: account.id })).toMatchObject({
      faults: [],
    });
    await client.memories.remove({ params: { id }, query: { soft: false } });
    expect(await storedPassages(account, id)).toEqual([]);
  });

  it('a repeated analysis gets vectors for its own passages', async () => {
    const account = await service.createAccount();
    const { id } = await account.client.memories.create({ body: { content: long } });
    await drain();
    const [before] = await storedPassages(account, id);
    // As an earlier version stored it: divided otherwise, without vectors of passages.
    const { db } = service.running.context.app.engine;
    await sql`update documents set terms = '@0:0' || chr(10) || '3:0:20 barn 1' || chr(10)
      || '3:20:40 roof 1' where account_id = ${account.id}::uuid and id = ${id}::uuid`.execute(db);
    await sql`update vectors set passages = null, lacks_passages = true
      where account_id = ${account.id}::uuid`.execute(db);
    await drain();
    expect(await storedPassages(account, id)).toEqual([{ bytes: 512, lacks_passages: false }]);
    const found = await runVerification(service, { account_id: account.id });
    expect(found).toMatchObject({ outdated: 1, faults: [] });
    const repaired = await runVerification(service, { account_id: account.id, repair: true });
    expect(repaired).toMatchObject({ outdated: 0, repaired: 1 });
    await drain();
    expect(await storedPassages(account, id)).toEqual([before]);
  });

  it('a recall of a memory beyond the budget has the passage that answers', async () => {
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: long } });
    await drain();
    const query = 'which seafood is dangerous for me';
    const { context, memories } = await client.search.recall({ body: { query, max_tokens: 150 } });
    expect(context).toMatch(/\n….*I can never eat prawns/s);
    expect(memories[0]?.passage?.text).toContain('prawns or mussels');
  });
});

// What finds it is in the process: the engine only stores what the tests above read.
describe.each(oneEngine)('a memory of 10,000 words, among other long ones, on %s', (engine) => {
  let service: Service;
  let client: Client;
  let generated: LongDocuments;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    service = await startService(engine, {
      env: { MNEME_EMBEDDING_PROVIDER: 'static' },
      overrides: { clock: createFakeClock() },
    });
    ({ client } = await service.createAccount());
    generated = generateLongDocuments(3, { handbooks: 2, words: 10_000 });
    for (const { id, content } of generated.documents) {
      ids.set(id, (await client.memories.create({ body: { content } })).id);
    }
    await service.running.context.encodingWorker.drain();
  });

  afterAll(() => service.stop());

  const questions = (kind: string, step = 1) =>
    generated.questions.filter((one) => one.kind === kind).filter((_, i) => i % step === 0);

  /** The shares of documents in the first `k` hits, and of hits that name the right passage. */
  async function shares(asked: LongDocuments['questions'], k: number) {
    let [found, named] = [0, 0];
    for (const { text, documentId, answer } of asked) {
      const hits = await search(client, text, k);
      const hit = hits.find(({ id }) => id === ids.get(documentId));
      if (hit) found += 1;
      if (hit?.passage?.text.includes(answer)) named += 1;
    }
    return { found: found / asked.length, named: named / asked.length };
  }

  it('each paragraph finds it by its own text, and is the passage', async () => {
    const [handbook] = generated.documents;
    const texts = (handbook?.content ?? '').split('\n\n').filter((one) => !one.startsWith('#'));
    expect(texts.length).toBeGreaterThan(120);
    let first = 0;
    for (const text of texts) {
      const hits = await search(client, text, 2);
      const hit = hits.find(({ id }) => id === ids.get(handbook?.id ?? ''));
      expect(hit?.passage?.text).toContain(text.slice(0, 60));
      expect(hit?.score).toBeGreaterThanOrEqual(0.9);
      if (hits[0] === hit) first += 1;
    }
    expect(first / texts.length).toBeGreaterThanOrEqual(0.98);
  });

  it('each paragraph finds it by a question in its words', async () => {
    const { found, named } = await shares(questions('words'), 3);
    expect(found).toBe(1);
    expect(named).toBeGreaterThanOrEqual(0.99);
  });

  it('paragraphs find it by a question in other words', async () => {
    const { found, named } = await shares(questions('meaning'), 5);
    expect(found).toBeGreaterThanOrEqual(0.9);
    expect(named).toBeGreaterThanOrEqual(0.7);
  });

  it('rows, entries of logs, list items and functions find theirs', async () => {
    const all = ['table', 'list', 'code', 'log'].flatMap((kind) => questions(kind));
    const { found, named } = await shares(all, 10);
    expect(found).toBeGreaterThanOrEqual(0.9);
    expect(named).toBeGreaterThanOrEqual(0.5);
  });
});
