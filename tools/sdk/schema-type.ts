/** JSON Schema, as far as the OpenAPI document of the contract uses it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  /** Pairs of names of which one is required. */
  readonly allOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly format?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** The TypeScript type of a schema, as source text; nested lines start with `indent`. */
export function schemaType(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return componentName(schema.$ref);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return union(variants.map((variant) => schemaType(variant, indent)));
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length === 0) return schema.properties ? objectType(schema, indent) : 'unknown';
  return union(types.map((type) => plainType(type, schema, indent)));
}

/** The members of an object type with their comments, one line each at least. */
export function members(schema: JsonSchema, indent: string): string[] {
  const required = new Set(schema.required);
  const named = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = required.has(name) ? '' : '?';
    const type = schemaType(property, indent);
    const optional = required.has(name) || type === 'unknown' ? type : `${type} | undefined`;
    return `${comment(describe(property), indent)}${indent}${key(name)}${mark}: ${optional};`;
  });
  const rest = schema.additionalProperties;
  const hasRest = rest === true || (typeof rest === 'object' && named.length > 0);
  return hasRest ? [...named, `${indent}[name: string]: unknown;`] : named;
}

/** A documentation comment above a line; nothing without a text. */
export function comment(text: string, indent = ''): string {
  if (text === '') return '';
  const lines = wrap(text.replaceAll('*/', '*\\/'), 96 - indent.length);
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

/** `a.b` and `a-b` need quotes. */
export const key = (name: string): string => (/^[\w$]+$/.test(name) ? name : literal(name));

export const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);

const componentName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function plainType(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'string' && schema.format === 'binary') return 'Blob';
  if (type === 'array') {
    const item = schemaType(schema.items ?? {}, indent);
    return /[|{]/.test(item) ? `Array<${item}>` : `${item}[]`;
  }
  return type === 'object' ? objectType(schema, indent) : type;
}

function objectType(schema: JsonSchema, indent: string): string {
  const rest = schema.additionalProperties;
  if (Object.keys(schema.properties ?? {}).length > 0) {
    const fields = `{\n${members(schema, `${indent}  `).join('\n')}\n${indent}}`;
    return [fields, ...requiredNames(schema, indent)].join(' & ');
  }
  if (rest === false) return 'Record<string, never>';
  const isTyped = typeof rest === 'object' && Object.keys(rest).length > 0;
  return `Record<string, ${isTyped ? schemaType(rest, indent) : 'unknown'}>`;
}

/** Of each pair of names, the type of an object with one of them. */
const requiredNames = ({ allOf = [], properties = {} }: JsonSchema, indent: string): string[] =>
  allOf.map(({ anyOf = [] }) => {
    const names = anyOf.flatMap(({ required = [] }) => required);
    const variants = names.map((name) => {
      return `{ ${key(name)}: ${schemaType(properties[name] ?? {}, indent)} }`;
    });
    return `(${union(variants)})`;
  });

/** What a reader needs besides the type: the text, the default and the bounds. */
function describe(schema: JsonSchema): string {
  const { description = '', deprecated, default: value } = schema;
  const { minimum, maximum, minItems, maxItems, maxLength } = schema;
  const bounds = [
    ...boundText(minimum, maximum, ''),
    ...boundText(minItems, maxItems, ' items'),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
  ];
  const limits = bounds.length > 0 ? [`${capitalize(bounds.join(', '))}.`] : [];
  const defaults = value === undefined ? [] : [`Default: ${JSON.stringify(value)}.`];
  const text = deprecated ? `@deprecated ${description}` : description;
  return [...(text ? [text] : []), ...limits, ...defaults].join(' ');
}

/** The bounds of every safe integer say nothing. */
function boundText(min: number | undefined, max: number | undefined, unit: string): string[] {
  const from = min !== undefined && min > Number.MIN_SAFE_INTEGER ? min : undefined;
  const to = max !== undefined && max < Number.MAX_SAFE_INTEGER ? max : undefined;
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`];
  if (from !== undefined) return [`at least ${from}${unit}`];
  return to === undefined ? [] : [`at most ${to}${unit}`];
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
