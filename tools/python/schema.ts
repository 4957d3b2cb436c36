/** The parts of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, { readonly content?: Record<string, Media> }>>;
}

export interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export const refName = ({ $ref = '' }: Schema): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** The alternatives of a schema, without null; `type: [string, null]` counts as two. */
export function alternatives(schema: Schema): { members: readonly Schema[]; isNullable: boolean } {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const nested = options.map(alternatives);
    return {
      members: nested.flatMap(({ members }) => members),
      isNullable: nested.some(({ isNullable }) => isNullable),
    };
  }
  if (Array.isArray(schema.type)) {
    const types = schema.type as readonly string[];
    const members = types.filter((type) => type !== 'null').map((type) => ({ ...schema, type }));
    return { members, isNullable: types.includes('null') };
  }
  return schema.type === 'null' ? { members: [], isNullable: true } : singleton(schema);
}

const singleton = (schema: Schema) => ({ members: [schema], isNullable: false });

/** Equal for schemas that differ only in texts and bounds, which types do not show. */
export const shapeKey = (schema: Schema): string =>
  JSON.stringify(schema, (key, value: unknown) =>
    ['description', 'default', 'title', 'example'].includes(key) || /^(?:min|max)/.test(key)
      ? undefined
      : value,
  );
