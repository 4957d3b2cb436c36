import fc from 'fast-check';

/** As much of JSON Schema as the published document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly deprecated?: boolean;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

export interface ArbitrarySources {
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Ids, or names of spaces, some of which exist; `field` is where they go. */
  readonly ids: (field: string) => readonly string[];
  /** Texts of a field that fit more than the schema, if there are any. */
  readonly known?: (field: string) => readonly string[];
  /** Fields that hardly ever hold what fits beyond the schema: mostly left out. */
  readonly rare: ReadonlySet<string>;
}

/** Times that people write, and those at the edges of what can be stored. */
const times = [
  '2026-01-05T09:30:00Z',
  '2026-01-05',
  '20260105T093000+0130',
  '2024-02-29T23:59:59.999999-11:00',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
];

/** What is told of as text in the schema, and fits as few texts only. */
const urls = ['https://127.0.0.1:9/hook', 'https://[::1]/', 'https://127.0.0.1/?a=b#c'];
const events = ['*', 'memory.*', 'memory.created', 'space.updated', 'webhook.test', 'space.*'];
const eventFields = new Set(['events', 'event', 'event_type', 'event_types', 'trigger_type']);
const addresses = ['ana@example.com', 'Ben.Ito+x@mail.example.org', '*@example.com', 'a@b'];

const words = fc.constantFrom(
  'tea',
  'coffee',
  'battery',
  'zone7',
  'snake_case',
  'v1.2.3',
  '茶',
  '👍',
);

const texts = (schema: JsonSchema): fc.Arbitrary<string> => {
  const { minLength = 0, maxLength = 2_000 } = schema;
  const atBound = [minLength, ...(maxLength <= 2_000 ? [maxLength] : [])].map((n) => 'x'.repeat(n));
  const fitted = (text: string): string =>
    [...text].slice(0, maxLength).join('').padEnd(minLength, '.');
  return fc
    .oneof(
      {
        weight: 5,
        arbitrary: fc.array(words, { minLength: 1, maxLength: 8 }).map((w) => w.join(' ')),
      },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...atBound, '"a phrase" -not', '-"', '%', '\\', "'"),
      },
    )
    .map((text) => fitted(text.replaceAll('\u0000', '')));
};

/** Inputs that fit the schema. */
export function arbitraryFor(
  schema: JsonSchema,
  sources: ArbitrarySources,
  field = '',
): fc.Arbitrary<unknown> {
  if (schema.$ref) {
    return arbitraryFor(
      sources.components[schema.$ref.split('/').at(-1) ?? ''] ?? {},
      sources,
      field,
    );
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.anyOf)
    return fc.oneof(...schema.anyOf.map((one) => arbitraryFor(one, sources, field)));
  if (typeof schema.type !== 'string') {
    const types = schema.type ?? ['string', 'integer', 'boolean', 'null'];
    return fc.oneof(...types.map((type) => arbitraryFor({ ...schema, type }, sources, field)));
  }
  return arbitraryOfType(schema, sources, field);
}

function arbitraryOfType(
  schema: JsonSchema,
  sources: ArbitrarySources,
  field: string,
): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer': {
      const { minimum: min = -1_000, maximum: max = 1_000 } = schema;
      return fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }));
    }
    case 'number': {
      const { minimum: min = -1e6, maximum: max = 1e6 } = schema;
      return fc.oneof(fc.constantFrom(min, max), fc.double({ min, max, noNaN: true }));
    }
    case 'array': {
      const { minItems = 0, maxItems = 4, items = {} } = schema;
      const maxLength = Math.max(minItems, Math.min(4, maxItems));
      return fc.array(arbitraryFor(items, sources, field), { minLength: minItems, maxLength });
    }
    case 'object':
      return objects(schema, sources);
    default:
      return strings(schema, sources, field);
  }
}

const textsMatching = ({ pattern = '', maxLength = 2_000 }: JsonSchema): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));

function strings(
  schema: JsonSchema,
  sources: ArbitrarySources,
  field: string,
): fc.Arbitrary<string> {
  const known = sources.known?.(field) ?? [];
  const any = stringsOfSchema(schema, sources, field);
  if (known.length === 0) return any;
  return fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: any },
  );
}

function stringsOfSchema(
  schema: JsonSchema,
  { ids }: ArbitrarySources,
  field: string,
): fc.Arbitrary<string> {
  if (schema.format === 'date-time') return fc.constantFrom(...times);
  if (schema.format === 'uri') return fc.constantFrom(...urls);
  if (schema.format === 'email') return fc.constantFrom(...addresses);
  if (eventFields.has(field)) return fc.constantFrom(...events);
  if (schema.pattern !== undefined) return textsMatching(schema);
  const { description } = schema as { description?: string };
  const isKnown =
    schema.format === 'uuid' || /space id|^name of the space/i.test(description ?? '');
  if (!isKnown) return texts(schema);
  return fc.nat().map((n) => {
    const known = ids(field);
    return known[n % known.length] ?? '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';
  });
}

/**
 * The fields of a request. A space goes by its name or by its id: both are refused before anything
 * else is looked at, so that hardly any request has them.
 */
export const arbitraryFields = (
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  requiredKeys: string[],
): fc.Arbitrary<Record<string, unknown>> =>
  fc.tuple(fc.record(fields, { requiredKeys }), fc.nat(9)).map(([all, n]) => {
    if (all.space === undefined || n === 0) return all;
    const { space_id: _, team_space_id: _alias, ...others } = all;
    return others;
  });

/** Undefined is left out by who writes the request. */
export function field(
  name: string,
  schema: JsonSchema,
  sources: ArbitrarySources,
): fc.Arbitrary<unknown> {
  const fits = arbitraryFor(schema, sources, name);
  if (!sources.rare.has(name) && !schema.deprecated) return fits;
  // An alias hardly ever has the value of its canonical name, and another value is refused.
  const weight = schema.deprecated ? 39 : 9;
  return fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fits });
}

function objects(schema: JsonSchema, sources: ArbitrarySources): fc.Arbitrary<unknown> {
  const { properties = {}, additionalProperties } = schema;
  const fields = Object.entries(properties).map(
    ([name, child]) => [name, field(name, child, sources)] as const,
  );
  const known = arbitraryFields(Object.fromEntries(fields), requiredOf(schema));
  if (additionalProperties === undefined || additionalProperties === false) return known;
  const value =
    additionalProperties === true
      ? fc.jsonValue({ maxDepth: 2 })
      : arbitraryFor(additionalProperties, sources);
  const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  const free = fc.dictionary(key, value, { maxKeys: 3 });
  return fc.tuple(known, free).map(([one, two]) => ({ ...two, ...one }));
}

/** Required fields; of those with two names, the canonical one. */
const requiredOf = ({ required = [], allOf = [] }: JsonSchema): string[] => [
  ...required,
  ...allOf.flatMap(({ anyOf = [] }) => anyOf[0]?.required ?? []),
];

/** Values that fit nothing, or hardly anything. */
const invalidValues: readonly unknown[] = [
  null,
  true,
  'true',
  '',
  ' ',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  'x'.repeat(300),
  'x'.repeat(20_000),
  0,
  -1,
  0.5,
  11,
  101,
  1e21,
  2 ** 53 + 2,
  -(2 ** 63),
  5e-324,
  [],
  {},
  [[]],
  [null],
  { $ref: '#' },
  { toString: 1, constructor: { prototype: 1 } },
  'null',
  'default',
  '019b8d1c',
  'mem_019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e',
  'rel_019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e',
  '2026-02-30',
  '2026-01-05T09:30:00',
  '275760-09-13',
  Array.from({ length: 101 }, (_, i) => `t${i}`),
];
const arbitraryInvalidValue: fc.Arbitrary<unknown> = fc.constantFrom(...invalidValues);

/** One place of a fitting input changed: another value, gone, or one that is unknown beside it. */
export function withOneMutation(fits: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fits,
      fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
      arbitraryInvalidValue,
      fc.nat(9),
    )
    .map(([input, path, value, how]) => replaceAt(input, path, value, how));
}

function replaceAt(input: unknown, path: readonly number[], value: unknown, how: number): unknown {
  if (typeof input !== 'object' || input === null) return value;
  const copy = (Array.isArray(input) ? [...input] : { ...input }) as Record<string, unknown>;
  const names = Object.keys(copy);
  const [step = 0, ...rest] = path;
  if (how === 0 || names.length === 0) return { ...copy, unknown_field: value };
  const name = names[step % names.length] ?? '';
  if (how === 1 && !Array.isArray(input)) delete copy[name];
  else copy[name] = rest.length > 0 ? replaceAt(copy[name], rest, value, how) : value;
  return copy;
}
