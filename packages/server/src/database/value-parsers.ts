/** Parses the text form of one value. */
export type TextParser = (text: string) => unknown;

/** Type OIDs of PostgreSQL's catalog pg_type. */
export const BYTEA_OID = 17;
const BOOL = 16;
const CHAR = 18;
const NAME = 19;
const INT8 = 20;
const INT2 = 21;
const INT4 = 23;
const TEXT = 25;
const OID = 26;
const JSON_TEXT = 114;
const FLOAT4 = 700;
const FLOAT8 = 701;
const BPCHAR = 1042;
const VARCHAR = 1043;
const DATE = 1082;
const TIMESTAMPTZ = 1184;
const NUMERIC = 1700;
const UUID = 2950;
const JSONB = 3802;

const asText: TextParser = (text) => text;

function safeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`The integer ${text} exceeds the safe integer range`);
}

function timestamp(text: string): Date {
  // "2026-01-02 03:04:05.678901+00": the session uses UTC, so the offset is always +00.
  const value = new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`);
  if (text.endsWith('+00') && !Number.isNaN(value.getTime())) return value;
  throw new RangeError(`The timestamp ${text} cannot be represented as a Date`);
}

function bytes(text: string): Uint8Array {
  // A copy with offset 0, so that typed arrays with wider elements can view it.
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}

const scalars = new Map<number, TextParser>([
  [BOOL, (text) => text === 't'],
  [BYTEA_OID, bytes],
  [INT8, safeInteger],
  [INT2, Number],
  [INT4, Number],
  [OID, Number],
  [FLOAT4, Number],
  [FLOAT8, Number],
  [JSON_TEXT, JSON.parse],
  [JSONB, JSON.parse],
  [TIMESTAMPTZ, timestamp],
]);

/** Array types and their element types. */
const elements = new Map<number, number>([
  [1000, BOOL],
  [1001, BYTEA_OID],
  [1002, CHAR],
  [1003, NAME],
  [1005, INT2],
  [1007, INT4],
  [1009, TEXT],
  [1014, BPCHAR],
  [1015, VARCHAR],
  [1016, INT8],
  [1021, FLOAT4],
  [1022, FLOAT8],
  [1028, OID],
  [1182, DATE],
  [1185, TIMESTAMPTZ],
  [1231, NUMERIC],
  [199, JSON_TEXT],
  [2951, UUID],
  [3807, JSONB],
]);

const arrays = new Map<number, TextParser>();
for (const [array, element] of elements) {
  const parse = scalars.get(element) ?? asText;
  arrays.set(array, (text) => parseArray(text, parse));
}

/**
 * The parser for a type, the same for both engines.
 *
 * boolean → boolean · int2, int4, oid, float4, float8 → number · int8 → number, RangeError when it
 * is not exact · numeric → string (cast to float8 for a number) · timestamptz → Date (milliseconds)
 * · bytea → Uint8Array of its own buffer · json, jsonb → parsed · arrays of these → arrays · every
 * other type (text, uuid, date, timestamp, interval, tsvector …) → PostgreSQL's text.
 */
export function getTextParser(type: number): TextParser {
  return scalars.get(type) ?? arrays.get(type) ?? asText;
}

/** Parses an array literal such as `{1,NULL,"a,b",{2}}`; lower bounds (`[2:3]=`) are dropped. */
function parseArray(text: string, parse: TextParser): unknown[] {
  let at = text.indexOf('{') + 1;

  function quoted(): string {
    let value = '';
    for (at += 1; text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  }

  function plain(): unknown {
    const start = at;
    while (text[at] !== ',' && text[at] !== '}') at += 1;
    const value = text.slice(start, at);
    return value === 'NULL' ? null : parse(value);
  }

  function list(): unknown[] {
    const values: unknown[] = [];
    while (text[at] !== '}') {
      if (text[at] === ',') at += 1;
      if (text[at] === '{') {
        at += 1;
        values.push(list());
      } else values.push(text[at] === '"' ? parse(quoted()) : plain());
    }
    at += 1;
    return values;
  }

  return list();
}
