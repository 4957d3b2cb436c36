export interface TextLine {
  /** From 1. */
  readonly number: number;
  /** Null: the line is longer than the limit. */
  readonly text: string | null;
  /** Whether a line break ends it. */
  readonly isEnded: boolean;
}

/** The lines of a text, which holds at most `charactersMax` of one line in memory. */
export async function* readTextLines(
  text: AsyncIterable<string>,
  charactersMax: number,
): AsyncGenerator<TextLine> {
  let parts: string[] = [];
  let characters = 0;
  let number = 1;
  const add = (part: string): void => {
    characters += part.length;
    if (characters <= charactersMax) parts.push(part);
    else parts = [];
  };
  const line = (isEnded: boolean): TextLine => {
    const whole = characters > charactersMax ? null : parts.join('').replace(/\r$/, '');
    parts = [];
    characters = 0;
    return { number: number++, text: whole, isEnded };
  };
  for await (const chunk of text) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      add(chunk.slice(from, end));
      yield line(true);
      from = end + 1;
    }
    if (from < chunk.length) add(chunk.slice(from));
  }
  if (characters > 0) yield line(false);
}
