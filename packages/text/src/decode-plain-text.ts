/** Tab, line breaks and form feed: the control characters that occur in text. */
const textControls = [9, 10, 12, 13];
const escapeControl = 27;

interface DecodeOptions {
  /** The bytes are a prefix: the last character may be incomplete. */
  readonly isCut?: boolean;
  /** Allows escape sequences such as colors in a terminal log. */
  readonly withEscapes?: boolean;
}

/**
 * Decodes bytes as UTF-8 text, with or without a byte order mark. Returns null if they are not
 * valid UTF-8 or contain control characters that do not occur in text.
 */
export function decodePlainText(
  bytes: Uint8Array,
  { isCut = false, withEscapes = false }: DecodeOptions = {},
): string | null {
  const allowed = withEscapes ? [...textControls, escapeControl] : textControls;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
    // UTF-8 can encode any control character; content with others is not text.
    return bytes.every((byte) => byte >= 32 || allowed.includes(byte)) ? text : null;
  } catch {
    return null;
  }
}
