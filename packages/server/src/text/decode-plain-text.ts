/** Tab, line breaks and form feed: the control characters that texts do have. */
const textControls = [9, 10, 12, 13];
const escapeControl = 27;

interface DecodeOptions {
  /** The bytes are the begin of more: the last character may be cut in two. */
  readonly isCut?: boolean;
  /** Colours and the like, as in the log of a terminal. */
  readonly withEscapes?: boolean;
}

/**
 * The bytes as a text, where they are one: UTF-8 without other control characters than a text has,
 * with or without a byte order mark. Null: they are something else.
 */
export function decodePlainText(
  bytes: Uint8Array,
  { isCut = false, withEscapes = false }: DecodeOptions = {},
): string | null {
  const allowed = withEscapes ? [...textControls, escapeControl] : textControls;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    // UTF-8 can say any control character; what holds others is no text.
    return bytes.every((byte) => byte >= 32 || allowed.includes(byte)) ? text : null;
  } catch {
    return null;
  }
}
