import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ExtractionWorker } from '../../../packages/server/src/domains/graph/index.ts';
import type { TextAnalyzer } from '../../../packages/server/src/providers/language/index.ts';
import { eventually } from '../../support/eventually.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { withoutTimers } from '../activation/session-requests.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { createFrozenClock } from '../sessions/session-requests.ts';
import { scriptedLanguage } from './scripted-extraction.ts';

/** A model that keeps a text until it is let go. */
function createSlow() {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const language: TextAnalyzer = {
    ...scriptedLanguage,
    async extract(source) {
      asked.push(source.text);
      if (source.text.includes('slow')) await new Promise<void>((go) => void held.push(go));
      return scriptedLanguage.extract(source);
    },
  };
  return {
    language,
    asked,
    held,
    release: () => {
      for (const go of held.splice(0)) go();
    },
  };
}

const tenSeconds = 10_000;

describe.each(engines)('the reading of an account on %s', (engine) => {
  let service: Service;
  let clock: FakeClock;
  let slow: ReturnType<typeof createSlow>;
  /** A clock whose timers never fire is a process that is too busy to renew anything. */
  const open = async (isBusy: boolean) => {
    const hand = createFrozenClock();
    clock = isBusy ? withoutTimers(hand) : hand;
    slow = createSlow();
    service = await startService(engine, { overrides: { clock, language: slow.language } });
    return service.running.context;
  };
  const leaseEnd = async (): Promise<number> => {
    const { rows } = await sql<{ at: Date | null }>`
      select max(lease_until) as at from extraction_cursors`.execute(
      service.running.context.app.engine.db,
    );
    return rows[0]?.at?.getTime() ?? 0;
  };

  it('is one process at a time, however long its model takes', async () => {
    const { app, extractionWorker } = await open(false);
    await using other = new ExtractionWorker(app);
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'person:Ana knows person:Ben slow' } });
    const reading = extractionWorker.drain();
    await eventually(
      async () => slow.held.length,
      (count) => count === 1,
    );
    for (let waited = 0; waited < 60; waited += 10) {
      clock.advance(tenSeconds);
      await eventually(leaseEnd, (at) => at > clock.now().getTime());
      await other.drain();
    }
    slow.release();
    await reading;
    await other.drain();
    expect(slow.asked).toHaveLength(1);
    expect((await client.knowledge.entities()).total).toBe(2);
    expect(await leaseEnd()).toBe(0);
    await service.stop();
  });

  it('that was lost meanwhile writes nothing: each change is told of once', async () => {
    const { app, extractionWorker } = await open(true);
    await using other = new ExtractionWorker(app);
    const { client } = await service.createAccount();
    await client.memories.create({ body: { content: 'person:Ana knows person:Ben slow' } });
    const first = extractionWorker.drain();
    await eventually(
      async () => slow.held.length,
      (count) => count === 1,
    );
    clock.advance(6 * tenSeconds);
    const second = other.drain();
    await eventually(
      async () => slow.held.length,
      (count) => count === 2,
    );
    slow.release();
    await Promise.all([first, second]);
    expect(slow.asked).toHaveLength(2);
    expect(await listEvents(client, 'entity.extracted')).toHaveLength(1);
    expect((await client.knowledge.entities()).total).toBe(2);
    await service.stop();
  });

  it('ends with its process, whatever its model still does, and the next one goes on', async () => {
    const { app } = await open(false);
    const { client } = await service.createAccount();
    const content = 'person:Ana knows person:Ben slow';
    await client.memories.create({ body: { content } });
    const stopped = new ExtractionWorker(app);
    const reading = stopped.drain();
    await eventually(
      async () => slow.held.length,
      (count) => count === 1,
    );
    await stopped[Symbol.asyncDispose]();
    await reading;
    await using next = new ExtractionWorker(app);
    const drained = next.drain();
    await eventually(
      async () => slow.held.length,
      (count) => count === 2,
    );
    slow.release();
    await drained;
    expect((await client.knowledge.entities()).total).toBe(2);
    expect(await listEvents(client, 'entity.extracted')).toHaveLength(1);
    await service.stop();
  });
});

describe.each(engines)('what cannot be read on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    const overrides = { clock: createFrozenClock(), language: scriptedLanguage };
    service = await startService(engine, { overrides });
  });
  afterAll(() => service.stop());
  const drain = () => service.running.context.extractionWorker.drain();
  /** No database takes a confidence that is no number. */
  const poison = 'person:Poison knows person:Nobody sure nothing';

  it('is left aside, with a line in the log, and the rest is read', async () => {
    const { client } = await service.createAccount();
    const other = (await service.createAccount()).client;
    const memories = Array.from({ length: 30 }, (_, i) => ({ content: `person:P${i}` }));
    memories.splice(10, 0, { content: poison });
    await client.memories.bulkCreate({ body: { memories } });
    await other.memories.create({ body: { content: 'person:Ana' } });
    await drain();
    expect((await other.knowledge.entities()).total).toBe(1);
    for (let tries = 1; tries < 4; tries += 1) await drain();
    const { entities, total } = await client.knowledge.entities();
    expect(total).toBe(30);
    expect(entities.map(({ name }) => name)).not.toContain('Poison');
    expect(
      service.logLines.filter((line) => line.includes('memories skipped by extraction')),
    ).toHaveLength(1);
    await client.memories.create({ body: { content: 'person:Later' } });
    await drain();
    expect((await client.knowledge.entities()).total).toBe(31);
  });

  it('is not what failed once, however many others did before it', async () => {
    const failed = new Set<string>();
    const language: typeof scriptedLanguage = {
      ...scriptedLanguage,
      extract: async (source) => {
        const isFirst = source.text.startsWith('person:Flaky') && !failed.has(source.text);
        failed.add(source.text);
        if (isFirst) throw new Error('a fault that passes');
        return scriptedLanguage.extract(source);
      },
    };
    const flaky = await startService(engine, {
      overrides: { clock: createFrozenClock(), language },
    });
    const { client } = await flaky.createAccount();
    const memories = Array.from({ length: 6 }, (_, i) => ({ content: `person:Flaky${i}` }));
    await client.memories.bulkCreate({ body: { memories } });
    for (let tries = 0; tries < 10; tries += 1)
      await flaky.running.context.extractionWorker.drain();
    expect((await client.knowledge.entities()).total).toBe(6);
    await flaky.stop();
  });

  it('is no name, however long: what is longer than a name names nobody', async () => {
    const { client } = await service.createAccount();
    const long = Array.from({ length: 5_000 }, (_, i) => i.toString(36)).join('x');
    const content =
      `person:${long} knows person:Ana; person:Ben knows person:Ana;` +
      `person:${'\uFDFA'.repeat(255)} knows person:Ben`;
    await client.memories.create({ body: { content } });
    await drain();
    const { entities } = await client.knowledge.entities();
    expect(entities.map(({ name }) => name.slice(0, 3))).toEqual([
      'Ana',
      'Ben',
      '\uFDFA'.repeat(3),
    ]);
    const ben = { id: entities[1]?.id ?? '' };
    expect((await client.knowledge.facts({ params: ben })).total).toBe(2);
    const made = await client.knowledge.create({
      body: { name: '\uFDFB'.repeat(255), type: 'organization' },
    });
    expect(made.name).toHaveLength(255);
  });
});
