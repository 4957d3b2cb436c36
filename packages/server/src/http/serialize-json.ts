import { Readable } from 'node:stream';

/** A text up to this length is made whole, which takes a millisecond or two. */
const bufferedCharactersMax = 262_144;

/**
 * The JSON of an answer: a string, or a stream where it is long. A long answer is made a piece at
 * a time while it is sent, so that it is never whole in memory beside what it was made of.
 */
export function serializeJson(body: unknown): string | Readable {
  const pieces = jsonChunks(body);
  let text = '';
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return text;
    text += value;
    if (text.length > bufferedCharactersMax)
      return Readable.from(remainingChunks(text, pieces), { highWaterMark: 1 });
  }
}

function* remainingChunks(begun: string, pieces: Iterable<string>): Generator<string> {
  let text = begun;
  for (const piece of pieces) {
    if (text.length > bufferedCharactersMax) {
      yield text;
      text = '';
    }
    text += piece;
  }
  yield text;
}

/** What JSON.stringify makes of it, with each entry of the lists of the outermost object apart. */
function* jsonChunks(body: unknown): Generator<string, undefined> {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || 'toJSON' in body) {
    yield JSON.stringify(body);
    return undefined;
  }
  let before = '{';
  for (const [key, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? null : JSON.stringify(value);
    if (text === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (text !== null) yield text;
    else yield* arrayChunks(value as unknown[]);
  }
  yield before === '{' ? '{}' : '}';
  return undefined;
}

function* arrayChunks(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const entry of list) {
    yield `${before}${JSON.stringify(entry) ?? 'null'}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
