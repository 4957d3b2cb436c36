import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '../../../database/index.ts';
import type { Erasure } from '../../../instance/erasure-ledger.ts';
import { databaseIdKey, readInstanceSetting } from '../../../instance/instance-settings.ts';
import { readDataFolderOwner } from '../../../kernel/data-folder-owner.ts';
import { replacePrivateFile } from '../../../kernel/private-file.ts';
import {
  formatErasure,
  formatLedgerHeader,
  parseErasure,
  parseLedgerHeader,
} from './ledger-format.ts';

/** `erasures.ndjson`, or `erasures.<database id>.ndjson` in a folder of another database. */
export async function ledgerPath(
  db: Db,
  { dataDir }: { dataDir: string },
): Promise<{ file: string; databaseId: string }> {
  const owner = await readDataFolderOwner(dataDir);
  const databaseId = await readInstanceSetting(db, databaseIdKey);
  if (databaseId === null) throw new Error('the database has no id yet');
  const isOwn = owner === null || owner.databaseId === databaseId;
  const name = isOwn ? 'erasures.ndjson' : `erasures.${databaseId}.ndjson`;
  return { file: path.join(dataDir, name), databaseId };
}

/** A ledger that is open for reading. */
export interface OpenLedger extends AsyncDisposable {
  /** Null if the file is not a ledger. */
  readonly databaseId: string | null;
  /** Skips invalid lines: a crash may cut off the last one. */
  readonly rows: AsyncIterable<Erasure>;
}

/** Null if the file does not exist. */
export async function openLedger(file: string): Promise<OpenLedger | null> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return null;
  const lines = handle.readLines({ autoClose: false });
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    databaseId: first.done ? null : parseLedgerHeader(first.value),
    rows: rowsOf(iterator),
    async [Symbol.asyncDispose]() {
      lines.close();
      await handle.close();
    },
  };
}

async function* rowsOf(lines: AsyncIterator<string>): AsyncGenerator<Erasure> {
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const row = parseErasure(line.value);
    if (row !== null) yield row;
  }
}

/** Replaces the file atomically. */
export async function writeLedger(
  file: string,
  databaseId: string,
  pages: AsyncIterable<readonly Erasure[]>,
): Promise<void> {
  const draft = `${file}.new`;
  try {
    {
      await using handle = await open(draft, 'w', 0o600);
      await handle.appendFile(formatLedgerHeader(databaseId));
      for await (const page of pages) await handle.appendFile(page.map(formatErasure).join(''));
      await handle.sync();
    }
    await replacePrivateFile(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Durable when it resolves. Throws if the file does not exist, because it needs a header. */
export async function appendToLedger(file: string, rows: readonly Erasure[]): Promise<void> {
  if (rows.length === 0) return;
  await using handle = await open(file, constants.O_WRONLY | constants.O_APPEND);
  await handle.appendFile(rows.map(formatErasure).join(''));
  await handle.datasync();
}
