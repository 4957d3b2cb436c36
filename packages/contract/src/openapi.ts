import { z } from 'zod';
import { requiredPairsOf } from './aliases.ts';
import {
  type ErrorCode,
  errorCatalogue,
  errorFormatOf,
  statusesOfError,
  toFlatErrorCode,
} from './errors.ts';
import { openApiTagDescriptions, openApiTagNames } from './openapi-tags.ts';
import { buildOpenApiWebhooks } from './openapi-webhooks.ts';
import { endpointLimits } from './plans.ts';
import { contentScope, type Route, requestTypesOf } from './route.ts';
import { errorCodesOf } from './route-errors.ts';
import { spaceLimitedKeyAccess } from './space-limited-keys.ts';
import { isForUserTokens } from './user-tokens.ts';

type Json = Record<string, unknown>;

/** Builds the OpenAPI 3.1 document of `routes`. Pure: equal input gives an equal document. */
export function buildOpenApi(routes: readonly Route[], version: string): Json {
  const components: Json = { ...sharedSchemas };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, components) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mneme',
      version,
      summary: 'Self-hosted memory service for AI agents',
      description: apiDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }, { apiKeyHeader: [] }, { sessionToken: [] }],
    tags: [...new Set(routes.map(areaOf))].map(toTag),
    paths,
    webhooks: buildOpenApiWebhooks((schema) => schemaOf(schema, 'output', components)),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'mnk_…' },
        apiKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        sessionToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: components,
    },
  };
}

/** Short, because viewers show it before the first operation. */
const apiDescription = [
  'Stores what agents learn and returns it when it is relevant.',
  'One thing has one name. Published spellings that differ are aliases, which are marked as ' +
    'deprecated and contain the canonical name in their description. They keep working, and ' +
    'responses to requests that use one have the headers Deprecation and Link.',
].join('\n\n');

const areaOf = (route: Route): string => route.id.slice(0, route.id.indexOf('.'));

/** Viewers that support `x-displayName` show it instead of the name. */
function toTag(name: string): Json {
  const [displayName, description] = [openApiTagNames[name], openApiTagDescriptions[name]];
  return { name, ...(displayName ? { 'x-displayName': displayName } : {}), description };
}

function operation(route: Route, components: Json): Json {
  const parameters = [
    ...parametersOf(route, route.params, 'path', components),
    ...parametersOf(route, route.query, 'query', components),
    ...standardHeaders(route),
    ...parametersOf(route, route.headers, 'header', components),
  ];
  return {
    operationId: route.id,
    summary: route.summary,
    ...descriptionOf(route),
    ...(route.replacedBy === undefined ? {} : { deprecated: true }),
    ...(route.endpointLimit
      ? {
          'x-rate-limit': {
            name: route.endpointLimit,
            per_minute: endpointLimits[route.endpointLimit],
          },
        }
      : {}),
    tags: [areaOf(route)],
    ...securityOf(route),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: jsonRequestBody(route, route.body, components) } : {}),
    ...(route.requestType
      ? { requestBody: binaryRequestBody(requestTypesOf(route), !route.bodyOptional) }
      : {}),
    responses: responsesOf(route, components),
  };
}

function descriptionOf({ description, requiresContentScope, replacedBy }: Route): Json {
  const requirements = requiresContentScope ? [`Also requires the scope ${contentScope}.`] : [];
  const replacement = replacedBy === undefined ? [] : [`Deprecated: use ${replacedBy}.`];
  const text = [...(description ? [description] : []), ...requirements, ...replacement].join(' ');
  return text === '' ? {} : { description: text };
}

/** The document's default is an API key or a session token; a public route overrides it. */
function securityOf(route: Route): Json {
  if (route.access === 'public') return { security: [] };
  const limited = spaceLimitedKeyAccess(route);
  const also = route.requiresContentScope ? { 'x-also-access': contentScope } : {};
  const userTokens = { 'x-user-tokens': isForUserTokens(route) ? 'within' : 'refused' };
  const tokens = route.access === 'operator' ? {} : userTokens;
  const keys = limited ? { 'x-limited-keys': limited } : {};
  return { 'x-access': route.access, ...also, ...keys, ...tokens };
}

function jsonRequestBody(route: Route, body: z.ZodType, components: Json): Json {
  const example = route.example.body;
  const content = { schema: schemaOf(body, 'input', components), ...(example ? { example } : {}) };
  const form = route.form ? multipartContent(route.form, components) : {};
  return { required: !route.bodyOptional, content: { 'application/json': content, ...form } };
}

/** A form with one file, and the fields of the memory. */
function multipartContent(fields: z.ZodType, components: Json): Json {
  const file = {
    ...binaryContent.schema,
    description: 'The file. Its type is detected from its bytes.',
  };
  const form = schemaOf(fields, 'input', components) as { properties?: Json };
  const schema = { ...form, required: ['file'], properties: { file, ...form.properties } };
  return { 'multipart/form-data': { schema } };
}

const binaryContent = { schema: { type: 'string', format: 'binary' } };
const binaryRequestBody = (types: readonly string[], required: boolean): Json => ({
  required,
  content: Object.fromEntries(types.map((type) => [type, binaryContent])),
});

function parametersOf(
  route: Route,
  schema: z.ZodType | undefined,
  location: 'path' | 'query' | 'header',
  components: Json,
): Json[] {
  if (!schema) return [];
  const object = schemaOf(schema, 'input', components) as {
    properties?: Record<string, Json>;
    required?: string[];
    additionalProperties?: unknown;
  };
  const { params, query, headers } = route.example;
  const examples = { path: params, query, header: headers }[location] ?? {};
  const named = Object.entries(object.properties ?? {}).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || (object.required ?? []).includes(name),
    ...(property.deprecated ? { deprecated: true } : {}),
    ...(property.type === 'array' ? { style: 'form', explode: false } : {}),
    schema: property,
    ...(name in examples ? { example: (examples as Json)[name] } : {}),
  }));
  return typeof object.additionalProperties === 'object' ? [...named, metadataFilters] : named;
}

/** Each member of the object is a parameter of its own: `metadata.source=chat`. */
const metadataFilters: Json = {
  name: 'metadata',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description: 'Filters by metadata: each `metadata.<key>` must have this value.',
  schema: {
    type: 'object',
    propertyNames: { pattern: '^metadata\\..+' },
    additionalProperties: { type: 'string' },
  },
};

function standardHeaders(route: Route): Json[] {
  const header = (name: string, description: string, max = 1_000): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength: max },
  });
  const headers: Json[] = [];
  if (route.idempotent) {
    headers.push(
      header(
        'Idempotency-Key',
        'Repeating a request with the same key within 24 hours replays the first outcome.',
        255,
      ),
    );
  }
  if (route.eventStream) {
    headers.push(
      header('Last-Event-ID', 'The id of the last event received; the stream continues after it.'),
    );
  }
  if (route.supportsRespondAsync) {
    headers.push(
      header('Prefer', '`respond-async`: responds with 202 immediately and runs as a job.'),
    );
  }
  if (route.etag && route.method === 'GET') {
    headers.push(header('If-None-Match', 'Responds with 304 if the ETag still matches.'));
  } else if (route.etag && route.params) {
    headers.push(header('If-Match', 'Responds with 412 if the ETag no longer matches.'));
  }
  return headers;
}

function responsesOf(route: Route, components: Json): Json {
  const responses: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(route.responses)) {
    const example = isPrimary(route, status) ? route.example.response : undefined;
    const media = schema && {
      schema: schemaOf(schema, 'output', components),
      ...(example ? { example } : {}),
    };
    responses[status] = {
      description: Number(status) < 400 ? 'Success' : 'Unavailable',
      ...(media
        ? { content: { [mediaTypeOf(route, status)]: media, ...otherFormats(route) } }
        : {}),
    };
  }
  if (route.etag && route.method === 'GET') responses['304'] = { description: 'Not modified' };
  for (const [status, codes] of errorsByStatus(route)) {
    responses[status] ??= {
      ...(status === '429' ? { headers: limitHeaders } : {}),
      description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join(' '),
      content: { 'application/json': { schema: errorSchema(route, status) } },
    };
  }
  return responses;
}

const mediaTypeOf = ({ eventStream, responseType }: Route, status: string): string =>
  (status === '200' ? (eventStream ?? responseType) : undefined) ?? 'application/json';

const limitHeader = (description: string, type: 'integer' | 'string' = 'integer'): Json => ({
  description,
  schema: { type },
});

/** Plans with rate limits send the first four in every response to a request with a key. */
const limitHeaders: Json = {
  'X-RateLimit-Limit': limitHeader('Maximum requests in the window.'),
  'X-RateLimit-Remaining': limitHeader('Remaining requests in the window.'),
  'X-RateLimit-Reset': limitHeader('Start of the next window, in Unix seconds.'),
  'X-RateLimit-Policy': limitHeader('`<limit>;w=<window seconds>`', 'string'),
  'Retry-After': limitHeader('Seconds to wait before a retry.'),
};

const otherFormats = ({ formats = [], binaryFormat }: Route): Json => ({
  ...Object.fromEntries(formats.map((format) => [format, { schema: { type: 'string' } }])),
  ...(binaryFormat && { [binaryFormat]: { schema: { type: 'string', format: 'binary' } } }),
});

const isPrimary = (route: Route, status: string): boolean =>
  status === Object.keys(route.responses).find((key) => route.responses[Number(key)] !== null);

/** A 429 has the nested format in every area. */
const errorSchema = ({ path }: Route, status: string): Json => {
  const isFlat = status !== '429' && errorFormatOf(path) === 'flat';
  return { $ref: `#/components/schemas/${isFlat ? 'FlatError' : 'Error'}` };
};

function errorsByStatus(route: Route): Map<string, ErrorCode[]> {
  const byStatus = new Map<string, ErrorCode[]>();
  const codes = [...errorCodesOf(route)];
  const isFlat = errorFormatOf(route.path) === 'flat';
  for (const code of isFlat ? new Set(codes.map(toFlatErrorCode)) : codes) {
    for (const status of statusesOfError(code)) {
      byStatus.set(String(status), [...(byStatus.get(String(status)) ?? []), code]);
    }
  }
  return byStatus;
}

/** JSON Schema of a Zod schema; named schemas (`meta({ id })`) become shared components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): Json {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const meta = z.globalRegistry.get(zodSchema as unknown as z.ZodType) as Json | undefined;
      const documentedAs = meta?.documentedAs as z.ZodType | undefined;
      const override = meta?.override as Json | undefined;
      delete jsonSchema.override;
      delete jsonSchema.documentedAs;
      if (documentedAs) Object.assign(jsonSchema, schemaOf(documentedAs, io, components));
      if (override) Object.assign(jsonSchema, override);
      if (io === 'input') requireOneOfEachPair(zodSchema, jsonSchema as Json);
    },
  }) as Json;
  return hoistDefinitions(converted, components);
}

/** A required field with an alias is required under one of the two names. */
function requireOneOfEachPair(schema: z.core.$ZodType, jsonSchema: Json): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const pairs = def.type === 'object' ? requiredPairsOf(def.shape) : [];
  if (pairs.length === 0) return;
  jsonSchema.allOf = pairs.map((pair) => ({ anyOf: pair.map((name) => ({ required: [name] })) }));
}

/** Moves the `$defs` of a schema into the shared components and updates its references. */
function hoistDefinitions(schema: Json, components: Json): Json {
  const { $schema: _, $defs: defs, ...rest } = schema;
  const repoint = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(repoint);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) =>
        key === '$ref' && typeof child === 'string'
          ? [key, child.replace('#/$defs/', '#/components/schemas/')]
          : [key, repoint(child)],
      ),
    );
  };
  for (const [name, definition] of Object.entries((defs as Json | undefined) ?? {})) {
    components[name] = repoint(stripId(definition as Json));
  }
  const id = rest.id;
  const own = repoint(stripId(rest)) as Json;
  if (typeof id !== 'string') return own;
  components[id] = own;
  return { $ref: `#/components/schemas/${id}` };
}

const stripId = ({ id: _, ...rest }: Json): Json => rest;

const sharedSchemas = {
  FlatError: {
    type: 'object',
    required: ['error', 'message'],
    properties: { error: { type: 'string' }, message: { type: 'string' } },
  },
  FieldFault: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      received: {},
      min: { type: 'number' },
      max: { type: 'number' },
    },
  },
  Error: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: {
          code: { type: 'string' },
          message: { type: 'string' },
          request_id: { type: 'string' },
          details: {
            type: 'object',
            properties: {
              fields: {
                type: 'object',
                additionalProperties: { $ref: '#/components/schemas/FieldFault' },
              },
            },
            additionalProperties: true,
          },
        },
      },
    },
  },
};
