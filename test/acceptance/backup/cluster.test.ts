import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTableList } from '../../../packages/server/src/database/backup/table-list.ts';
import type { Engine } from '../../../packages/server/src/database/index.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';

/** The values of one column of each table that is named, from the entries of a backup. */
async function readColumns(
  backup: Awaited<ReturnType<Engine['backup']>>,
  wanted: Readonly<Record<string, string>>,
): Promise<Record<string, string[]>> {
  const texts = new Map<string, string>();
  for await (const { name, content } of backup.entries()) {
    const table = name.split('/')[1] ?? '';
    for await (const chunk of content) {
      texts.set(table, (texts.get(table) ?? '') + Buffer.from(chunk).toString());
    }
  }
  const { tables } = parseTableList(texts.get('') ?? '');
  const columnOf = ([table, column]: [string, string]): [string, string[]] => {
    const columns = tables.find(({ name }) => name === table)?.columns ?? [];
    const at = columns.findIndex(({ name }) => name === column);
    const rows = (texts.get(table) ?? '').trimEnd().split('\n');
    return [table, rows.map((row) => row.split('\t')[at] ?? '')];
  };
  return Object.fromEntries(Object.entries(wanted).map(columnOf));
}

describe.runIf(isAvailable('citus'))('a backup of a distributed database', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('Citus', { isExclusive: true });
  });
  afterAll(() => service.stop());

  it('has each account as it was at one moment, while it is written', async () => {
    let isWriting = true;
    let created = 0;
    async function write(): Promise<void> {
      while (isWriting) {
        const { client } = await service.createAccount();
        for (let i = 0; i < 5 && isWriting; i += 1) {
          await client.memories.create({ body: { content: `Note ${created}` } });
          created += 1;
        }
      }
    }
    const writers = Array.from({ length: 6 }, write);
    const compare = async (): Promise<void> => {
      await using backup = await service.running.context.app.engine.backup();
      const createdAtStart = created;
      await expect.poll(() => created).toBeGreaterThan(createdAtStart + 20);
      const rows = await readColumns(backup, {
        accounts: 'id',
        account_positions: 'account_id',
        memories: 'id',
        documents: 'id',
        vectors: 'document_id',
      });
      expect(rows.account_positions?.toSorted()).toEqual(rows.accounts?.toSorted());
      expect(rows.memories?.length).toBeLessThanOrEqual(createdAtStart + writers.length);
      expect(rows.documents?.toSorted()).toEqual(rows.memories?.toSorted());
      expect(rows.vectors?.toSorted()).toEqual(rows.memories?.toSorted());
    };
    try {
      await expect.poll(() => created).toBeGreaterThan(30);
      for (let round = 0; round < 3; round += 1) await compare();
    } finally {
      isWriting = false;
      await Promise.all(writers);
    }
  });
});
