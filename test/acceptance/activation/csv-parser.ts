/**
 * Reads CSV strictly by RFC 4180: fields apart by commas, records ended by CRLF, a field with a
 * comma, a quote or a line end within quotes, a quote doubled. Throws where a text is anything
 * else. Gives the records by the names of the first one.
 */
export function readCsv(text: string): Record<string, string>[] {
  const [names = [], ...records] = readRows(text);
  return records.map((record, i) => {
    if (record.length !== names.length) throw new Error(`record ${i} has ${record.length} fields`);
    return Object.fromEntries(names.map((name, column) => [name, record[column] ?? '']));
  });
}

/** All cells, the names too. */
export function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const { value, end } = readField(text, at);
    row.push(value);
    if (text[end] === ',') {
      at = end + 1;
    } else if (text.startsWith('\r\n', end)) {
      rows.push(row);
      row = [];
      at = end + 2;
    } else {
      throw new Error(`neither a comma nor CRLF at ${end}`);
    }
  }
  if (row.length > 0) throw new Error('the last record has no end');
  return rows;
}

function readField(text: string, from: number): { value: string; end: number } {
  if (text[from] !== '"') {
    let end = from;
    while (end < text.length && text[end] !== ',' && text[end] !== '\r') {
      if (text[end] === '"' || text[end] === '\n') throw new Error(`a bare sign at ${end}`);
      end += 1;
    }
    return { value: text.slice(from, end), end };
  }
  let value = '';
  for (let at = from + 1; at < text.length; at += 1) {
    if (text[at] !== '"') value += text[at];
    else if (text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else return { value, end: at + 1 };
  }
  throw new Error(`the quotes at ${from} are never closed`);
}
