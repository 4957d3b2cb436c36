/**
 * Writes the commands of the CLI from the contract, and from all commands its man page and its
 * reference; with --check only says whether they are up to date.
 */
import { allRoutes, buildOpenApi } from '@mneme/contract';
import type { NounData } from '../packages/cli/src/command-data.ts';
import { commandOf } from './cli/command-source.ts';
import { type GeneratedDocument, writeOrCheck } from './generated-document.ts';
import type { OpenApiOperation } from './sdk/operation-source.ts';
import type { JsonSchema } from './sdk/schema-type.ts';

const command = 'npm run cli';

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The commands of every operation, by noun. Pure: the contract is its only input. */
export function nounsOfContract(): readonly NounData[] {
  const document = buildOpenApi(allRoutes, '') as unknown as OpenApiDocument;
  const { schemas } = document.components;
  const all = allRoutes.flatMap((route) => {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`The OpenAPI document has no ${route.method} ${path}.`);
    return commandOf(route, operation, schemas) ?? [];
  });
  return [...Map.groupBy(all, ({ noun }) => noun)].map(([noun, commands]) => ({
    noun,
    commands: commands.map(({ command: one }) => one),
  }));
}

/** The generated module. */
export function commandsDocument(): GeneratedDocument {
  const nouns = nounsOfContract().map(({ noun, commands }) => {
    // A command per line: a change of one is one line of a review.
    const lines = commands.map((one) => `      ${JSON.stringify(one)},\n`);
    const start = `  {\n    noun: ${JSON.stringify(noun)},\n    commands: [\n`;
    return `${start}${lines.join('')}    ],\n  },\n`;
  });
  const text = [
    `// Generated from the contract by \`${command}\`. Do not edit.\n`,
    "import type { NounData } from '../command-data.ts';\n\n",
    '/** The commands of every operation of the API, by noun. */\n',
    `export const nouns: readonly NounData[] = [\n${nouns.join('')}];\n`,
  ];
  return { path: 'packages/cli/src/generated/commands.ts', command, text: text.join('') };
}

async function main(args: readonly string[]): Promise<number> {
  const code = writeOrCheck(commandsDocument(), args);
  if (code !== 0) return code;
  // These describe the commands as they have just been written.
  const { cliPages } = await import('./cli/pages.ts');
  return Math.max(...(await cliPages(command)).map((document) => writeOrCheck(document, args)));
}

if (import.meta.main) process.exitCode = await main(process.argv);
