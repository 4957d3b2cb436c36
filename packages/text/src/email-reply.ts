/** Lines that introduce a quoted message, as mail programs write them in several languages. */
const attributions = [
  /^On\b.{0,300}\bwrote:$/i,
  /^Am\b.{0,300}\bschrieb\b.{0,200}:$/i,
  /^Le\b.{0,300}\ba écrit\s?:$/i,
  /^El\b.{0,300}\bescribió:$/i,
  /^Il\b.{0,300}\bha scritto:$/i,
  /^Op\b.{0,300}\bschreef\b.{0,200}:$/i,
  /^Em\b.{0,300}\bescreveu:$/i,
  /^.{0,300}\bnapsal\(a\):$/i,
  /^\d{4}[-/年].{0,300}:$/,
];
const separators = [
  /^-{2,}\s?original message\s?-{2,}$/i,
  /^-{2,}\s?(?:ursprüngliche nachricht|message d'origine|mensaje original)\s?-{2,}$/i,
  /^_{20,}$/,
];
const headerLine = /^\*?(?:From|Von|De|Da|Van)\s?:\*?\s?\S/i;
const sentLine = /^\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Verzonden)\s?:/i;
const signatureMark = /^-- ?$/;
const phoneSignature = /^(?:Sent from my|Get Outlook for|Von meinem .{1,40} gesendet)/i;
/** Maximum number of lines of a folded attribution. */
const foldedMax = 3;
const lineCharactersMax = 400;

/**
 * Extracts the reply from a mail: without the quoted history and the signature. Inline replies
 * remain, the quotes between them are removed. A text that consists only of quotes is returned
 * unchanged.
 */
export function extractEmailReply(text: string): string {
  const lines = withoutSignature(text.replaceAll('\r\n', '\n').split('\n'));
  const replyLines: string[] = [];
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i]?.trim() ?? '';
    const folded = attributionAt(lines, i);
    if (folded > 0) {
      // Before quoted lines, remove only the attribution; otherwise all the rest is history.
      const next = lines.slice(i + folded, i + folded + 10).find((after) => after.trim() !== '');
      if (next === undefined || !next.trimStart().startsWith('>')) break;
      i += folded - 1;
    } else if (startsQuotedHistory(lines, i)) break;
    else if (!line.startsWith('>')) replyLines.push(lines[i] ?? '');
  }
  const reply = normalizeBlankLines(replyLines);
  return reply === '' ? normalizeBlankLines(lines) : reply;
}

/** Removes the signature. */
export const removeEmailSignature = (text: string): string =>
  normalizeBlankLines(withoutSignature(text.replaceAll('\r\n', '\n').split('\n')));

function withoutSignature(lines: readonly string[]): string[] {
  const mark = lines.findLastIndex((line) => signatureMark.test(line));
  // A mark with much text below it is a horizontal rule.
  const body = mark > 0 && lines.length - mark <= 12 ? lines.slice(0, mark) : [...lines];
  const last = body.findLastIndex((line) => line.trim() !== '');
  return phoneSignature.test(body[last]?.trim() ?? '') ? body.slice(0, last) : body;
}

/** Number of lines of the attribution that starts here; 0 if there is none. */
function attributionAt(lines: readonly string[], at: number): number {
  for (let count = 1; count <= foldedMax; count += 1) {
    const joined = lines
      .slice(at, at + count)
      .map((line) => line.trim())
      .join(' ');
    if (joined.length > lineCharactersMax || joined.startsWith('>')) return 0;
    // Cheap check first: every attribution ends with a colon.
    if (joined.endsWith(':') && attributions.some((pattern) => pattern.test(joined))) return count;
    if ((lines[at + count] ?? '').trim() === '') return 0;
  }
  return 0;
}

function startsQuotedHistory(lines: readonly string[], at: number): boolean {
  const line = (lines[at] ?? '').trim();
  if (line.length > lineCharactersMax || !/^[-_*FVD]/i.test(line)) return false;
  if (/^_{20,}$/.test(line)) return headerLine.test((lines[at + 1] ?? '').trim());
  if (separators.some((pattern) => pattern.test(line))) return true;
  return (
    headerLine.test(line) &&
    lines.slice(at + 1, at + 4).some((next) => sentLine.test(next.trim().slice(0, 100)))
  );
}

const normalizeBlankLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
