/** Types of Python for schemas: classes for responses, typed dictionaries for requests. */
import { toIdentifier, toPascal, toSingular } from './names.ts';
import { nameOfInline, nameOfLiteral } from './overrides.ts';
import { alternatives, type OpenApiDocument, refName, type Schema, shapeKey } from './schema.ts';

/** A type as text, with the names that it needs. */
export interface PythonType {
  readonly text: string;
  readonly names: readonly string[];
}

interface Field {
  readonly name: string;
  readonly type: PythonType;
  readonly isRequired: boolean;
  readonly description?: string | undefined;
}

export interface ClassDefinition {
  readonly kind: 'model' | 'dictionary';
  readonly name: string;
  /** The first area that uses it. */
  readonly area: string;
  readonly fields: readonly Field[];
  /** Of a page: its records. */
  readonly page?: { readonly field: string; readonly record: PythonType };
}

export interface AliasDefinition {
  readonly kind: 'alias';
  readonly name: string;
  readonly area: string;
  readonly type: PythonType;
}

export type Definition = ClassDefinition | AliasDefinition;

/**
 * Fields that can contain the records of a page, as in packages/sdk/src/paginate.ts. `data` is the
 * last, because earlier services return it only where no other is published.
 */
const recordFields = ['memories', 'entities', 'entries', 'facts', 'relationships', 'data'] as const;

/** More values than these have a name of their own. */
const inlineValuesMax = 4;
const inlineColumnsMax = 60;

const plain = (text: string, ...names: string[]): PythonType => ({ text, names });
const union = (types: readonly PythonType[], isNullable: boolean): PythonType => ({
  text: [...new Set(types.map(({ text }) => text)), ...(isNullable ? ['None'] : [])].join(' | '),
  names: types.flatMap(({ names }) => names),
});

type Direction = 'response' | 'request';

/** Collects the definitions of a document while its schemas are converted. */
export class TypeRegistry {
  /** By name, in the order of their use. */
  readonly models = new Map<string, Definition>();
  readonly dictionaries = new Map<string, Definition>();
  readonly literals = new Map<string, AliasDefinition>();
  readonly #document: OpenApiDocument;
  /** The events, which webhooks deliver with their own id. */
  readonly #events: ReadonlySet<string>;
  /** Names of inline objects by direction and shape. */
  readonly #inline = new Map<string, string>();
  /** The area whose operations are converted: new models belong to it. */
  area = '';

  constructor(document: OpenApiDocument) {
    this.#document = document;
    const { Event, ErasedEvent } = document.components.schemas;
    const members = [...(Event?.oneOf ?? []).map(refName), ...(ErasedEvent ? ['ErasedEvent'] : [])];
    this.#events = new Set(members);
  }

  /** Follows a reference to a component. */
  resolve(schema: Schema): Schema {
    return schema.$ref ? (this.#document.components.schemas[refName(schema)] ?? {}) : schema;
  }

  /** @param hint names the class of an inline object */
  response(schema: Schema, hint: string): PythonType {
    return this.#convert(schema, hint, 'response');
  }

  request(schema: Schema, hint: string): PythonType {
    return this.#convert(schema, hint, 'request');
  }

  /** The class of a page, with its record type. */
  page(schema: Schema, operationId: string): { page: PythonType; record: PythonType } | null {
    const { properties = {} } = schema;
    const field = recordFields.find((name) => properties[name]?.type === 'array');
    const hasPosition =
      'pagination' in properties || 'next_cursor' in properties || 'total' in properties;
    if (field === undefined || !hasPosition) return null;
    const item = nameOfInline(`${toPascal(operationId)}Item`);
    const record = this.response(properties[field]?.items ?? {}, item);
    const base = `${record.text.split(' | ')[0] ?? ''}Page`;
    const name = this.#claim('response', shapeKey(schema), base, `${toPascal(operationId)}Page`);
    if (!this.models.has(name)) {
      this.#define(name, schema, 'response', { field, record });
    }
    return { page: plain(name, name), record };
  }

  #convert(schema: Schema, hint: string, direction: Direction): PythonType {
    const { members, isNullable } = alternatives(schema);
    // Known values of a text that can have any value say nothing to a type checker.
    const isOpen = members.some(({ type, enum: values }) => type === 'string' && !values);
    const types = members
      .filter(({ enum: values }) => !isOpen || values === undefined)
      .map((member) => this.#single(member, hint, direction));
    return types.length === 0 ? plain('None') : union(types, isNullable);
  }

  #single(schema: Schema, hint: string, direction: Direction): PythonType {
    if (schema.$ref) return this.#component(refName(schema), direction);
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum) return this.#enumeration(schema.enum, hint);
    switch (schema.type) {
      case 'string':
        return this.#text(schema, direction);
      case 'integer':
        return plain('int');
      case 'number':
        return plain('float');
      case 'boolean':
        return plain('bool');
      case 'array':
        return this.#list(schema, hint, direction);
      case 'object':
        return this.#object(schema, hint, direction);
      default:
        return schema.format === 'uuid' ? plain('str') : plain('Any', 'Any');
    }
  }

  #text({ format }: Schema, direction: Direction): PythonType {
    if (format !== 'date-time') return plain('str');
    return direction === 'response'
      ? plain('datetime', 'datetime')
      : plain('datetime | str', 'datetime');
  }

  #list({ items = {} }: Schema, hint: string, direction: Direction): PythonType {
    const { text, names } = this.#convert(items, toSingular(hint), direction);
    return direction === 'response'
      ? plain(`list[${text}]`, ...names)
      : plain(`Sequence[${text}]`, 'Sequence', ...names);
  }

  #object(schema: Schema, hint: string, direction: Direction): PythonType {
    if (schema.properties === undefined) {
      const { additionalProperties: values } = schema;
      const value: PythonType =
        typeof values === 'object'
          ? this.#convert(values, toSingular(hint), direction)
          : plain('Any', 'Any');
      return direction === 'response'
        ? plain(`dict[str, ${value.text}]`, ...value.names)
        : plain(`Mapping[str, ${value.text}]`, 'Mapping', ...value.names);
    }
    const [first = hint, second = hint] = [hint, `${hint}2`].map(nameOfInline);
    const name = this.#claim(direction, shapeKey(schema), first, second);
    const known = direction === 'response' ? this.models : this.dictionaries;
    if (!known.has(name)) this.#define(name, schema, direction);
    return plain(name, name);
  }

  /** The name for a shape: the one that it has, else the first that is free. */
  #claim(direction: Direction, shape: string, name: string, other: string): string {
    const key = `${direction} ${shape}`;
    const existing = this.#inline.get(key);
    if (existing !== undefined) return existing;
    const taken = (candidate: string) =>
      this.models.has(candidate) ||
      this.dictionaries.has(candidate) ||
      candidate in this.#document.components.schemas;
    const free = [name, other].find((candidate) => !taken(candidate));
    if (free === undefined) throw new Error(`${name} and ${other} are taken: add an override`);
    this.#inline.set(key, free);
    return free;
  }

  #component(name: string, direction: Direction): PythonType {
    const schema = this.#document.components.schemas[name];
    if (schema === undefined) throw new Error(`no component ${name}`);
    const known = direction === 'response' ? this.models : this.dictionaries;
    if (known.has(name)) return plain(name, name);
    if (schema.properties) this.#define(name, schema, direction);
    else {
      const type = this.#convert(schema, name, direction);
      known.set(name, { kind: 'alias', name, area: this.area, type });
    }
    return plain(name, name);
  }

  #define(
    name: string,
    { properties = {}, required = [] }: Schema,
    direction: Direction,
    page?: ClassDefinition['page'],
  ): void {
    const fields = Object.entries(properties).map(([property, schema]): Field => {
      const hint = `${name}${toPascal(property)}`;
      return {
        name: toIdentifier(property),
        type: this.#convert(schema, hint, direction),
        isRequired: required.includes(property),
        description: schema.description,
      };
    });
    if (this.#events.has(name)) fields.push(webhookId);
    const known = direction === 'response' ? this.models : this.dictionaries;
    const kind = direction === 'response' ? 'model' : 'dictionary';
    known.set(name, { kind, name, area: this.area, fields, ...(page && { page }) });
  }

  #enumeration(values: readonly unknown[], hint: string): PythonType {
    const type = literal(values);
    if (values.length <= inlineValuesMax && type.text.length <= inlineColumnsMax) return type;
    const same = [...this.literals.values()].find((known) => known.type.text === type.text);
    const name = same?.name ?? nameOfLiteral(values, hint);
    if (!same && this.literals.has(name)) throw new Error(`two literals ${name}: add an override`);
    this.literals.set(name, { kind: 'alias', name, area: this.area, type });
    return plain(name, name);
  }
}

const literal = (values: readonly unknown[]): PythonType =>
  plain(`Literal[${values.map(toPython).join(', ')}]`, 'Literal');

const toPython = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
};

const webhookId: Field = {
  name: 'webhook_id',
  type: plain('str'),
  isRequired: false,
  description: 'The webhook; only in deliveries.',
};

/** Names that a definition needs. */
export const namesOf = (definition: Definition): string[] =>
  definition.kind === 'alias'
    ? [...definition.type.names]
    : definition.fields.flatMap(({ type }) => type.names);
