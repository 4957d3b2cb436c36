/** The operations of the contract, with the types of their arguments and results. */
import { allRoutes, hasFollowingPages, listTraitsOf, type Route } from '@mneme/contract';
import { constantName, operationName, toIdentifier, toPascal, toSnake } from './names.ts';
import {
  alternatives,
  type DocumentedOperation,
  type OpenApiDocument,
  type Parameter,
  type Schema,
} from './schema.ts';
import type { PythonType, TypeRegistry } from './types.ts';

/** One parameter of a method. */
export interface Argument {
  /** In Python. */
  readonly name: string;
  /** On the wire; for a place in the path, as in the path. */
  readonly wireName: string;
  readonly place: 'path' | 'query' | 'body' | 'header';
  readonly type: PythonType;
  readonly isRequired: boolean;
  /** None is sent as null, so that the default is NOT_GIVEN. */
  readonly isNullable: boolean;
  readonly description: string | undefined;
}

export interface PythonOperation {
  readonly id: string;
  readonly area: string;
  readonly method: string;
  readonly constant: string;
  readonly route: Route;
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly arguments: readonly Argument[];
  /** Fields of a form with one file, instead of the body. */
  readonly form: readonly Argument[] | null;
  /** The query also accepts `metadata.<key>`. */
  readonly filtersMetadata: boolean;
  /** Body type by status; null for an empty body. */
  readonly responses: readonly (readonly [status: string, type: PythonType | null])[];
  readonly page: { readonly page: PythonType; readonly record: PythonType } | null;
  readonly result: PythonType;
}

export interface PythonArea {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PythonOperation[];
}

/** Reads the document area by area: a model belongs to the first area that uses it. */
export function readAreas(document: OpenApiDocument, registry: TypeRegistry): PythonArea[] {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  );
  const byId = new Map(documented.map((entry) => [entry.operation.operationId, entry]));
  return document.tags.map(({ name, description }) => {
    const area = toSnake(name);
    registry.area = area;
    const routes = allRoutes.filter(({ id }) => id.startsWith(`${name}.`));
    const operations = routes.map((route) => {
      const entry = byId.get(route.id);
      if (entry === undefined) throw new Error(`${route.id} is not in the document`);
      return readOperation(route, entry.path, entry.operation, registry);
    });
    return { name: area, description, operations };
  });
}

function readOperation(
  route: Route,
  path: string,
  documented: DocumentedOperation,
  registry: TypeRegistry,
): PythonOperation {
  const { id } = route;
  const { area, method } = operationName(id);
  const filtersMetadata = acceptsMetadataFilters(route);
  const fromParameters = (documented.parameters ?? [])
    .filter(({ name }) => !(name in (route.fixedHeaders ?? {})))
    .filter(({ name, in: place }) => !(filtersMetadata && place === 'query' && name === 'metadata'))
    .map((parameter) => toArgument(parameter, id, registry));
  const content = documented.requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  const form = content['multipart/form-data']?.schema;
  const fromBody = json ? bodyArguments(resolve(json, registry), id, registry) : [];
  // First, since a page is also a response.
  const page = readPage(route, documented, registry);
  const responses = readResponses(route, documented, registry);
  const operation = {
    id,
    area,
    method,
    constant: constantName(id),
    route,
    path,
    summary: documented.summary,
    description: documented.description,
    arguments: [...fromParameters, ...fromBody],
    form: form ? formArguments(form, id, registry) : null,
    filtersMetadata,
    responses,
    page,
    result: page?.page ?? resultOf(route, responses),
  };
  assertDistinct(operation);
  return operation;
}

const resolve = (schema: Schema, registry: TypeRegistry): Schema => registry.resolve(schema);

function toArgument(
  { name, in: place, required, description, schema }: Parameter,
  id: string,
  registry: TypeRegistry,
): Argument {
  const isQuery = place === 'query';
  return {
    name: toIdentifier(isQuery ? name : toSnake(name)),
    wireName: name,
    place,
    type: registry.request(schema, `${toPascal(id)}${toPascal(name)}`),
    isRequired: required,
    isNullable: false,
    description: description ?? schema.description,
  };
}

function bodyArguments(
  { properties = {}, required = [] }: Schema,
  id: string,
  registry: TypeRegistry,
): Argument[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name: toIdentifier(name),
    wireName: name,
    place: 'body',
    type: registry.request(schema, `${toPascal(id)}${toPascal(name)}`),
    isRequired: required.includes(name),
    isNullable: alternatives(schema).isNullable,
    description: schema.description,
  }));
}

function formArguments(schema: Schema, id: string, registry: TypeRegistry): Argument[] {
  const { file: _, ...properties } = schema.properties ?? {};
  return bodyArguments({ properties }, id, registry);
}

function readResponses(
  route: Route,
  documented: DocumentedOperation,
  registry: TypeRegistry,
): (readonly [string, PythonType | null])[] {
  if (route.responseType !== undefined || route.eventStream !== undefined) return [];
  return Object.keys(route.responses).map((status, i) => {
    const schema = documented.responses[status]?.content?.['application/json']?.schema;
    if (schema === undefined) return [status, null] as const;
    const name = `${toPascal(route.id)}Response${i === 0 ? '' : status}`;
    return [status, registry.response(schema, name)] as const;
  });
}

/** A list whose further pages can be requested. */
function readPage(route: Route, documented: DocumentedOperation, registry: TypeRegistry) {
  const traits = listTraitsOf(route.responses[200]);
  const schema = documented.responses['200']?.content?.['application/json']?.schema;
  if (schema === undefined || !traits || !hasFollowingPages(traits)) return null;
  return registry.page(resolve(schema, registry), route.id);
}

/** What a method returns: the union of its successes, text among them. */
function resultOf(
  route: Route,
  responses: readonly (readonly [string, PythonType | null])[],
): PythonType {
  const types = responses.map(([, type]) => type);
  const texts = types.flatMap((type) => (type ? [type.text] : []));
  const members = [...new Set([...texts, ...(route.formats ? ['str'] : [])])];
  if (types.includes(null)) members.push('None');
  return {
    text: members.join(' | ') || 'None',
    names: types.flatMap((type) => type?.names ?? []),
  };
}

/** Whether the query schema of a route accepts further fields of text. */
function acceptsMetadataFilters({ query }: Route): boolean {
  const { catchall } = (query?.def ?? {}) as { catchall?: { def: { type: string } } };
  return catchall !== undefined && catchall.def.type !== 'never';
}

/** Query and body share the parameters of a method. */
function assertDistinct({ id, arguments: given, form }: PythonOperation): void {
  for (const list of [given, form ?? []]) {
    const names = [...list.map(({ name }) => name), 'self', 'timeout', 'extra_headers', 'content'];
    const twice = names
      .slice(0, list.length)
      .find((name, i) => names.indexOf(name, i + 1) > 0 && name !== 'content');
    if (twice !== undefined) throw new Error(`${id} has two parameters ${twice}`);
  }
}
