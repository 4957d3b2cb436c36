import { decodeText } from '../decode-text.ts';
import { type Item, skipped } from '../items.ts';
import { isObject, type Json, toArray, toText } from '../json-value.ts';
import type { Source, SourceFile } from '../source-files.ts';
import { readTextLines } from '../text-lines.ts';
import type { ImportFormat } from './format.ts';
import { lineCharactersMax, parseJsonLine } from './json-lines.ts';
import { findFiles, skippedFiles } from './json-lists.ts';

/** The file of the MCP memory server: one entity or relation per line. */
export const mcpMemoryFormat: ImportFormat = {
  hasLocalIds: false,
  async *read(source: Source, { encoding }) {
    yield* skippedFiles(source);
    for (const file of findFiles(source, /\.jsonl?$/, 'memory.jsonl'))
      yield* readFile(file, encoding);
  },
};

async function* readFile(file: SourceFile, encoding: string | null): AsyncGenerator<Item> {
  const text = decodeText(file.name, file.open(), encoding);
  for await (const line of readTextLines(text, lineCharactersMax)) {
    const place = `${file.name}:${line.number}`;
    const parsed = parseJsonLine(line, place);
    if (parsed === null) continue;
    if (parsed.type === 'skipped') yield parsed;
    else yield* readLine(parsed.value, place, file);
  }
}

function* readLine(value: Json, place: string, file: SourceFile): Generator<Item> {
  const name = toText(value.name)?.trim();
  if (value.type === 'entity' && name !== undefined) {
    yield { type: 'entity', name, entityType: toText(value.entityType) ?? '' };
    for (const observation of toArray(value.observations)) {
      // Some versions of the server store objects.
      const text = toText(isObject(observation) ? observation.content : observation)?.trim();
      if (text === undefined) yield skipped('empty', place);
      else yield toMemory(name, text, value, place, file);
    }
    return;
  }
  const [from, to] = [toText(value.from)?.trim(), toText(value.to)?.trim()];
  const relation = toText(value.relationType)?.trim();
  if (value.type === 'relation' && from && to && relation)
    yield { type: 'relation', from, relation, to, updatedAt: file.modifiedAt, place };
  else yield skipped('invalid_record', place);
}

function toMemory(name: string, text: string, entity: Json, place: string, file: SourceFile): Item {
  const isNamed = text.toLowerCase().includes(name.toLowerCase());
  return {
    type: 'memory',
    id: JSON.stringify([name, text]),
    // Without its subject, an observation such as "speaks Spanish" could be of anybody.
    content: isNamed ? text : `${name}: ${text}`,
    contentType: 'text',
    occurredAt: null,
    createdAt: null,
    updatedAt: file.modifiedAt,
    tags: [],
    metadata: { entity: name, entity_type: toText(entity.entityType) ?? '' },
    owner: {},
    mentions: [name],
    place,
  };
}
