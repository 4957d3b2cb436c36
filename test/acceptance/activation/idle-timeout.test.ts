import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import {
  minuteMs,
  onlySessionOfKey,
  readSessionRows,
  searchWithSession,
  sessionsOfKey,
  withoutTimers,
} from './session-requests.ts';

const settings = [
  { minutes: 30, env: {} },
  { minutes: 3, env: { MNEME_ACTIVATION_IDLE_MINUTES: '3' } },
];
/** Real time runs on beside the hand: no step comes so near the bound that it would matter. */
const marginMs = 50_000;

describe.each(engines.flatMap((engine) => settings.map((setting) => ({ engine, ...setting }))))(
  'After $minutes minutes without access on $engine',
  ({ engine, minutes, env }) => {
    let service: Service;
    const clock = withoutTimers(createFakeClock());
    beforeAll(async () => {
      service = await startService(engine, { env, overrides: { clock } });
    });
    afterAll(() => service.stop());
    const almost = minutes * minuteMs - marginMs;

    it('a session is closed at the next read, and not before', async () => {
      const { client } = await service.createAccount();
      await createMemory(client, 'Ana drinks tea.');
      await searchWithSession(client, 'k', 'tea');
      const { id } = await onlySessionOfKey(client, 'k');
      clock.advance(almost);
      expect((await onlySessionOfKey(client, 'k')).is_closed).toBe(false);
      expect((await client.sessions.active()).data.map((one) => one.id)).toEqual([id]);
      clock.advance(marginMs);
      expect((await client.sessions.active()).data).toEqual([]);
      expect((await onlySessionOfKey(client, 'k')).is_closed).toBe(true);
    });

    it('each access gives a session that long again', async () => {
      const { client } = await service.createAccount();
      for (let i = 0; i < 4; i += 1) {
        await searchWithSession(client, 'k', 'nothing');
        clock.advance(almost);
      }
      expect(await onlySessionOfKey(client, 'k')).toMatchObject({ is_closed: false });
    });

    it('a session is closed by the scheduled job, of whatever account, unread', async () => {
      const [mine, other] = [await service.createAccount(), await service.createAccount()];
      await searchWithSession(mine.client, 'k', 'tea');
      await searchWithSession(other.client, 'k', 'tea');
      await mine.client.sessions.list();
      clock.advance(almost);
      // Known to the process alone so far; the job sees it nevertheless.
      await searchWithSession(other.client, 'k', 'tea');
      clock.advance(marginMs);
      await service.running.context.worker.drain();
      expect(await readSessionRows(service, mine.id)).toEqual([
        { session_key: 'k', is_closed: true },
      ]);
      expect(await readSessionRows(service, other.id)).toEqual([
        { session_key: 'k', is_closed: false },
      ]);
      clock.advance(almost);
      await service.running.context.worker.drain();
      expect(await readSessionRows(service, other.id)).toEqual([
        { session_key: 'k', is_closed: true },
      ]);
    });

    it('the next use opens another session, and the closed one never changes', async () => {
      const { client } = await service.createAccount();
      const tea = await createMemory(client, 'Tea is hot.');
      const sea = await createMemory(client, 'The sea is cold.');
      await searchWithSession(client, 'k', '"tea is"');
      const { id } = await onlySessionOfKey(client, 'k');
      clock.advance(minutes * minuteMs);
      const whole = async () => {
        const { memories, ...rest } = await client.sessions.report({ params: { id } });
        return { ...rest, counts: memories.map((memory) => [memory.id, memory.access_count]) };
      };
      const closed = await whole();
      expect(closed).toMatchObject({ session: { is_closed: true }, counts: [[tea.id, 1]] });
      await searchWithSession(client, 'k', '"the sea"');
      await searchWithSession(client, 'k', '"tea is"');
      await service.running.context.worker.drain();
      const [first, second, ...more] = await sessionsOfKey(client, 'k');
      expect(more).toEqual([]);
      expect([first?.id, second?.id]).toEqual([id, expect.not.stringContaining(id)]);
      expect(second).toMatchObject({ is_closed: false, memory_count: 2 });
      const opened = await client.sessions.get({ params: { id: second?.id ?? '' } });
      expect(opened.memory_ids).toEqual([sea.id, tea.id]);
      expect(await whole()).toEqual(closed);
    });

    it('the next use opens another session, also where none was seen idle', async () => {
      const { client } = await service.createAccount();
      await searchWithSession(client, 'k', 'tea');
      await client.sessions.list();
      clock.advance(minutes * minuteMs);
      await searchWithSession(client, 'k', 'tea');
      const sessions = await sessionsOfKey(client, 'k');
      expect(sessions.map(({ is_closed }) => is_closed)).toEqual([true, false]);
    });

    it('another one begins, even where nothing was written in between', async () => {
      const { client, id } = await service.createAccount();
      const tea = await createMemory(client, 'Tea is hot.');
      const sea = await createMemory(client, 'The sea is cold.');
      await searchWithSession(client, 'k', '"tea is"');
      await searchWithSession(client, 'other', '"the sea"');
      clock.advance(almost);
      await searchWithSession(client, 'other', '"the sea"');
      clock.advance(marginMs);
      await searchWithSession(client, 'k', '"the sea"');
      await searchWithSession(client, 'other', '"the sea"');
      expect(await readSessionRows(service, id)).toEqual([]);
      const [first, second, ...more] = await sessionsOfKey(client, 'k');
      expect(more).toEqual([]);
      expect([first?.is_closed, second?.is_closed]).toEqual([true, false]);
      const idsIn = async (session = '') =>
        (await client.sessions.get({ params: { id: session } })).memory_ids;
      expect(await idsIn(first?.id)).toEqual([tea.id]);
      expect(await idsIn(second?.id)).toEqual([sea.id]);
      expect(await onlySessionOfKey(client, 'other')).toMatchObject({ is_closed: false });
    });
  },
);
