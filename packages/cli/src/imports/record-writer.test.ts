import { gunzipSync } from 'node:zlib';
import { type ArchiveRecord, archiveRecords } from '@mneme/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { ArchiveSpool } from './archive-spool.ts';
import type { ConversationItem, Item, MemoryItem } from './items.ts';
import { deriveRecordId } from './record-ids.ts';
import { type ImportTarget, RecordWriter } from './record-writer.ts';
import { modifiedAt } from './testing.ts';

const memory = (id: string, content: string, more: Partial<MemoryItem> = {}): MemoryItem => ({
  type: 'memory',
  id,
  content,
  contentType: 'text',
  occurredAt: null,
  createdAt: null,
  updatedAt: modifiedAt,
  tags: [],
  metadata: {},
  owner: {},
  place: `p:${id}`,
  ...more,
});

const conversation = (...texts: string[]): ConversationItem => ({
  type: 'conversation',
  id: 'c',
  title: 'A talk',
  description: null,
  createdAt: null,
  updatedAt: modifiedAt,
  turns: texts.map((text, i) => ({ id: `t${i}`, role: 'user', text, at: null })),
  place: 'p:c',
});

const target: ImportTarget = {
  format: 'jsonl',
  source: 'n',
  spaceId: null,
  userId: null,
  contentBytesMax: 100,
};

const accountId = deriveRecordId(['test']);
type Kind = 'memories' | 'sessions' | 'entities' | 'mentions' | 'assertions' | 'relationships';

describe('records of an import', () => {
  const spools: ArchiveSpool[] = [];
  afterEach(async () => {
    for (const spool of spools.splice(0)) await spool.close();
  });

  /** Records by kind, as the server reads them. */
  const write = async (items: readonly Item[], more: Partial<ImportTarget> = {}) => {
    const spool = await ArchiveSpool.create(accountId);
    spools.push(spool);
    const writer = new RecordWriter({ ...target, ...more }, spool);
    for (const item of items) await writer.add(item);
    await writer.finish();
    const chunks: Buffer[] = [];
    for await (const chunk of await spool.archive('test', modifiedAt)) chunks.push(chunk);
    const tar = gunzipSync(Buffer.concat(chunks));
    const recordsOf = <K extends Kind>(kind: K): ArchiveRecord<K>[] => {
      const at = tar.indexOf(`accounts/${accountId}/${kind}.ndjson`);
      if (at < 0) return [];
      const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
      const lines = tar
        .toString('utf8', at + 512, at + 512 + size)
        .trimEnd()
        .split('\n');
      return lines.map((line) => archiveRecords[kind].parse(JSON.parse(line)) as ArchiveRecord<K>);
    };
    return { writer, recordsOf, spool };
  };

  test('have ids of the source, the target and the id there, and nothing else', async () => {
    const idsOf = async (item: MemoryItem, more: Partial<ImportTarget> = {}) =>
      (await write([item], more)).recordsOf('memories').map(({ id }) => id);
    const ids = await idsOf(memory('a', 'Tea'));
    expect(await idsOf(memory('a', 'Coffee', { createdAt: modifiedAt }))).toEqual(ids);
    expect(await idsOf(memory('b', 'Tea'))).not.toEqual(ids);
    for (const other of [{ source: 'm' }, { userId: 'ana' }, { spaceId: accountId }])
      expect(await idsOf(memory('a', 'Tea'), other)).not.toEqual(ids);
  });

  test('of an item that the source has twice is stored once', async () => {
    const { writer, recordsOf } = await write([memory('a', 'Tea'), memory('a', 'Coffee')]);
    expect(recordsOf('memories').map(({ content }) => content)).toEqual(['Tea']);
    expect(writer.skips.get('repeated')).toEqual({ count: 1, places: ['p:a'] });
  });

  test('have storable texts without secrets', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const { writer, recordsOf } = await write([
      memory('a', `Tea\u0000 \ud800 ${secret}`, {
        tags: [' x ', 'x', '', 'y'.repeat(300)],
        metadata: { 'note\u0000': { deep: [`key ${secret}`] } },
      }),
      conversation(`${secret} <mneme-context>known</mneme-context>`, '\u0000 '),
    ]);
    const [item, turn] = recordsOf('memories');
    expect(item).toMatchObject({
      content: 'Tea \ufffd [redacted: api_key]',
      tags: ['x', 'y'.repeat(255)],
      metadata: { note: { deep: ['key [redacted: api_key]'] }, imported_id: 'a' },
    });
    expect(turn?.content).toBe('[redacted: api_key]');
    expect(writer.redacted).toEqual({ api_key: 3 });
  });

  test('of a text above the limit of the plan are parts', async () => {
    const text = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
    const { writer, recordsOf } = await write([memory('a', text), conversation(text, 'Tea')]);
    const parts = recordsOf('memories');
    expect(parts.every(({ content }) => Buffer.byteLength(content) <= 100)).toBe(true);
    const own = parts.filter(({ session_id: session }) => session === null);
    expect(own.map(({ content }) => content).join(' ')).toBe(text);
    expect(own.map(({ metadata }) => [metadata.part, metadata.parts])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(new Set(parts.map(({ id }) => id)).size).toBe(7);
    const turns = parts.filter(({ session_id: session }) => session !== null);
    expect(turns.map(({ session_ordinal: ordinal }) => ordinal)).toEqual([1, 2, 3, 4]);
    expect(writer.report).toMatchObject({ memories: 1, turns: 2, split: 2 });
  });

  test('have metadata up to the limit, and the report says what was left out', async () => {
    let deep: unknown = 'x';
    for (let i = 0; i < 60; i += 1) deep = { deep };
    const { writer, recordsOf } = await write([
      memory('a', 'Tea', { metadata: { large: 'x'.repeat(20_000), small: 1, deep } }),
    ]);
    const [{ metadata } = { metadata: {} }] = recordsOf('memories');
    expect(Object.keys(metadata).toSorted()).toEqual([
      'deep',
      'imported_from',
      'imported_id',
      'small',
    ]);
    expect(writer.skips.get('metadata_too_large')?.places).toEqual(['p:a']);
  });

  test('of relations are facts, entities that nothing declares, and who says it', async () => {
    const relation = { type: 'relation', updatedAt: modifiedAt, place: 'p:r' } as const;
    const { recordsOf } = await write([
      { ...relation, from: 'Ana', relation: 'worksAt', to: 'Acme Inc' },
      { ...relation, from: 'Ana', relation: '123 – !', to: 'ana' },
      { type: 'entity', name: 'Ana', entityType: 'Team Member / person' },
    ]);
    expect(recordsOf('entities').map(({ name, type }) => [name, type])).toEqual([
      ['Ana', 'person'],
      ['Acme Inc', 'concept'],
    ]);
    const facts = recordsOf('assertions').map(({ predicate, memory_id }) => [predicate, memory_id]);
    const [first, second] = recordsOf('memories').map(({ id }) => id);
    expect(facts).toEqual([
      ['works_at', first],
      ['related_to', second],
    ]);
    expect(recordsOf('mentions')).toHaveLength(4);
  });

  test('are found at their places', async () => {
    const written = await write([memory('a', 'Tea'), memory('b', 'Coffee\nand milk')]);
    const [, second] = written.recordsOf('memories');
    expect(await written.spool.findPlaces(new Set([second?.id ?? '', 'x']))).toEqual(
      new Map([[second?.id, 'p:b']]),
    );
  });
});
