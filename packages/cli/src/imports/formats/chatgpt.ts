import { type Item, skipped, type Turn } from '../items.ts';
import { isObject, type Json, toArray, toDate, toId, toObject, toText } from '../json-value.ts';
import { findBranch } from './chatgpt-branch.ts';
import type { ImportFormat } from './format.ts';
import { findFiles, readJsonRecords, skippedFiles } from './json-lists.ts';
import { fillTurnTimes } from './turn-times.ts';

/** Large exports have several of them, with numbers. */
const filePattern = /(?:^|\/)conversations(?:-\d+)?\.json$/;

/** The export of ChatGPT: the zip archive, its folder, or its `conversations.json`. */
export const chatgptFormat: ImportFormat = {
  hasLocalIds: false,
  async *read(source, { encoding }) {
    yield* skippedFiles(source);
    for (const file of findFiles(source, filePattern, 'conversations.json')) {
      for await (const record of readJsonRecords(file, encoding)) {
        if (record.type === 'skipped') yield record;
        else yield* readConversation(record.value, record.place, file.modifiedAt);
      }
    }
  },
};

function* readConversation(value: Json, listed: string, modifiedAt: Date): Generator<Item> {
  const id = toId(value.conversation_id) ?? toId(value.id);
  const place = id === null ? listed : `${listed} ${id}`;
  if (id === null || !isObject(value.mapping)) return yield skipped('invalid_record', place);
  const { nodes, isBroken, others } = findBranch(value.mapping, value.current_node);
  if (isBroken) yield skipped('broken_tree', place);
  if (others > 0) yield skipped('alternative_branch', place, others);
  const createdAt = toDate(value.create_time);
  const turns: Turn[] = [];
  for (const { id: nodeId, message } of nodes) {
    const saved = readSavedMemory(message);
    const at = toDate(message.create_time);
    if (saved === null) {
      const turn = readTurn(nodeId, message, at);
      if (turn !== null) turns.push(turn);
      continue;
    }
    yield {
      type: 'memory',
      id: `${id}/${nodeId}`,
      content: saved,
      contentType: 'text',
      occurredAt: at ?? createdAt,
      createdAt: at ?? createdAt,
      updatedAt: at ?? createdAt ?? modifiedAt,
      tags: [],
      metadata: { conversation: id },
      owner: {},
      place: `${place}/${nodeId}`,
    };
  }
  if (turns.length === 0) return yield skipped('empty', place);
  yield {
    type: 'conversation',
    id,
    title: toText(value.title) ?? id,
    description: null,
    createdAt,
    updatedAt: toDate(value.update_time) ?? createdAt ?? modifiedAt,
    turns: fillTurnTimes(turns, createdAt),
    place,
  };
}

/** What ChatGPT wrote into its own memory, by its tool `bio`. */
function readSavedMemory({ recipient, content }: Json): string | null {
  if (recipient !== 'bio') return null;
  const { parts, text } = toObject(content);
  return (
    toText(
      toArray(parts)
        .filter((part) => typeof part === 'string')
        .join('\n'),
    ) ?? toText(text)
  );
}

/** Null for messages that people do not see: of the system, of tools, to tools, and hidden ones. */
function readTurn(id: string, message: Json, at: Date | null): Turn | null {
  const { role } = toObject(message.author);
  if (role !== 'user' && role !== 'assistant') return null;
  if (toText(message.recipient) !== null && message.recipient !== 'all') return null;
  if (toObject(message.metadata).is_visually_hidden_from_conversation === true) return null;
  const text = readText(toObject(message.content));
  return text === null ? null : { id, role, text, at };
}

const textTypes = new Set(['text', 'multimodal_text', 'code', 'tether_quote']);

/** Images are left out; of recordings, their transcripts are read. */
function readText({ content_type: type, parts, text }: Json): string | null {
  if (typeof type === 'string' && !textTypes.has(type)) return null;
  const pieces = toArray(parts).map((part) =>
    typeof part === 'string' ? part : (toText(toObject(part).text) ?? ''),
  );
  const own = pieces.length === 0 ? [toText(text) ?? ''] : pieces;
  return toText(own.filter((piece) => piece !== '').join('\n\n'));
}
