/** Content of a winmail.dat ([MS-OXTNEF]): the parts that users see. */
export interface Tnef {
  readonly body: string | null;
  readonly attachments: readonly { readonly filename: string; readonly content: Uint8Array }[];
}

const signature = 0x223e9f78;
const attributes = {
  body: 0x0002800c,
  attachmentBegins: 0x00069002,
  attachmentTitle: 0x00018010,
  attachmentData: 0x0006800f,
} as const;
/** Level, id and length precede the bytes of an attribute, a checksum follows them. */
const headBytes = 9;
const checksumBytes = 2;
const attachmentsMax = 100;

/** Null if it is not TNEF; a truncated file yields the complete parts. */
export function parseTnef(bytes: Uint8Array): Tnef | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 6 || view.getUint32(0, true) !== signature) return null;
  let body: string | null = null;
  const attachments: { filename: string; content: Uint8Array }[] = [];
  let title = '';
  let at = 6;
  while (at + headBytes <= bytes.length) {
    const id = view.getUint32(at + 1, true);
    const length = view.getUint32(at + 5, true);
    const from = at + headBytes;
    if (from + length > bytes.length) break;
    const value = bytes.subarray(from, from + length);
    if (id === attributes.body) body = textOf(value);
    else if (id === attributes.attachmentBegins) title = '';
    else if (id === attributes.attachmentTitle) title = textOf(value);
    else if (id === attributes.attachmentData && attachments.length < attachmentsMax) {
      attachments.push({ filename: title || 'attachment', content: value });
    }
    at = from + length + checksumBytes;
  }
  return { body, attachments };
}

/** In the sender's code page, most often this one; zero-terminated. */
const textOf = (value: Uint8Array): string => {
  const end = value.indexOf(0);
  return new TextDecoder('windows-1252').decode(end < 0 ? value : value.subarray(0, end));
};
