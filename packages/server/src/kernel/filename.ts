import { limits } from '@mneme/contract';

/** As it was sent, without folders and control characters; null where nothing is left of it. */
export function plainFilename(sent: string): string | null {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .trim();
  return plain === '' ? null : Array.from(plain).slice(0, limits.filenameCharactersMax).join('');
}
