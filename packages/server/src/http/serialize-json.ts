import { Readable } from 'node:stream';

/** A text up to this length is serialized at once, which takes one or two milliseconds. */
const bufferedCharactersMax = 262_144;

/**
 * The JSON of a response: a string, or a stream if it is long. A long response is serialized in
 * chunks while it is sent, so that its complete text is never in memory.
 */
export function serializeJson(body: unknown): string | Readable {
  const chunks = jsonChunks(body);
  let text = '';
  for (;;) {
    const { done, value } = chunks.next();
    if (done) return text;
    text += value;
    if (text.length > bufferedCharactersMax)
      return Readable.from(remainingChunks(text, chunks), { highWaterMark: 1 });
  }
}

function* remainingChunks(start: string, chunks: Iterable<string>): Generator<string> {
  let text = start;
  for (const chunk of chunks) {
    if (text.length > bufferedCharactersMax) {
      yield text;
      text = '';
    }
    text += chunk;
  }
  yield text;
}

/** The result of JSON.stringify, with a chunk per entry of the lists of the outermost object. */
function* jsonChunks(body: unknown): Generator<string, undefined> {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || 'toJSON' in body) {
    yield JSON.stringify(body);
    return undefined;
  }
  let before = '{';
  const repeated = new RepeatedList(Object.values(body));
  for (const [key, value] of Object.entries(body)) {
    const text = Array.isArray(value) ? null : JSON.stringify(value);
    if (text === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (text !== null) yield text;
    else yield* repeated.chunksOf(value as unknown[]);
  }
  yield before === '{' ? '{}' : '}';
  return undefined;
}

/** A list that a body has under two names: its text is made once, unless it is long. */
class RepeatedList {
  readonly #list: unknown;
  #text: string | null = null;

  constructor(values: readonly unknown[]) {
    this.#list = values.find((value, at) => Array.isArray(value) && values.lastIndexOf(value) > at);
  }

  *chunksOf(list: readonly unknown[]): Generator<string> {
    if (list !== this.#list) yield* arrayChunks(list);
    else if (this.#text !== null) yield this.#text;
    else yield* this.#keepText(list);
  }

  *#keepText(list: readonly unknown[]): Generator<string> {
    let text: string | null = '';
    for (const chunk of arrayChunks(list)) {
      if (text !== null) text += chunk;
      if (text !== null && text.length > bufferedCharactersMax) text = null;
      yield chunk;
    }
    this.#text = text;
  }
}

function* arrayChunks(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const entry of list) {
    yield `${before}${JSON.stringify(entry) ?? 'null'}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
