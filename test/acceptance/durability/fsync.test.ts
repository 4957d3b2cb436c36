import { spawnSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makePlace, startProcess } from '../../support/process.ts';
import { checkTrace } from './trace.ts';

const traced = 'trace=fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg';
const created = /"HTTP\/1\.1 201/;
const read = /"HTTP\/1\.1 200/;

/** Tracing needs the tool and the right to use it, which containers often withhold. */
function whyNoTrace(): string | null {
  const { error, status, stderr } = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']);
  if (error) return 'strace is not installed';
  return status === 0 ? null : String(stderr).split('\n', 1)[0] || 'ptrace is not permitted';
}

const line = (text: string): string => `10 1000.5 ${text}`;
const wrote = line('pwrite64(8</data/pg/pg_wal/000000010000000000000001>, "..", 8192, 0) = 8192');
const sync = line('fsync(8</data/pg/pg_wal/000000010000000000000001>) = 0');
const answer = '11 1000.6 write(9<socket:[1]>, "HTTP/1.1 201 Created"..., 600) = 600';

describe('the checker of traces', () => {
  const unsyncedIn = (...lines: string[]): number =>
    checkTrace(lines.join('\n'), created).unsynced.length;

  it('passes an answer after a write and a sync of the log', () => {
    expect(checkTrace([wrote, sync, answer].join('\n'), created)).toEqual({
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

describe('a 201 on the embedded engine', () => {
  it('is written to the socket after an fsync of the log has returned', async () => {
    const reason = whyNoTrace();
    if (reason !== null) {
      process.stdout.write(`fsync order: not traced, ${reason}\n`);
      return;
    }
    const place = await makePlace('embedded');
    const file = path.join(place.dataDir, 'trace.txt');
    const wrapper = ['strace', '-f', '-ttt', '-y', '-s', '64', '-e', traced, '-o', file];
    await using server = await startProcess(place, { wrapper });
    const client = server.client();
    for (let i = 1; i <= 8; i += 1) {
      await client.memories.create({ body: { content: `Statement number ${i}.` } });
    }
    for (let i = 1; i <= 8; i += 1) await client.memories.list();
    await server.kill('SIGTERM', 'group');
    const trace = await fs.readFile(file, 'utf8');
    await place.remove();
    expect(checkTrace(trace, created)).toEqual({ answers: 8, unsynced: [] });
    // A read has nothing to sync: a checker that passed these would pass anything.
    const reads = checkTrace(trace, read);
    expect(reads.answers).toBe(8);
    expect(reads.unsynced.length).toBeGreaterThanOrEqual(4);
  }, 120_000);
});
