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
/** Columns of the activation session, repeated in each record because a table has one schema. */
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

/** Characters that begin a formula, including full-width ones and skipped white space. */
const formulaPrefix = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** RFC 4180; an apostrophe prevents a spreadsheet from running a cell as a formula (OWASP). */
function cell(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value}`;
  const safe = formulaPrefix.test(text) ? `'${text}` : text;
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

/** One record per memory, with its outgoing relationships and the fields of the session. */
export function createCsvFormatter(): ExportFormatter {
  let session: ActivationSessionDetail | undefined;
  return {
    header(exportedSession) {
      session = exportedSession;
      return formatRecord([...memoryColumns, 'relationships', ...sessionNames]);
    },
    memory: (exported) => (session ? csvRecord(exported, session) : ''),
    relationshipsHeader: () => '',
    relationship: () => '',
    footer: () => '',
  };
}
