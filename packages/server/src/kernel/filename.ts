import { limits } from '@mneme/contract';

/** The file name without folders and control characters; null if it is empty then. */
export function sanitizeFilename(sent: string): string | null {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim();
  return plain === '' ? null : Array.from(plain).slice(0, limits.filenameCharactersMax).join('');
}

/** Content-Disposition by RFC 6266: the name in ASCII for old clients, and in UTF-8. */
export function contentDisposition(how: 'inline' | 'attachment', filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
