import {
  addRedactionCounts,
  type RedactionCounts,
  redactSecrets,
  stripInjectedContext,
} from '@mneme/contract/redaction';
import { isObject } from './json-value.ts';

/** As the API limits metadata. */
const metadataBytesMax = 16_384;
const depthMax = 30;

/** Makes texts storable, and redacts and counts the secrets in them. */
export class ValueCleaner {
  redacted: RedactionCounts = {};

  text(text: string): string {
    const storable = text.toWellFormed().replaceAll('\u0000', '');
    const { text: clean, counts } = redactSecrets(storable);
    this.redacted = addRedactionCounts(this.redacted, counts);
    return clean;
  }

  /** A message without the memories that were added to a prompt. */
  message(text: string): string {
    return this.text(stripInjectedContext(text)).trim();
  }

  /** A text on one line of at most so many characters. */
  line(text: string, charactersMax: number): string {
    const line = this.text(text).replaceAll(/\s+/g, ' ').trim();
    return [...line.slice(0, 2 * charactersMax)].slice(0, charactersMax).join('');
  }

  /** Its fields up to the limits of the API, the small ones first. */
  metadata(value: Readonly<Record<string, unknown>>): {
    readonly metadata: Record<string, unknown>;
    readonly isComplete: boolean;
  } {
    const entries = Object.entries(value).map(([name, one]) => {
      const field = this.line(name, 255);
      const clean = this.#value(one, depthMax);
      // Its name, the quotes and the comma belong to it.
      const bytes = Buffer.byteLength(JSON.stringify({ [field]: clean }));
      return { field, clean, bytes };
    });
    const small = entries.toSorted((a, b) => a.bytes - b.bytes);
    const kept = new Set<string>();
    let bytes = 2;
    for (const one of small) {
      if (one.field === '' || bytes + one.bytes > metadataBytesMax) continue;
      bytes += one.bytes;
      kept.add(one.field);
    }
    const fields = entries.filter(({ field }) => kept.has(field));
    const isComplete = fields.length === entries.length;
    return {
      metadata: Object.fromEntries(fields.map(({ field, clean }) => [field, clean])),
      isComplete,
    };
  }

  #value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.text(value);
    if (depth === 0) return null;
    if (Array.isArray(value)) return value.map((one) => this.#value(one, depth - 1));
    if (value instanceof Date) return value.toISOString();
    if (isObject(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([name, one]) => [this.text(name), this.#value(one, depth - 1)]),
      );
    }
    const isPlain = typeof value === 'boolean' || Number.isFinite(value);
    return isPlain ? value : value == null ? null : String(value);
  }
}
