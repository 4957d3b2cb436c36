import { type ArchiveKind, type ArchiveRecord, archiveRecords } from '@mneme/contract';
import { createDamagedExportError } from '../../../providers/archive/index.ts';
import { lineBytesMax } from '../layout.ts';

const newline = 0x0a;

/** The lines of a file, each at most `lineBytesMax` long. Throws ArchiveRejected. */
async function* readLines(
  entry: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
      bytes = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    // Copied: the source may reuse its buffer.
    parts.push(Uint8Array.from(chunk.subarray(from)));
    bytes += chunk.length - from;
    if (bytes > lineBytesMax)
      throw createDamagedExportError(entry, `a line has more than ${lineBytesMax} bytes`);
  }
  if (bytes > 0) throw createDamagedExportError(entry, 'its last line has no end');
}

/** Escapes of what PostgreSQL cannot store: NUL and halves of surrogate pairs. */
const suspicious = /\\u(?:0000|[dD][89a-fA-F])/;

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, one]) => isStorable(name) && isStorable(one));
}

/** The records of an entry. Throws ArchiveRejected with the number of the line. */
export async function* readArchiveRecords<K extends ArchiveKind>(
  entry: string,
  kind: K,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<ArchiveRecord<K>> {
  let number = 0;
  for await (const line of readLines(entry, content)) {
    number += 1;
    yield parseRecord(entry, kind, line, number);
  }
}

function parseRecord<K extends ArchiveKind>(
  entry: string,
  kind: K,
  line: string,
  number: number,
): ArchiveRecord<K> {
  const damaged = (what: string, cause?: unknown) =>
    createDamagedExportError(entry, `line ${number}: ${what}`, cause);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw damaged('it is not JSON', error);
  }
  if (suspicious.test(line) && !isStorable(value))
    throw damaged('it has a character that cannot be stored');
  const parsed = archiveRecords[kind].safeParse(value);
  if (parsed.success) return parsed.data as ArchiveRecord<K>;
  const issue = parsed.error.issues[0];
  throw damaged(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`, parsed.error);
}

/** Equal for records of one kind that are the same record. */
export function recordKeyOf(record: ArchiveRecord<ArchiveKind>): string {
  if ('id' in record) return record.id;
  const { memory_id, ...others } = record as Readonly<Record<string, unknown>>;
  const { entity_id, cluster_id, modality, number } = others;
  return JSON.stringify([memory_id, entity_id, cluster_id, modality, number]);
}
