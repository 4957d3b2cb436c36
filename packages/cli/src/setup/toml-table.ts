import { CliError } from '../errors.ts';

/** `[mcp_servers.mneme]` up to the next header; TOML has no table within the lines of another. */
const headerOf = (name: string): RegExp =>
  new RegExp(
    `^[ \\t]*\\[[ \\t]*${name.replaceAll('.', '[ \\t]*\\.[ \\t]*')}[ \\t]*\\][^\\n]*$`,
    'm',
  );
const anyHeader = /^[ \t]*\[/m;

/** The text of a table with its header; undefined if there is none. */
export function getTomlTable(text: string, name: string): string | undefined {
  const place = placeOf(text, name);
  return place && text.slice(place.start, place.end);
}

function placeOf(text: string, name: string): { start: number; end: number } | undefined {
  const found = headerOf(name).exec(text);
  if (!found) return undefined;
  const bodyStart = found.index + found[0].length;
  const next = anyHeader.exec(text.slice(bodyStart));
  return { start: found.index, end: next ? bodyStart + next.index : text.length };
}

/**
 * The text with another table of this name, at the same place or at the end; undefined removes it.
 * Everything else stays as it is. Throws CliError `unreadable_file` if the file writes the table in
 * another form.
 */
export function setTomlTable(
  text: string,
  name: string,
  table: string | undefined,
  file: string,
): string {
  const place = placeOf(text, name);
  if (!place) {
    if (table === undefined) return text;
    requireNoOtherForm(text, name, file);
    const gap = text === '' ? '' : text.endsWith('\n') ? '\n' : '\n\n';
    return `${text}${gap}${table}`;
  }
  const before = text.slice(0, place.start);
  const after = text.slice(place.end);
  if (table !== undefined) return `${before}${table}${after === '' ? '' : '\n'}${after}`;
  return after === '' ? before.replace(/\n\n$/, '\n') : before + after;
}

/** `mcp_servers = { … }` and `mcp_servers.mneme.url = …` cannot have a table, too. */
function requireNoOtherForm(text: string, name: string, file: string): void {
  const [first = ''] = name.split('.');
  const other = new RegExp(
    `^[ \\t]*${first}[ \\t]*(?:=|\\.)|^[ \\t]*\\[[ \\t]*"?${first}"?[ \\t]*\\]`,
    'm',
  );
  if (!other.test(text)) return;
  throw new CliError(
    'unreadable_file',
    `${file} writes ${first} without a table for each server: add [${name}] by hand.`,
  );
}
