import { hasFollowingPages, listTraitsOf, type Route } from '@mneme/contract';
import { comment, type JsonSchema, key, literal, members, schemaType } from './schema-type.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly style?: string;
  readonly explode?: boolean;
}

interface MediaType {
  readonly schema?: JsonSchema;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, MediaType>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, MediaType>> }>
  >;
}

/** The source text that the SDK has for one operation. */
export interface OperationSource {
  /** `memories.create` */
  readonly id: string;
  /** `memoriesCreate` */
  readonly constant: string;
  /** Types of its input and result. */
  readonly types: string;
  /** Its descriptor. */
  readonly descriptor: string;
  /** Its method in the interface of the area; empty for an event stream. */
  readonly method: string;
}

type Components = Readonly<Record<string, JsonSchema>>;

/** Names of parameters in an input, by their place in the request. */
const inputNames = { path: 'params', query: 'query', header: 'headers' } as const;

/** Headers that the options of a call or the client itself set. */
const headersOfClient = new Set([
  'Idempotency-Key',
  'Last-Event-ID',
  'Prefer',
  'If-None-Match',
  'If-Match',
]);

export function operationSource(
  route: Route,
  operation: OpenApiOperation,
  components: Components,
): OperationSource {
  const { id } = route;
  const name = toPascalCase(id);
  const input = inputSource(route, operation, name);
  const result = resultSource(route, operation, name, components);
  const returned =
    result.item === null ? `Promise<${result.type}>` : `ListCall<${result.type}, ${result.item}>`;
  const argument = `input${input.isRequired ? '' : '?'}: ${name}Input`;
  const { summary, description = '' } = operation;
  const docs = comment(`${summary.replace(/\.?$/, '.')} ${description}`.trim(), '    ');
  const verb = id.slice(id.indexOf('.') + 1);
  return {
    id,
    constant: name.charAt(0).toLowerCase() + name.slice(1),
    types: `${input.source}${result.source}`,
    descriptor: descriptorSource(route, name, result),
    method: route.eventStream
      ? ''
      : [
          docs,
          jsonOverload(route, operation, name),
          `    ${verb}(${argument}, options?: CallOptions): ${returned};\n`,
        ].join(''),
  };
}

/** Where `format` decides between JSON and text, a method whose result is the JSON. */
function jsonOverload(route: Route, { responses }: OpenApiOperation, name: string): string {
  const json = route.formats && responses['200']?.content?.['application/json']?.schema;
  if (!json) return '';
  const verb = route.id.slice(route.id.indexOf('.') + 1);
  const input = `input: ${name}Input & { query: { format: 'json' } }`;
  return `    ${verb}(${input}, options?: CallOptions): Promise<${schemaType(json)}>;\n`;
}

const toPascalCase = (id: string): string =>
  id
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');

function inputSource(
  route: Route,
  operation: OpenApiOperation,
  name: string,
): { readonly source: string; readonly isRequired: boolean } {
  const parts = [
    ...(['path', 'query', 'header'] as const).flatMap((place) => parameterPart(operation, place)),
    ...bodyPart(route, operation),
  ];
  const isRequired = parts.some((part) => part.required);
  const lines = parts.map((part) =>
    part.required
      ? `  ${part.name}: ${part.type};\n`
      : `  ${part.name}?: ${part.type} | undefined;\n`,
  );
  const source = `export type ${name}Input = {\n${lines.join('')}};\n\n`;
  return { source: `${source}${formSource(operation, name)}`, isRequired };
}

/** The fields that a form has besides its file. */
function formSource({ requestBody }: OpenApiOperation, name: string): string {
  const form = requestBody?.content['multipart/form-data']?.schema;
  if (!form) return '';
  const { file: _, ...properties } = form.properties ?? {};
  const required = (form.required ?? []).filter((field) => field !== 'file');
  const lines = members({ properties, required }, '  ');
  return `export type ${name}Form = {\n${lines.join('\n')}\n};\n\n`;
}

interface InputPart {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
}

function parameterPart(operation: OpenApiOperation, place: Parameter['in']): InputPart[] {
  const all = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === place && !headersOfClient.has(parameter.name),
  );
  if (all.length === 0) return [];
  const isFree = ({ style, explode, schema }: Parameter): boolean =>
    style === 'form' && explode === true && schema.type === 'object';
  const properties = Object.fromEntries(
    all.filter((one) => !isFree(one)).map(({ name, schema }) => [name, schema]),
  );
  const required = all.filter((one) => one.required).map(({ name }) => name);
  const lines = members({ type: 'object', properties, required }, '    ');
  if (all.some(isFree)) {
    lines.push('    /** A filter: the value of this key of the metadata. */');
    lines.push('    [filter: `metadata.$' + '{string}`]: string;');
  }
  const type = `{\n${lines.join('\n')}\n  }`;
  return [{ name: inputNames[place], required: required.length > 0, type }];
}

function bodyPart(route: Route, { requestBody }: OpenApiOperation): InputPart[] {
  if (!requestBody) return [];
  const json = requestBody.content['application/json']?.schema;
  const types = json ? [schemaType(json, '  ')] : ['RawBody'];
  if (route.form) types.push('FormData');
  return [{ name: 'body', required: requestBody.required, type: types.join(' | ') }];
}

interface ResultSource {
  readonly source: string;
  readonly type: string;
  /** The type of a record of a paginated list. */
  readonly item: string | null;
}

function resultSource(
  route: Route,
  operation: OpenApiOperation,
  name: string,
  components: Components,
): ResultSource {
  if (route.responseType !== undefined) return { source: '', type: 'Response', item: null };
  const bodies = Object.keys(route.responses).flatMap((status) => {
    const content = operation.responses[status]?.content;
    if (!content) return [null];
    // The client does not ask for the binary format.
    return Object.entries(content)
      .filter(([mediaType]) => mediaType !== route.binaryFormat)
      .map(([, { schema = {} }]) => schema);
  });
  const types = bodies.map((schema) => (schema ? schemaType(schema) : 'undefined'));
  const result = named(`${name}Result`, [...new Set(types)].join(' | '));
  const records = bodies[0] ? listRecords(route, bodies[0], components) : null;
  if (records === null) return { ...result, item: null };
  const item = named(`${name}Item`, schemaType(records));
  return { source: `${result.source}${item.source}`, type: result.type, item: item.type };
}

/** A type with a name of its own, unless it is one already. */
function named(name: string, type: string): { readonly source: string; readonly type: string } {
  if (type === 'undefined') return { source: '', type: 'void' };
  if (/^\w+$/.test(type)) return { source: '', type };
  return { source: `export type ${name} = ${type};\n\n`, type: name };
}

/** The schema of the records, if the query can ask for a further page of a list. */
function listRecords(
  { responses }: Route,
  body: JsonSchema,
  components: Components,
): JsonSchema | null {
  const traits = listTraitsOf(responses[200]);
  if (!traits || !hasFollowingPages(traits)) return null;
  const page = body.$ref ? components[body.$ref.slice(body.$ref.lastIndexOf('/') + 1)] : body;
  return page?.properties?.data?.items ?? null;
}

function descriptorSource(route: Route, name: string, result: ResultSource): string {
  const statuses = Object.keys(route.responses).filter((status) => Number(status) >= 300);
  const headers = Object.entries({
    ...(route.requestType && { 'content-type': route.requestType.type }),
    ...route.fixedHeaders,
  }).map(([header, value]) => `${key(header)}: ${literal(value)}`);
  const traits = [
    ...(route.idempotent ? ['idempotent: true'] : []),
    ...(route.method !== 'GET' && route.access.endsWith(':read') ? ['reads: true'] : []),
    ...(route.responseType === undefined ? [] : ['binary: true']),
    ...(route.formats ? ['text: true'] : []),
    ...(Object.values(route.responses).includes(null) ? ['empty: true'] : []),
    ...(route.eventStream ? ['stream: true'] : []),
    ...(statuses.length > 0 ? [`statuses: [${statuses.join(', ')}]`] : []),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} }`] : []),
  ];
  const types = [`${name}Input`, result.type, ...(result.item === null ? [] : [result.item])];
  const values = [literal(route.id), literal(`${route.method} ${route.path}`)];
  if (traits.length > 0) values.push(`{ ${traits.join(', ')} }`);
  const typed = types.map((type) =>
    /^[A-Z]/.test(type) && type !== 'Response' ? `t.${type}` : type,
  );
  const define = result.item === null ? 'defineOperation' : 'defineListOperation';
  return `/* @__PURE__ */ ${define}<${typed.join(', ')}>(\n  ${values.join(',\n  ')},\n)`;
}
