import type { ActivationSessionDetail } from '@mneme/contract';
import type { ExportedMemory, ExportFormatter } from './formatter.ts';

const memoryColumns = [
  'id',
  'content',
  'content_type',
  'space_id',
  'session_id',
  'tags',
  'metadata',
  'priority',
  'is_pinned',
  'protection_level',
  'occurred_at',
  'created_at',
  'updated_at',
] as const;
/** The activation session's, in each record: a table has one kind of record. */
const sessionColumns = [
  'id',
  'session_key',
  'started_at',
  'last_activity_at',
  'is_closed',
] as const;
const sessionNames = sessionColumns.map((name) =>
  name === 'session_key' ? name : `activation_${name}`,
);

/** Signs that begin a formula, full-width ones too, and white space that a spreadsheet skips. */
const runsAsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe (OWASP). */
function cell(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value}`;
  const safe = runsAsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const formatRecord = (cells: readonly unknown[]): string => `${cells.map(cell).join(',')}\r\n`;

function csvRecord(
  { memory, relationships }: ExportedMemory,
  session: ActivationSessionDetail,
): string {
  return formatRecord([
    ...memoryColumns.map((name) => memory[name]),
    relationships,
    ...sessionColumns.map((name) => session[name]),
  ]);
}

/** One record for each memory, with what begins at it and the session's own fields. */
export function createCsvFormatter(): ExportFormatter {
  let session: ActivationSessionDetail | undefined;
  return {
    header(begun) {
      session = begun;
      return formatRecord([...memoryColumns, 'relationships', ...sessionNames]);
    },
    memory: (one) => (session ? csvRecord(one, session) : ''),
    relationshipsHeader: () => '',
    relationship: () => '',
    footer: () => '',
  };
}
