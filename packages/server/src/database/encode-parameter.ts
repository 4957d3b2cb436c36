/** A value for the driver: text, bytes or null. PostgreSQL infers its type from the SQL. */
export type WireValue = string | Uint8Array | null;

/**
 * Encodes one parameter for the protocol, the same for both engines.
 *
 * In: string, number, bigint, boolean, null, Date, Uint8Array, and arrays of these (an array
 * becomes a PostgreSQL array literal, so cast it: `$1::uuid[]`). Pass JSON as a string with a
 * `::jsonb` cast. Throws TypeError for anything else, including undefined and plain objects, since
 * silently storing null or "[object Object]" would be worse.
 */
export function encodeParameter(value: unknown): WireValue {
  if (value === null) return null;
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return encodeArray(value);
  return encodeScalar(value);
}

function encodeScalar(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 't' : 'f';
  }
  // An invalid Date throws RangeError here, before anything is sent.
  if (value instanceof Date) return value.toISOString();
  throw new TypeError(`A ${describe(value)} cannot be a query parameter`);
}

function encodeArray(values: readonly unknown[]): string {
  const parts: string[] = [];
  for (const value of values) {
    if (value === null) parts.push('NULL');
    else if (Array.isArray(value)) parts.push(encodeArray(value));
    else if (typeof value === 'number' || typeof value === 'boolean') {
      parts.push(encodeScalar(value));
    } else if (value instanceof Uint8Array) {
      parts.push(`"\\\\x${hex(value)}"`);
    } else parts.push(quote(encodeScalar(value)));
  }
  return `{${parts.join(',')}}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function describe(value: unknown): string {
  if (value === undefined) return 'value that is undefined';
  return typeof value === 'object' ? 'plain object (pass JSON as a string)' : typeof value;
}
