/**
 * Writes the types and operations of the SDK from the contract; with --check only says whether they
 * are up to date.
 */
import { allRoutes, buildOpenApi, errorCatalogue } from '@mneme/contract';
import { type GeneratedDocument, writeOrCheck } from './generated-document.ts';
import {
  type OpenApiOperation,
  type OperationSource,
  operationSource,
} from './sdk/operation-source.ts';
import { comment, type JsonSchema, literal, schemaType } from './sdk/schema-type.ts';

const command = 'npm run sdk';
const header = `// Generated from the contract by \`${command}\`. Do not edit.\n`;

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The generated files of the SDK. Pure: the contract is its only input. */
export function sdkDocuments(): readonly GeneratedDocument[] {
  const document = buildOpenApi(allRoutes, '') as unknown as OpenApiDocument;
  const { schemas } = document.components;
  const operations = allRoutes.map((route) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`The OpenAPI document has no ${route.method} ${path}.`);
    return operationSource(route, operation, schemas);
  });
  const folder = 'packages/sdk/src/generated';
  return [
    { path: `${folder}/types.ts`, command, text: typesFile(schemas, operations) },
    { path: `${folder}/operations.ts`, command, text: operationsFile(operations) },
  ];
}

function typesFile(
  schemas: Readonly<Record<string, JsonSchema>>,
  operations: readonly OperationSource[],
): string {
  const areas = [...groupByArea(operations)].map(
    ([area, listed]) =>
      `  readonly ${area}: {\n${listed.map(({ method }) => method).join('')}  };\n`,
  );
  return [
    header,
    "import type { RawBody } from '../bodies.ts';\n",
    "import type { CallOptions } from '../calls.ts';\n",
    "import type { ListCall } from '../list-call.ts';\n\n",
    ...Object.entries(schemas).map(([name, schema]) => modelSource(name, schema)),
    errorCodes(),
    ...operations.map(({ types }) => types),
    comment('The methods of a client: one for each operation, by area.'),
    `export interface Areas {\n${areas.join('')}}\n`,
  ].join('');
}

function modelSource(name: string, schema: JsonSchema): string {
  const docs = comment(schema.description ?? '');
  return `${docs}export type ${name} = ${schemaType(schema)};\n\n`;
}

const errorCodes = (): string =>
  `/** The published codes of errors. */\nexport type ErrorCode =\n${Object.keys(errorCatalogue)
    .map((code) => `  | ${literal(code)}`)
    .join('\n')};\n\n`;

function operationsFile(operations: readonly OperationSource[]): string {
  const constants = operations.map(
    ({ constant, descriptor }) => `export const ${constant} = ${descriptor};\n`,
  );
  const areas = [...groupByArea(operations)].map(([area, listed]) => {
    const verbs = listed.map(
      ({ id, constant }) => `    ${id.slice(area.length + 1)}: ${constant},\n`,
    );
    return `  ${area}: {\n${verbs.join('')}  },\n`;
  });
  return [
    header,
    "import { defineListOperation, defineOperation } from '../operation.ts';\n",
    "import type * as t from './types.ts';\n\n",
    ...constants,
    '\n/** Every operation of the API, by area and verb. */\n',
    `export const operations = {\n${areas.join('')}} as const;\n`,
  ].join('');
}

function groupByArea(operations: readonly OperationSource[]): Map<string, OperationSource[]> {
  return Map.groupBy(operations, ({ id }) => id.slice(0, id.indexOf('.')));
}

function main(args: readonly string[]): number {
  return Math.max(...sdkDocuments().map((document) => writeOrCheck(document, args)));
}

if (import.meta.main) process.exitCode = main(process.argv);
