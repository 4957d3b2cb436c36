import type { Memory, UpdateSuggestion } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  OlderText,
  OutdatedText,
  SourceText,
} from '../../../packages/server/src/providers/language/index.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { scriptedLanguage } from '../knowledge/scripted-extraction.ts';
import { absentId, expectError, listEvents, searchIds } from './memory-requests.ts';

/** A text "… trumps TEXT with .83" outdates the older texts that contain TEXT. */
function scriptOutdated(newer: SourceText, older: readonly OlderText[]): OutdatedText[] {
  const [, ended, confidence] = /trumps (.+) with (\.\d+)/.exec(newer.text) ?? [];
  if (ended === undefined) return [];
  return older.flatMap(({ text }, index): OutdatedText[] =>
    text.includes(ended) ? [{ index, confidence: Number(confidence), reason: 'replaced' }] : [],
  );
}

const language = {
  ...scriptedLanguage,
  outdated: async (newer: SourceText, older: readonly OlderText[]) => ({
    model: 'scripted',
    value: scriptOutdated(newer, older),
  }),
};

describe.each(engines)('suggestions of updates on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { language } });
  });
  afterAll(() => service.stop());

  async function open() {
    const account = await service.createAccount();
    const { client } = account;
    return {
      ...account,
      /** Stores a memory; the background pass has judged it. */
      async store(content: string, fields: object = {}): Promise<Memory> {
        const memory = await client.memories.create({ body: { content, ...fields } });
        await service.running.context.extractionWorker.drain();
        return memory;
      },
      suggestions: async (id: string, status?: UpdateSuggestion['status']) =>
        (
          await client.memories.suggestions({
            params: { id },
            ...(status && { query: { status } }),
          })
        ).data,
    };
  }
  const outdatedBy = async (client: Client, id: string): Promise<string | null> =>
    (await client.memories.get({ params: { id } })).outdated_by;

  const olderText = 'The kettle tea plan is Assam, said Ben.';
  const newerText = 'The kettle tea plan trumps Assam with .83';

  it('lists what is found in the background, of both memories, and publishes it once', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    const pair = { newer_id: newer.id, older_id: older.id, confidence: 0.83, reason: 'replaced' };
    const expected = [{ ...pair, fact: null, status: 'open', created_at: expect.any(String) }];
    expect(await suggestions(newer.id)).toEqual(expected);
    expect(await suggestions(older.id)).toEqual(expected);
    expect(await suggestions(older.id, 'dismissed')).toEqual([]);
    expect(await outdatedBy(client, older.id)).toBeNull();
    await client.memories.update({ params: { id: newer.id }, body: { content: `${newerText} ` } });
    await service.running.context.extractionWorker.drain();
    const events = await listEvents(client, 'memory.update_suggested');
    expect(events.map(({ data }) => data)).toEqual([pair]);
    expect(await searchIds(client, 'kettle tea plan')).toEqual([newer.id, older.id]);
  });

  it.each([
    ['a role', { metadata: { role: 'user' } }, ''],
    ['a session and a speaker', { metadata: { speaker: 'Ana' } }, ''],
    ['a session and a name before the words', {}, 'Ana: '],
  ])('does not compare turns, which have %s, unless they ask for it', async (has, fields, name) => {
    const { client, store, suggestions } = await open();
    const { id: session_id } = await client.cliSessions.create({ body: { name: 'Tea' } });
    const place = { ...fields, ...(has === 'a role' ? {} : { session_id }) };
    const older = await store(olderText);
    const olderTurn = await store(`${name}${olderText} Indeed.`, place);
    const turn = await store(`${name}${newerText}`, place);
    expect(await suggestions(turn.id)).toEqual([]);
    const newer = await store(`${newerText} apart`);
    expect((await suggestions(newer.id)).map(({ older_id }) => older_id)).toEqual([older.id]);
    const asking = await store(`${name}${newerText} asking`, {
      ...place,
      detect_updates: 'suggest',
    });
    const found = (await suggestions(asking.id)).map(({ older_id }) => older_id);
    expect(found).toEqual(expect.arrayContaining([older.id, olderTurn.id]));
  });

  it('supersedes when it is accepted, which the deletion of the relationship undoes', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    const params = { id: newer.id, olderId: older.id };
    const accepted = await client.memories.acceptSuggestion({ params });
    expect(accepted).toMatchObject({ status: 'accepted', older_id: older.id });
    expect(await client.memories.acceptSuggestion({ params })).toEqual(accepted);
    expect(await outdatedBy(client, older.id)).toBe(newer.id);
    const refused = await expectError(client.memories.dismissSuggestion({ params }));
    expect(refused.code).toBe('conflict');
    const link = { sourceId: newer.id, targetId: older.id, type: 'supersedes' };
    await client.relationships.remove({ params: link });
    expect(await outdatedBy(client, older.id)).toBeNull();
    expect(await suggestions(newer.id)).toEqual([]);
    expect(await suggestions(newer.id, 'accepted')).toEqual([accepted]);
  });

  it('links anew when it is accepted after that, and can be dismissed instead', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    const params = { id: newer.id, olderId: older.id };
    const link = { sourceId: newer.id, targetId: older.id, type: 'supersedes' };
    for (let round = 0; round < 2; round += 1) {
      await client.memories.acceptSuggestion({ params });
      expect(await outdatedBy(client, older.id)).toBe(newer.id);
      await client.relationships.remove({ params: link });
      expect(await outdatedBy(client, older.id)).toBeNull();
    }
    expect((await client.memories.dismissSuggestion({ params })).status).toBe('dismissed');
    expect(await suggestions(newer.id, 'accepted')).toEqual([]);
  });

  it('suggests nothing of what is outdated already, nor by it', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText, { supersedes: [older.id] });
    await store('The kettle tea plan trumps said Ben with .83');
    expect(await suggestions(older.id)).toEqual([]);
    expect(await suggestions(newer.id)).toEqual([]);
    expect(await listEvents(client, 'memory.update_suggested')).toEqual([]);
  });

  it('is shown while both memories are there, and the older one is current', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    const params = { id: newer.id };
    await client.memories.remove({ params, query: { soft: true } });
    expect(await suggestions(older.id)).toEqual([]);
    await client.memories.restore({ params });
    expect(await suggestions(older.id)).toHaveLength(1);
    await store('The office has another tea.', { supersedes: [older.id] });
    expect(await suggestions(older.id)).toEqual([]);
  });

  it('is withdrawn when the older memory is protected', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    const params = { id: older.id };
    await client.memories.protect({ params, body: { protection_level: 'soft' } });
    expect(await suggestions(older.id)).toEqual([]);
    expect(await searchIds(client, 'kettle tea plan')).toEqual([older.id, newer.id]);
    await client.memories.protect({ params, body: { protection_level: 'none' } });
    expect(await suggestions(newer.id)).toEqual([]);
  });

  it('is not applied where that closes a cycle, and hinders no other work', async () => {
    const { client, suggestions } = await open();
    const create = (content: string, fields: object = {}) =>
      client.memories.create({ body: { content, ...fields } });
    const older = await create(olderText);
    const newer = await create('The kettle tea plan trumps Assam with .95', {
      detect_updates: 'apply',
    });
    const between = await create('Something else altogether.', { supersedes: [newer.id] });
    const body = { target_id: between.id, relationship_type: 'supersedes' } as const;
    await client.relationships.create({ params: { memoryId: older.id }, body });
    await client.memories.remove({ params: { id: between.id }, query: { soft: true } });
    await service.running.context.extractionWorker.drain();
    expect(await suggestions(older.id)).toMatchObject([{ newer_id: newer.id, status: 'open' }]);
    expect((await client.memories.get({ params: { id: newer.id } })).quality_score).not.toBeNull();
  });

  it('does not make a dismissed suggestion again', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    const params = { id: newer.id, olderId: older.id };
    const dismissed = await client.memories.dismissSuggestion({ params });
    expect(dismissed.status).toBe('dismissed');
    expect(await searchIds(client, 'kettle tea plan')).toEqual([older.id, newer.id]);
    const body = { content: `${newerText} and so on` };
    await client.memories.update({ params: { id: newer.id }, body });
    await service.running.context.extractionWorker.drain();
    expect(await suggestions(newer.id)).toEqual([]);
    expect(await suggestions(newer.id, 'dismissed')).toEqual([dismissed]);
    expect(await client.memories.acceptSuggestion({ params })).toMatchObject({
      status: 'accepted',
    });
  });

  it('withdraws an open suggestion after a change that ends its reason', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    const newer = await store(newerText);
    expect(await suggestions(older.id)).toHaveLength(1);
    const body = { content: 'The kettle tea plan is the best one.' };
    await client.memories.update({ params: { id: newer.id }, body });
    await service.running.context.extractionWorker.drain();
    expect(await suggestions(older.id)).toEqual([]);
  });

  it('goes by what they tell, not by the order of their creation', async () => {
    const { store, suggestions } = await open();
    const newer = await store(newerText, { occurred_at: '2026-03-01T00:00:00Z' });
    const older = await store(olderText, { occurred_at: '2026-01-01T00:00:00Z' });
    expect(await suggestions(older.id)).toMatchObject([{ newer_id: newer.id, older_id: older.id }]);
  });

  it('applies from .9 on where caller or account say so, and suggests the rest', async () => {
    const { client, store, suggestions } = await open();
    const surer = 'The kettle tea plan trumps Assam with .93';
    const apply = { detect_updates: 'apply' };
    const first = await store(olderText);
    const unsure = await store(newerText, apply);
    expect(await outdatedBy(client, first.id)).toBeNull();
    expect(await suggestions(unsure.id)).toMatchObject([{ older_id: first.id }]);
    const sure = await store(surer, apply);
    expect(await outdatedBy(client, first.id)).toBe(sure.id);
    expect(await suggestions(first.id, 'applied')).toMatchObject([{ newer_id: sure.id }]);
    const events = await listEvents(client, 'memory.superseded');
    expect(events.map(({ data }) => data.id)).toContain(first.id);
    await client.account.update({ body: { settings: { detect_updates: 'apply' } } });
    const second = await store('The garden fence colour is Assam green.');
    const latest = await store('The garden fence colour trumps Assam green with .95');
    expect(await outdatedBy(client, second.id)).toBe(latest.id);
  });

  it('looks for nothing when it is off', async () => {
    const { client, store, suggestions } = await open();
    const older = await store(olderText);
    await store(newerText, { detect_updates: 'off' });
    await client.account.update({ body: { settings: { detect_updates: 'off' } } });
    await store(`${newerText} of old`);
    expect(await suggestions(older.id)).toEqual([]);
    await store(`${newerText} again`, { detect_updates: 'suggest' });
    expect(await suggestions(older.id)).toHaveLength(1);
  });

  it('suggests nothing across owners, spaces, of protected ones, by unproven mail', async () => {
    const { client, store, suggestions } = await open();
    const space = await client.spaces.create({ body: { name: 'other' } });
    const olderOnes = [
      await store(olderText, { user_id: 'ben' }),
      await store(olderText, { user_id: 'ana', agent_id: 'clerk' }),
      await store(olderText, { space_id: space.id, user_id: 'ana' }),
      await store(olderText, { user_id: 'ana', protection_level: 'soft' }),
      await store(`${olderText} Really.`, { user_id: 'ana', protection_level: 'hard' }),
    ];
    await store(newerText, { user_id: 'ana' });
    const mail = { source: 'email', email_verified: false };
    await store(newerText, { user_id: 'ben', metadata: mail });
    for (const { id } of olderOnes) expect(await suggestions(id)).toEqual([]);
  });

  it('refuses what is no suggestion of visible memories', async () => {
    const { client, store } = await open();
    const older = await store('A note about nothing.');
    const newer = await store('A note about nothing else.');
    const space = await client.spaces.create({ body: { name: 'limited' } });
    const codeOf = async (id: string, olderId: string): Promise<string> =>
      (await expectError(client.memories.acceptSuggestion({ params: { id, olderId } }))).code;
    expect(await codeOf(newer.id, older.id)).toBe('not_found');
    expect(await codeOf(absentId, older.id)).toBe('memory_not_found');
    expect(await codeOf(newer.id, absentId)).toBe('memory_not_found');
    const { client: stranger } = await open();
    const foreign = expectError(stranger.memories.suggestions({ params: { id: older.id } }));
    expect((await foreign).code).toBe('memory_not_found');
    const { key } = await client.keys.create({
      body: { name: 'limited', space_ids: [space.id] },
    });
    const keyed = service.client(key);
    const denied = await expectError(keyed.memories.suggestions({ params: { id: older.id } }));
    expect(denied.code).toBe('space_access_denied');
  });
});
