import { type Item, skipped } from '../items.ts';
import { type Json, toDate, toId, toObject, toText } from '../json-value.ts';
import type { SourceFile } from '../source-files.ts';
import type { ImportFormat } from './format.ts';
import { findFiles, readJsonRecords, skippedFiles } from './json-lists.ts';
import { toOwner, toTags } from './rows.ts';

/** The JSON that `get_all` of mem0 returns: a list, or an object with `results` and `relations`. */
export const mem0Format: ImportFormat = {
  hasLocalIds: false,
  async *read(source, { encoding }) {
    yield* skippedFiles(source);
    for (const file of findFiles(source, /\.json$/, '.json file')) {
      for await (const record of readJsonRecords(file, encoding)) {
        if (record.type === 'skipped') yield record;
        else if (record.list === 'relations')
          yield readRelation(record.value, record.place, file.modifiedAt);
        else yield readMemory(record.value, record.place, file);
      }
    }
  },
};

function readRelation(value: Json, place: string, updatedAt: Date): Item {
  const from = toText(value.source)?.trim();
  const relation = (toText(value.relationship) ?? toText(value.relation))?.trim();
  const to = (toText(value.target) ?? toText(value.destination))?.trim();
  if (!from || !relation || !to) return skipped('invalid_record', place);
  return { type: 'relation', from, relation, to, updatedAt, place };
}

function readMemory(value: Json, listed: string, file: SourceFile): Item {
  const id = toId(value.id);
  const place = id === null ? listed : `${listed} ${id}`;
  const content = toText(value.memory) ?? toText(value.text);
  if (content === null) return skipped('content_missing', place);
  const createdAt = toDate(value.created_at);
  const expiresAt = toDate(value.expiration_date);
  const owners = (['user_id', 'agent_id', 'run_id'] as const).map((field) => ({
    field,
    given: toText(value[field]),
    owner: toOwner(value[field]),
  }));
  const kept = owners.filter(({ given, owner }) => given !== null && owner === null);
  return {
    type: 'memory',
    id: id ?? JSON.stringify([content, ...owners.map(({ given }) => given)]),
    content,
    contentType: 'text',
    occurredAt: createdAt,
    createdAt,
    updatedAt: toDate(value.updated_at) ?? createdAt ?? file.modifiedAt,
    ...(expiresAt === null ? {} : { expiresAt }),
    tags: toTags(value.categories) ?? [],
    metadata: {
      ...toObject(value.metadata),
      // Names that the API does not accept as owners.
      ...Object.fromEntries(kept.map(({ field, given }) => [field, given])),
    },
    owner: Object.fromEntries(
      owners.flatMap(({ field, owner }) => (owner ? [[field, owner]] : [])),
    ),
    place,
  };
}
