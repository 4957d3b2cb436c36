import { stripInjectedContext } from './injected-context.ts';
import { type RedactionCounts, redactSecrets } from './redact-secrets.ts';

/** A longer turn is pasted data: its start says what it is about. */
const charactersMax = 20_000;
/** Read for secrets, so that none is cut in two where a turn ends. */
const readCharactersMax = 3 * charactersMax;
const ellipsis = '…';

export interface CleanTurn {
  /** Empty if there is nothing to store. */
  readonly text: string;
  readonly counts: RedactionCounts;
}

/**
 * A turn of a conversation as it is stored: without injected context, with secrets redacted, and
 * cut to 20,000 characters and `bytesMax` bytes.
 */
export function cleanTurn(text: string, bytesMax = Number.POSITIVE_INFINITY): CleanTurn {
  const head = stripInjectedContext(text).slice(0, readCharactersMax);
  const storable = head.toWellFormed().replaceAll('\u0000', '').trim();
  const { text: redacted, counts } = redactSecrets(storable);
  return { text: truncate(redacted, bytesMax), counts };
}

function truncate(text: string, bytesMax: number): string {
  const bytes = new TextEncoder().encode(text);
  if (text.length <= charactersMax && bytes.length <= bytesMax) return text;
  const room = Math.min(bytesMax, bytes.length) - new TextEncoder().encode(ellipsis).length;
  const fitting = new TextDecoder().decode(bytes.subarray(0, Math.max(0, room)));
  // The decoder replaces a character that was cut.
  const head = fitting.replace(/\ufffd+$/, '').slice(0, charactersMax - 1);
  return `${head.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}${ellipsis}`;
}
