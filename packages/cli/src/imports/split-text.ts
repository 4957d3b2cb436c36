const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Where a text is split best, from its end: after a paragraph, a line, a sentence, a word. */
const breaks = [/\n[ \t]*\n/g, /\n/g, /[.!?]\s/g, /\s/g];

/**
 * A text in parts of at most `bytesMax` bytes of UTF-8, split after a paragraph if one ends in the
 * second half of a part, otherwise after a line, a sentence or a word.
 */
export function splitText(text: string, bytesMax: number): string[] {
  const bytes = encoder.encode(text);
  if (bytes.length <= bytesMax) return [text];
  const parts: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const head = readHead(bytes.subarray(from), bytesMax);
    const isLast = from + encoder.encode(head).length >= bytes.length;
    const part = isLast ? head : head.slice(0, findBreak(head));
    if (part.trim() !== '') parts.push(part.trim());
    from += encoder.encode(part).length;
  }
  return parts;
}

/** The longest start with whole characters. */
function readHead(bytes: Uint8Array, bytesMax: number): string {
  let end = Math.min(bytesMax, bytes.length);
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return decoder.decode(bytes.subarray(0, end));
}

function findBreak(head: string): number {
  const half = Math.floor(head.length / 2);
  for (const pattern of breaks) {
    const last = [...head.slice(half).matchAll(pattern)].at(-1);
    if (last) return half + last.index + last[0].length;
  }
  return head.length;
}
