import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** As a language model counts, whatever the text says. */
export const tokenCount = (text: string): number =>
  countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });

export interface ContextEntry {
  readonly id: string;
  /** What stands behind the id on its line: the day, and who said it. */
  readonly heading: string;
  readonly text: string;
}

const head = /^\[([0-9a-f-]{36})\] (\d{4}-\d\d-\d\d.*)\n/;

/** The memories of a context, as a reader takes it apart who knows which ids were given. */
export function parseEntries(context: string, ids: readonly string[]): ContextEntry[] {
  const starts = ids.map((id) => context.indexOf(`[${id}] `));
  return ids.map((id, i) => {
    const piece = context.slice(starts[i], starts[i + 1] ?? context.length);
    const [line = '', cited, told = ''] = head.exec(piece) ?? [];
    if (cited !== id) throw new Error(`not at its place: ${id}`);
    if (!piece.endsWith('\n\n')) throw new Error(`no empty line behind ${id}`);
    return { id, heading: told, text: piece.slice(line.length, -2) };
  });
}
