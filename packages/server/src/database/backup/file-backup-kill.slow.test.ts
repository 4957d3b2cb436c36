import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '../embedded/embedded.ts';
import { makeTestDataDir, silentLog } from '../testing.ts';

const COPIER = fileURLToPath(new URL('../fixtures/back-up-until-killed.ts', import.meta.url));
const slotsFolder = (): string => path.join(dataDir, 'pg', 'pg_replslot');

let dataDir: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ dataDir, remove } = await makeTestDataDir({ onDisk: true }));
});
afterEach(() => remove());

/** Kills the backup process at an entry; returns the rows that it had acknowledged. */
async function copyAndKill(first: number, at: string): Promise<number[]> {
  const child = fork(COPIER, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  child.send({ dataDir, first });
  const closed = once(child, 'close');
  const said = child.stderr ? text(child.stderr) : '';
  const acknowledged: number[] = [];
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const [kind, value = ''] = line.split(' ');
    if (kind === 'row') acknowledged.push(Number(value));
    else if (value.startsWith(at)) child.kill('SIGKILL');
  }
  expect([...(await closed), await said]).toEqual([null, 'SIGKILL', '']);
  return acknowledged;
}

describe('a process killed during a backup of its database', () => {
  it('has lost nothing, and leaves nothing behind once the database is reopened', async () => {
    const acknowledged: number[] = [];
    for (const [round, at] of ['base/5/1', 'global/pg_control', 'pg_wal/0'].entries()) {
      acknowledged.push(...(await copyAndKill(round * 1_000_000, at)));
      expect(fs.readdirSync(slotsFolder())).toEqual(['mneme_backup']);
      await using engine = await openEmbedded({ kind: 'embedded', dataDir }, { log: silentLog });
      expect(fs.readdirSync(slotsFolder())).toEqual([]);
      expect(engine.integrity.findings).toEqual([]);
      const { rows } = await sql<{ id: number }>`select id from journal`.execute(engine.db);
      const found = new Set(rows.map(({ id }) => id));
      expect(acknowledged.filter((id) => !found.has(id))).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(3);
  });
});
