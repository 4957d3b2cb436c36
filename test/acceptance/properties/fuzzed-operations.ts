import { allRoutes, buildOpenApi, type Route } from '@mneme/contract';
import type { JsonSchema } from './json-schema-arbitraries.ts';

interface Operation {
  readonly parameters?: readonly {
    name: string;
    in: string;
    required: boolean;
    schema: JsonSchema;
  }[];
  readonly requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
}

export const document = buildOpenApi(allRoutes, '0') as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** A stream is not read to its end. */
export const fuzzedRoutes = allRoutes.filter(({ eventStream }) => !eventStream);

export const operationOf = ({ path, method }: Route): Operation =>
  document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};

/** The names of the fields that the body of a route has. */
export function bodyFieldsOf(route: Route): ReadonlySet<string> {
  const fieldsOf = (schema: JsonSchema): string[] => [
    ...Object.keys(schema.properties ?? {}),
    ...[...(schema.anyOf ?? []), ...(schema.allOf ?? [])].flatMap(fieldsOf),
    ...(schema.$ref
      ? fieldsOf(document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
      : []),
  ];
  return new Set(
    fieldsOf(operationOf(route).requestBody?.content['application/json']?.schema ?? {}),
  );
}
