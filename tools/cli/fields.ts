import type { FieldData, Place, ValueType } from '../../packages/cli/src/command-data.ts';
import type { OpenApiOperation } from '../sdk/operation-source.ts';
import type { JsonSchema } from '../sdk/schema-type.ts';
import { descriptionsOfOperation, fieldDescriptions } from './descriptions.ts';
import { fieldsOfCode, flattenedFields } from './names.ts';

type Components = Readonly<Record<string, JsonSchema>>;

/** Headers that the client sets. */
const headersOfClient =
  /^(?:idempotency-key|last-event-id|prefer|tus-resumable|if-none-match|if-range)$/i;

/** Path, query and header parameters, without aliases of others. */
export function parameterFields({ parameters = [] }: OpenApiOperation): FieldData[] {
  const places = { path: 'params', query: 'query', header: 'headers' } as const;
  const canonical = parameters.filter(({ schema }) => !schema.deprecated);
  const all = canonical.map(({ name, in: place, required, schema }) => {
    const data = fieldOf(name, places[place], schema, required);
    const description = 'Only memories with this value of your own fields.';
    const isFilter = name === 'metadata' && place === 'query';
    return isFilter ? { ...data, type: 'filter' as const, description } : data;
  });
  return withSpaceOption(
    all.filter(({ field, place }) => place !== 'headers' || !headersOfClient.test(field)),
  );
}

/** Fields of a JSON body, without aliases of other fields. */
export function bodyFields(
  id: string,
  { requestBody }: OpenApiOperation,
  components: Components,
): FieldData[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return [];
  const flattened = flattenedFields[id] ?? [];
  const excluded = fieldsOfCode[id] ?? [];
  const all = propertiesOf(schema, components)
    .filter(({ name }) => !excluded.includes(name))
    .flatMap(({ name, property, required }) => {
      if (!flattened.includes(name)) {
        const description = descriptionsOfOperation[`${id}.${name}`];
        const data = fieldOf(name, 'body', property, required);
        return [description === undefined ? data : { ...data, description }];
      }
      return propertiesOf(property, components).map((nested) =>
        fieldOf(`${name}.${nested.name}`, 'body', nested.property, nested.required),
      );
    });
  return withSpaceOption(all.filter(({ description }) => !description.startsWith('Alias of')));
}

function propertiesOf(schema: JsonSchema, components: Components) {
  const { properties = {}, required = [] } = resolveSchema(schema, components);
  return Object.entries(properties)
    .filter(([, property]) => !property.deprecated)
    .map(([name, property]) => ({
      name,
      property: { ...resolveSchema(property, components), ...property },
      required: required.includes(name),
    }));
}

/** The component that a reference names, or the schema. */
export const resolveSchema = (schema: JsonSchema, components: Components): JsonSchema =>
  schema.$ref ? (components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] ?? {}) : schema;

/** One option names a space by its name or id, where the API has a field for each. */
function withSpaceOption(fields: readonly FieldData[]): FieldData[] {
  const isSpaceName = ({ field }: FieldData): boolean => /(?:^|\.)space$/.test(field);
  const isSpaceId = ({ field }: FieldData): boolean => /(?:^|\.)space_id$/.test(field);
  if (!fields.some(isSpaceName) || !fields.some(isSpaceId)) return [...fields];
  return fields
    .filter((one) => !isSpaceId(one))
    .map((one) => {
      if (!isSpaceName(one)) return one;
      const description = 'The space, by name or id; "default" is the account level.';
      return { ...one, type: 'space', description };
    });
}

function fieldOf(field: string, place: Place, schema: JsonSchema, required: boolean): FieldData {
  const values = valuesOf(schema);
  const isWord = place === 'headers' || place === 'params' || field === 'cursor';
  return {
    field,
    place,
    type: isWord ? 'word' : valueType(schema),
    description: describe(field, schema),
    ...(values.length > 0 && { values }),
    ...(required && { required: true }),
    ...(isNullable(schema) && place === 'body' && { nullable: true }),
  };
}

const typesOf = (schema: JsonSchema): readonly string[] => [
  ...[schema.type ?? []].flat(),
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(typesOf),
];

const variantsOf = (schema: JsonSchema): readonly JsonSchema[] => [
  schema,
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
];

const isNullable = (schema: JsonSchema): boolean => typesOf(schema).includes('null');

function valueType(schema: JsonSchema): ValueType {
  const types = new Set(typesOf(schema).filter((type) => type !== 'null'));
  if (types.has('array')) {
    const items = variantsOf(schema).find(({ items: one }) => one)?.items ?? {};
    if (items.$ref || items.type === 'object') return 'json';
    return items.type === 'number' ? 'numbers' : 'list';
  }
  if (types.has('object')) return 'object';
  if (types.has('boolean')) return 'boolean';
  if (types.has('integer')) return 'integer';
  return types.has('number') ? 'number' : textType(schema);
}

/** Longer than a name: a text that people keep in files. */
const longTextCharactersMin = 500;

function textType(schema: JsonSchema): ValueType {
  const texts = variantsOf(schema).filter(({ type }) => [type].flat().includes('string'));
  if (texts.some(({ format }) => format === 'date-time')) return 'time';
  const isText = texts.some(
    (one) =>
      one.format === undefined &&
      one.enum === undefined &&
      !('pattern' in one) &&
      (one.maxLength ?? Number.POSITIVE_INFINITY) >= longTextCharactersMin,
  );
  return isText ? 'text' : 'word';
}

function valuesOf(schema: JsonSchema): readonly string[] {
  const all = [...variantsOf(schema), ...variantsOf(schema).flatMap(({ items }) => items ?? [])];
  return all.flatMap((one) => one.enum ?? []).filter((one) => typeof one === 'string');
}

/** The text of the contract or of the table, with default and bounds. */
function describe(field: string, schema: JsonSchema): string {
  const name = field.slice(field.lastIndexOf('.') + 1);
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase();
  const plain =
    schema.description ?? fieldDescriptions[name] ?? `The ${words.replace(/ id$/, '')}.`;
  const bounds = /\d to \d|At 0/.test(plain) ? '' : boundsOf(schema);
  const { default: value } = schema;
  const isStated = value === undefined || plain.includes('Default:') || isEmpty(value);
  const fallback = isStated ? '' : `default: ${formatDefault(value)}`;
  const notes = [bounds, fallback].filter((note) => note !== '').join('; ');
  return notes === '' ? plain : `${plain.replace(/\.$/, '')} (${notes}).`;
}

const formatDefault = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const isEmpty = (value: unknown): boolean =>
  value === false || (typeof value === 'object' && JSON.stringify(value).length === 2);

/** The bounds of every safe integer say nothing. */
function boundsOf({ minimum, maximum }: JsonSchema): string {
  const from = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (from !== undefined && to !== undefined) return `${from} to ${to}`;
  return to === undefined ? '' : `at most ${to}`;
}
