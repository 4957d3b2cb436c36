import type { Memory, UpdateSuggestion } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  OlderText,
  OutdatedText,
  SourceText,
} from '../../../packages/server/src/providers/language/index.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { day, openScriptedAccount, scriptedLanguage } from '../knowledge/scripted-extraction.ts';
import { createFrozenClock } from '../sessions/session-requests.ts';
import { runVerification } from '../verify/run-verification.ts';
import { listEvents, searchIds } from './memory-requests.ts';

const acmeText = 'person:Ana works_at organization:Acme sure 0.9';
const globexText = 'person:Ana works_at organization:Globex sure 0.8';

/** Texts that end with `!` outdate all older ones, as the comparison of texts sees it. */
const language = {
  ...scriptedLanguage,
  outdated: async ({ text }: SourceText, older: readonly OlderText[]) => ({
    model: 'scripted',
    value: older.flatMap((_, index): OutdatedText[] =>
      text.endsWith('!') ? [{ index, confidence: 0.6, reason: 'replaced' }] : [],
    ),
  }),
};

describe.each(engines)('suggestions of what known facts say, on %s', (engine) => {
  let service: Service;
  const clock = createFrozenClock();
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock, language } });
  });
  afterAll(() => service.stop());

  async function open() {
    const { worker, extractionWorker } = service.running.context;
    const settle = async (): Promise<void> => {
      await extractionWorker.drain();
      await worker.drain();
    };
    const extractAll = settle;
    const account = await openScriptedAccount({ service, clock, extractAll });
    const { client, remember } = account;
    const suggestions = async (
      { id }: Memory,
      status: UpdateSuggestion['status'] = 'open',
    ): Promise<UpdateSuggestion[]> =>
      (await client.memories.suggestions({ params: { id }, query: { status } })).data;
    return {
      ...account,
      settle,
      suggestions,
      /** The older memory first. */
      twoEmployers: async (fields: object = {}, newerFields: object = fields) => ({
        acme: await remember(acmeText, { occurred_at: day(-9), ...fields }),
        globex: await remember(globexText, { occurred_at: day(-2), ...newerFields }),
      }),
      events: async () =>
        (await listEvents(client, 'memory.update_suggested')).map(({ data }) => data),
    };
  }

  it('name the fact that has ended, in lists of both memories and one event', async () => {
    const { client, remember, suggestions, twoEmployers, events } = await open();
    const { acme, globex } = await twoEmployers();
    // .85 of the less certain statement.
    const pair = {
      newer_id: globex.id,
      older_id: acme.id,
      confidence: 0.68,
      reason: 'other_value',
    };
    const fact = { statement: acmeText, predicate: 'works_at', ended_at: day(-2) };
    const expected = [{ ...pair, fact, status: 'open', created_at: expect.any(String) }];
    expect(await suggestions(globex)).toEqual(expected);
    expect(await suggestions(acme)).toEqual(expected);
    // Who repeats it is not suggested, too.
    const repeated = await remember(`${globexText} still`, { occurred_at: day(-1) });
    expect(await suggestions(repeated)).toEqual([]);
    expect(await suggestions(acme)).toEqual(expected);
    expect(await events()).toEqual([pair]);
    expect((await searchIds(client, 'Ana works')).at(-1)).toBe(acme.id);
  });

  it('tell an end from another value', async () => {
    const { remember, suggestions } = await open();
    await remember(acmeText, { occurred_at: day(-9) });
    const left = await remember(`${acmeText} to 2026-02-27`, { occurred_at: day(-1) });
    expect(await suggestions(left)).toMatchObject([{ reason: 'ended', confidence: 0.765 }]);
  });

  it('need that no fact of the memory holds, and sure statements', async () => {
    const { remember, suggestions, events } = await open();
    const vim = 'person:Ana uses product:Vim sure 0.9';
    await remember(`${acmeText} ; ${vim}`, { occurred_at: day(-9) });
    await remember('person:Ben works_at organization:Acme', { occurred_at: day(-9) });
    const globex = await remember(globexText, { occurred_at: day(-2) });
    const unsure = await remember('person:Ben works_at organization:Globex');
    expect(await suggestions(globex)).toEqual([]);
    expect(await suggestions(unsure)).toEqual([]);
    // The end of the day is still to come.
    const late = await remember(`${vim} to 2026-03-02`);
    expect(await suggestions(late)).toEqual([]);
    expect(await events()).toEqual([]);
  });

  it('respect detect_updates: nothing when it is off, and apply suggests as well', async () => {
    const first = await open();
    const off = await first.twoEmployers({}, { detect_updates: 'off' });
    expect(await first.suggestions(off.globex)).toEqual([]);
    const second = await open();
    await second.client.account.update({ body: { settings: { detect_updates: 'off' } } });
    const { globex } = await second.twoEmployers();
    expect(await second.suggestions(globex)).toEqual([]);
    const third = await open();
    const applied = await third.twoEmployers({}, { detect_updates: 'apply' });
    expect(await third.suggestions(applied.globex)).toHaveLength(1);
    const links = { params: { memoryId: applied.globex.id }, query: {} };
    expect((await third.client.relationships.list(links)).total).toBe(0);
  });

  it('are not made across owners, spaces, of protected ones, by unverified mail', async () => {
    const { client, suggestions, twoEmployers, events } = await open();
    const { id: space_id } = await client.spaces.create({ body: { name: 'other' } });
    const newer = [
      await twoEmployers({ user_id: 'u1' }, { user_id: 'u2' }),
      await twoEmployers({ user_id: 'u3' }, { user_id: 'u3', agent_id: 'a' }),
      await twoEmployers({ user_id: 'u4' }, { user_id: 'u4', space_id }),
      await twoEmployers({ user_id: 'u5', protection_level: 'soft' }, { user_id: 'u5' }),
      await twoEmployers({ user_id: 'u6', protection_level: 'hard' }, { user_id: 'u6' }),
      await twoEmployers(
        { user_id: 'u7' },
        { user_id: 'u7', metadata: { source: 'email', email_verified: false } },
      ),
    ];
    for (const { globex } of newer) expect(await suggestions(globex)).toEqual([]);
    expect(await events()).toEqual([]);
    const { acme, globex } = await twoEmployers({ user_id: 'u8' });
    const { token } = await client.auth.createToken({ body: { user_id: 'u8' } });
    const seen = await service.client(token).memories.suggestions({ params: { id: acme.id } });
    expect(seen.data).toMatchObject([{ newer_id: globex.id, fact: { predicate: 'works_at' } }]);
  });

  it('are withdrawn once the fact holds again, and by a protection', async () => {
    const { client, suggestions, twoEmployers, settle, events } = await open();
    const { acme, globex } = await twoEmployers();
    const change = async (content: string) => {
      await client.memories.update({ params: { id: globex.id }, body: { content } });
      await settle();
    };
    await change('A quiet day.');
    expect(await suggestions(acme)).toEqual([]);
    expect((await searchIds(client, 'Ana works'))[0]).toBe(acme.id);
    await change(globexText);
    expect(await suggestions(acme)).toHaveLength(1);
    expect(await events()).toHaveLength(2);
    const protect = (protection_level: 'none' | 'soft') =>
      client.memories.protect({ params: { id: acme.id }, body: { protection_level } });
    await protect('soft');
    expect(await suggestions(globex)).toEqual([]);
    await protect('none');
    await client.memories.remove({ params: { id: globex.id }, query: { soft: false } });
    await settle();
    expect(await suggestions(acme)).toEqual([]);
  });

  it('stay dismissed, and are undone with the relationship once accepted', async () => {
    const { client, remember, suggestions, twoEmployers, settle, events } = await open();
    const { acme, globex } = await twoEmployers();
    const params = { id: globex.id, olderId: acme.id };
    const dismissed = await client.memories.dismissSuggestion({ params });
    expect(dismissed).toMatchObject({ status: 'dismissed', fact: { predicate: 'works_at' } });
    await remember(`${globexText} still`, { occurred_at: day(-1) });
    const body = { content: `${globexText} indeed` };
    await client.memories.update({ params: { id: globex.id }, body });
    await settle();
    expect(await suggestions(acme)).toEqual([]);
    expect(await suggestions(acme, 'dismissed')).toHaveLength(1);
    expect(await events()).toHaveLength(1);
    const accepted = await client.memories.acceptSuggestion({ params });
    expect(accepted).toMatchObject({ status: 'accepted', older_id: acme.id });
    const link = { sourceId: globex.id, targetId: acme.id, type: 'supersedes' };
    await client.relationships.remove({ params: link });
    await settle();
    expect(await suggestions(acme)).toEqual([]);
    expect(await suggestions(acme, 'accepted')).toMatchObject([{ newer_id: globex.id }]);
  });

  it('share the suggestion of the texts, and remain when that is withdrawn', async () => {
    const { client, suggestions, remember, settle, events } = await open();
    const acme = await remember(acmeText, { occurred_at: day(-9) });
    const globex = await remember(`${globexText} !`, { occurred_at: day(-2) });
    const byFact = { confidence: 0.68, reason: 'other_value' };
    expect(await suggestions(acme)).toMatchObject([{ newer_id: globex.id, ...byFact }]);
    expect(await events()).toHaveLength(1);
    const change = async (content: string) => {
      await client.memories.update({ params: { id: globex.id }, body: { content } });
      await settle();
    };
    await change(globexText);
    expect(await suggestions(acme)).toMatchObject([{ newer_id: globex.id, ...byFact }]);
    await change('Ana works and works!');
    const byText = { confidence: 0.6, reason: 'replaced', fact: null };
    expect(await suggestions(acme)).toMatchObject([byText]);
    await change('A quiet day.');
    expect(await suggestions(acme)).toEqual([]);
  });

  it('leave out what is superseded already, and what a memory is derived from', async () => {
    const { client, remember, suggestions, events } = await open();
    const acme = await remember(acmeText, { occurred_at: day(-9) });
    await remember(globexText, { occurred_at: day(-2), supersedes: [acme.id] });
    expect(await events()).toEqual([]);
    const source = await remember('person:Ben works_at organization:Acme sure 0.9', {
      occurred_at: day(-9),
    });
    const { extractionWorker } = service.running.context;
    extractionWorker.pause();
    const summary = await client.memories.create({
      body: { content: 'person:Ben works_at organization:Globex sure 0.9' },
    });
    await client.relationships.create({
      params: { memoryId: summary.id },
      body: { target_id: source.id, relationship_type: 'derived_from' },
    });
    await extractionWorker.drain();
    await service.running.context.worker.drain();
    extractionWorker.start();
    expect(await suggestions(source)).toEqual([]);
  });

  it('leave nothing inconsistent', async () => {
    const { id, twoEmployers } = await open();
    await twoEmployers();
    expect(await runVerification(service, { account_id: id })).toMatchObject({
      faults: [],
      outdated: 0,
    });
  });
});
