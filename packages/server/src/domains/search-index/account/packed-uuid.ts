/** UUIDs as four unsigned integers of 32 bits each, in the order of their digits. */
export const uuidWords = 4;

const digitsPerWord = 8;
const characters = 36;
const dash = 45;
const digits = '0123456789abcdef';
const isDashAt = (i: number): boolean => i === 8 || i === 13 || i === 18 || i === 23;

/** By character code: the value of a digit; −1 for others. */
const values = new Int8Array(128).fill(-1);
for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;

/**
 * Stores a UUID in lower case and returns true. False for any other text and for the nil UUID,
 * whose integers stand for none; what was stored then has no meaning.
 */
export function parseUuid(id: string, target: Uint32Array, at: number): boolean {
  if (id.length !== characters) return false;
  let [word, count, any] = [0, 0, 0];
  for (let i = 0; i < characters; i += 1) {
    const code = id.charCodeAt(i);
    if (isDashAt(i)) {
      if (code !== dash) return false;
      continue;
    }
    const value = code < values.length ? (values[code] as number) : -1;
    if (value < 0) return false;
    word = (word << 4) | value;
    count += 1;
    if (count % digitsPerWord !== 0) continue;
    target[at + count / digitsPerWord - 1] = word;
    any |= word;
    word = 0;
  }
  return any !== 0;
}

const text = Buffer.alloc(characters, dash);

export function formatUuid(words: Uint32Array, at: number): string {
  let i = 0;
  for (let word = at; word < at + uuidWords; word += 1) {
    for (let shift = 28; shift >= 0; shift -= 4) {
      if (isDashAt(i)) i += 1;
      text[i] = digits.charCodeAt(((words[word] as number) >>> shift) & 15);
      i += 1;
    }
  }
  return text.toString('latin1');
}

/** In the order of their texts. */
export function compareUuids(a: Uint32Array, from: number, b: Uint32Array, to: number): number {
  for (let word = 0; word < uuidWords; word += 1) {
    const [left, right] = [a[from + word] as number, b[to + word] as number];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
