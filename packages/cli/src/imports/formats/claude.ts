import type { Item, MemoryItem, Turn } from '../items.ts';
import { skipped } from '../items.ts';
import { type Json, toArray, toDate, toId, toObject, toText } from '../json-value.ts';
import type { Source, SourceFile } from '../source-files.ts';
import type { ImportFormat } from './format.ts';
import { findFiles, readJsonRecords, skippedFiles } from './json-lists.ts';
import { fillTurnTimes } from './turn-times.ts';

const filePattern = /(?:^|\/)(?:conversations|projects|memories)(?:-\d+)?\.json$/;

/** The export of Claude: the zip archive, its folder, or one of its files. */
export const claudeFormat: ImportFormat = {
  hasLocalIds: false,
  async *read(source: Source, { encoding }) {
    yield* skippedFiles(source);
    for (const file of findFiles(source, filePattern, 'conversations.json')) {
      for await (const record of readJsonRecords(file, encoding)) {
        if (record.type === 'skipped') yield record;
        else yield* readRecord(record.value, record.place, file);
      }
    }
  },
};

/** The content identifies each file, so that a single file may have any name. */
function* readRecord(value: Json, listed: string, file: SourceFile): Generator<Item> {
  const id = toId(value.uuid);
  const place = id === null ? listed : `${listed} ${id}`;
  if (Array.isArray(value.chat_messages) && id !== null)
    yield* readConversation(value, id, place, file.modifiedAt);
  else if (Array.isArray(value.docs) && id !== null)
    yield* readProject(value, id, place, file.modifiedAt);
  else if ('conversations_memory' in value || 'project_memories' in value)
    yield* readMemories(value, place, file);
  else yield skipped('invalid_record', place);
}

function* readConversation(
  value: Json,
  id: string,
  place: string,
  modifiedAt: Date,
): Generator<Item> {
  const createdAt = toDate(value.created_at);
  const turns = toArray(value.chat_messages).flatMap((one, i) => readTurn(toObject(one), i));
  if (turns.length === 0) return yield skipped('empty', place);
  yield {
    type: 'conversation',
    id,
    title: toText(value.name) ?? id,
    description: toText(value.summary),
    createdAt,
    updatedAt: toDate(value.updated_at) ?? createdAt ?? modifiedAt,
    turns: fillTurnTimes(turns, createdAt),
    place,
  };
}

const roles: Readonly<Record<string, Turn['role']>> = { human: 'user', assistant: 'assistant' };

function readTurn(message: Json, index: number): Turn[] {
  const role = roles[String(message.sender)];
  const blocks = toArray(message.content).map(toObject);
  // Blocks of other types are thoughts and calls of tools.
  const said = blocks.filter(({ type }) => type === 'text').map(({ text }) => toText(text) ?? '');
  const own = toText(said.join('\n\n')) ?? toText(message.text) ?? '';
  const text = [own, ...toArray(message.attachments).map(readAttachment)]
    .filter((part) => part !== '')
    .join('\n\n');
  if (role === undefined || text === '') return [];
  const id = toId(message.uuid) ?? String(index);
  return [{ id, role, text, at: toDate(message.created_at) }];
}

function readAttachment(value: unknown): string {
  const { file_name: name, extracted_content: content } = toObject(value);
  const text = toText(content);
  return text === null ? '' : `${toText(name) ?? 'Attachment'}:\n${text}`;
}

const memoryOf = (
  item: Pick<MemoryItem, 'id' | 'content' | 'place' | 'metadata'>,
  createdAt: Date | null,
  updatedAt: Date,
): MemoryItem => ({
  ...item,
  type: 'memory',
  contentType: 'markdown',
  occurredAt: createdAt,
  createdAt,
  updatedAt,
  tags: [],
  owner: {},
});

/** Its description, its instructions and its documents. */
function* readProject(value: Json, id: string, place: string, modifiedAt: Date): Generator<Item> {
  const project = toText(value.name) ?? id;
  const createdAt = toDate(value.created_at);
  const updatedAt = toDate(value.updated_at) ?? createdAt ?? modifiedAt;
  for (const field of ['description', 'prompt_template'] as const) {
    const content = toText(value[field]);
    if (content === null) continue;
    const metadata = { project, kind: field === 'description' ? field : 'instructions' };
    const item = { id: `${id}/${field}`, content: `# ${project}\n\n${content}`, place, metadata };
    yield memoryOf(item, createdAt, updatedAt);
  }
  for (const [i, one] of toArray(value.docs).entries()) {
    const doc = toObject(one);
    const docId = toId(doc.uuid) ?? String(i);
    const content = toText(doc.content);
    const docPlace = `${place}/docs/${docId}`;
    if (content === null) {
      yield skipped('empty', docPlace);
      continue;
    }
    const metadata = { project, kind: 'document', title: toText(doc.filename) ?? docId };
    const at = toDate(doc.created_at) ?? createdAt;
    yield memoryOf({ id: `${id}/${docId}`, content, place: docPlace, metadata }, at, updatedAt);
  }
}

/** What Claude remembers of all conversations, and of those in projects. */
function* readMemories(value: Json, place: string, file: SourceFile): Generator<Item> {
  const all: [string, unknown][] = [
    ['memory', value.conversations_memory],
    ...Object.entries(toObject(value.project_memories)).map(([id, text]): [string, unknown] => [
      `memory/${id}`,
      text,
    ]),
  ];
  for (const [id, text] of all) {
    const content = toText(text);
    if (content === null) continue;
    const item = { id, content, place: `${place} ${id}`, metadata: { kind: 'memory' } };
    yield memoryOf(item, null, file.modifiedAt);
  }
}
