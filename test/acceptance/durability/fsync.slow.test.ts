import fs from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { isAvailable } from '../../support/requirements.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';
import { checkSyncOrder } from './syscall-trace.ts';

const traced = 'trace=fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg';
const created = /"HTTP\/1\.1 201/;
const changed = /"HTTP\/1\.1 2\d\d.*x-request-id: change-/i;
const read = /"HTTP\/1\.1 200.*x-request-id: read/i;

const line = (text: string): string => `10 1000.5 ${text}`;
const wrote = line('pwrite64(8</data/pg/pg_wal/000000010000000000000001>, "..", 8192, 0) = 8192');
const sync = line('fsync(8</data/pg/pg_wal/000000010000000000000001>) = 0');
const answer = '11 1000.6 write(9<socket:[1]>, "HTTP/1.1 201 Created"..., 600) = 600';

describe('the checker of traces', () => {
  const unsyncedIn = (...lines: string[]): number =>
    checkSyncOrder(lines.join('\n'), created).unsynced.length;

  it('passes an answer after a write and a sync of the log', () => {
    expect(checkSyncOrder([wrote, sync, answer].join('\n'), created)).toEqual({
      answers: 1,
      unsynced: [],
    });
  });

  it('reports an answer with no sync, with one of before the write, or with a failed one', () => {
    expect(unsyncedIn(wrote, answer)).toBe(1);
    expect(unsyncedIn(sync, wrote, answer)).toBe(1);
    expect(unsyncedIn(wrote, sync.replace('= 0', '= -1 EIO'), answer)).toBe(1);
    expect(unsyncedIn(wrote, sync.replace('pg_wal', 'base'), answer)).toBe(1);
  });

  it('reports an answer that lives on the sync of an earlier one', () => {
    expect(unsyncedIn(wrote, sync, answer, answer)).toBe(1);
    expect(unsyncedIn(wrote, sync, answer, wrote, answer)).toBe(1);
  });

  it('counts a sync from its return, not from its begin', () => {
    const begun = line('fsync(8</data/pg/pg_wal/000000010000000000000001> <unfinished ...>');
    const resumed = line('<... fsync resumed>) = 0');
    expect(unsyncedIn(wrote, begun, answer, resumed)).toBe(1);
    expect(unsyncedIn(wrote, begun, resumed, answer)).toBe(0);
  });
});

interface Call {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

const content = (text: string) => ({ content: text });

/** One of each kind of change, in an order in which each finds what it needs. */
async function changeEverything(client: Client): Promise<number> {
  let changes = 0;
  const send = async (method: string, path: string, body?: object): Promise<string[]> => {
    changes += 1;
    const headers = { 'X-Request-Id': `change-${changes}` };
    const call = { method, path, headers, ...(body ? { body } : {}) };
    const answer = await client.request(call as Call & { method: 'POST' });
    expect(answer.status, `${method} ${path}`).toBeLessThan(300);
    const made = answer.body as { id?: string; memories?: { id: string }[] } | null;
    return made?.memories?.map(({ id }) => id) ?? [made?.id ?? ''];
  };
  const [id = ''] = await send('POST', '/memories', content('The first.'));
  const [other = ''] = await send('POST', '/memories', content('The second.'));
  const many = await send('POST', '/memories/bulk', {
    memories: Array.from({ length: 8 }, (_, i) => content(`Number ${i}.`)),
  });
  await send('PATCH', `/memories/${id}`, content('The first, said better.'));
  await send('PATCH', `/memories/${id}`, { priority: 4 });
  await send('PATCH', '/memories/bulk', { ids: many, set: { priority: 2 } });
  await send('POST', '/memories/bulk/tags', { ids: many, add: ['kept'] });
  await send('POST', `/memories/${id}/pin`);
  await send('PATCH', `/memories/${id}/protection`, { protection_level: 'soft' });
  const [session = ''] = await send('POST', '/cli-sessions', { name: 'work' });
  await send('POST', `/cli-sessions/${session}/messages`, {
    messages: [{ role: 'user', content: 'Is it written?' }],
  });
  const link = { target_id: other, relationship_type: 'similar_to' };
  await send('POST', `/relationships/${id}`, link);
  await send('DELETE', `/memories/${other}?soft=true`);
  await send('POST', `/memories/${other}/restore`);
  await send('DELETE', `/memories/${other}`);
  await send('POST', '/memories/bulk/delete', { ids: many.slice(0, 4), soft: true });
  await send('POST', '/memories/bulk/delete', { ids: many.slice(4), soft: false });
  await send('DELETE', `/cli-sessions/${session}?confirm=true`);
  return changes;
}

describe.runIf(isAvailable('strace'))('the answer to a change on the embedded engine', () => {
  it('is written to the socket after an fsync of the log has returned', async () => {
    const place = await createDataLocation('embedded');
    const file = path.join(place.dataDir, 'trace.txt');
    const wrapper = ['strace', '-f', '-ttt', '-y', '-s', '800', '-e', traced, '-o', file];
    await using server = await startServerProcess(place, { wrapper });
    const client = server.client();
    const changes = await changeEverything(client);
    // Enough of them to outlast what is still written about the changes behind their answers.
    for (let i = 1; i <= 100; i += 1) {
      await client.request({ method: 'GET', path: '/spaces', headers: { 'X-Request-Id': 'read' } });
    }
    await server.kill('SIGTERM', 'group');
    const trace = await fs.readFile(file, 'utf8');
    await place.remove();
    expect(checkSyncOrder(trace, changed)).toEqual({ answers: changes, unsynced: [] });
    // A read has nothing to sync: a checker that passed these would pass anything.
    const reads = checkSyncOrder(trace, read);
    expect(reads.answers).toBe(100);
    expect(reads.unsynced.length).toBeGreaterThanOrEqual(50);
  }, 120_000);
});
