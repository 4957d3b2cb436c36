import { allRoutes, buildOpenApi } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { completeAll } from '../packages/cli/src/complete.ts';
import type { CommandContext } from '../packages/cli/src/context.ts';
import { columnsOfOperation } from '../packages/cli/src/output/columns.ts';
import { makeProgram } from '../packages/cli/src/program.ts';
import { allNodes, toTree } from '../packages/cli/src/shell/tree.ts';
import { nameCommand } from './cli/command-source.ts';
import { resolveSchema } from './cli/fields.ts';
import { argumentFields, commandOfOperation, confirmations, withoutCommand } from './cli/names.ts';
import { cliPages } from './cli/pages.ts';
import { commandsDocument, nounsOfContract } from './emit-cli.ts';
import { describeStaleness } from './generated-document.ts';
import type { JsonSchema } from './sdk/schema-type.ts';

const context = {} as CommandContext;
const tree = toTree(await completeAll(makeProgram(context, ''), context));
const commands = new Map(allNodes(tree).map((node) => [node.path, node]));
const nouns = nounsOfContract();
const data = nouns.flatMap(({ noun, commands: verbs }) =>
  verbs.map((command) => ({ path: `${noun} ${command.verb}`, command })),
);

describe('every operation of the API', () => {
  it.each(allRoutes.map(({ id }) => id))('%s has a command, or a reason why not', (id) => {
    const names = nameCommand(id);
    if (names === null) return expect(withoutCommand[id]).toMatch(/: mneme [\w -]+$/);
    expect(commands.has(`${names.noun} ${names.verb}`)).toBe(true);
  });

  it('has a command of its own', () => {
    const paths = data.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
  });

  it('has all its arguments and options there', () => {
    // These are written by hand, with options that existed before.
    const written = /^(?:accounts|keys) |^events follow$|^account get$/;
    const missing = data
      .filter(({ path }) => !written.test(path))
      .flatMap(({ path, command }) => {
        const flags = commands.get(path)?.options.map(({ flag }) => flag) ?? [];
        const lacking = command.options?.filter(({ flag }) => !flags.includes(`--${flag}`)) ?? [];
        return lacking.map(({ flag }) => `${path} --${flag}`);
      });
    expect(missing).toEqual([]);
  });

  it('that deletes something asks first', () => {
    const unasked = allRoutes
      .filter(({ method, id }) => method === 'DELETE' && nameCommand(id) !== null)
      .filter(
        ({ id }) => !data.some((one) => one.command.operation === id && one.command.confirms),
      );
    expect(unasked.map(({ id }) => id)).toEqual([]);
  });
});

describe('the columns of tables', () => {
  it('are fields of the records, under their current names', () => {
    const { paths, components } = buildOpenApi(allRoutes, '') as unknown as {
      paths: Record<string, Record<string, { responses: Record<string, JsonContent> }>>;
      components: { schemas: Record<string, JsonSchema> };
    };
    const missing = Object.entries(columnsOfOperation).flatMap(([id, columns]) => {
      const route = allRoutes.find((one) => one.id === id);
      const target = route?.path.replaceAll(/:(\w+)/g, '{$1}') ?? '';
      const operation = paths[target]?.[route?.method.toLowerCase() ?? ''];
      const schema = operation?.responses['200']?.content?.['application/json'].schema ?? {};
      const names = currentNames(schema, components.schemas);
      return columns
        .flatMap((column) =>
          column
            .replace('*', '')
            .split('|')
            .map((one) => one.split('.')),
        )
        .filter((path) => !path.every((name) => names.has(name)))
        .map((path) => `${id} ${path.join('.')}`);
    });
    expect(missing).toEqual([]);
  });
});

interface JsonContent {
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema } };
}

/** The names of all fields at any depth, without deprecated ones. */
function currentNames(schema: JsonSchema, components: Record<string, JsonSchema>, depth = 0) {
  const names = new Set<string>();
  if (depth > 6) return names;
  const { properties = {}, items, anyOf = [], oneOf = [] } = resolveSchema(schema, components);
  for (const [name, property] of Object.entries(properties)) {
    if (property.deprecated) continue;
    names.add(name);
    for (const inner of currentNames(property, components, depth + 1)) names.add(inner);
  }
  for (const part of [...(items ? [items] : []), ...anyOf, ...oneOf]) {
    for (const inner of currentNames(part, components, depth + 1)) names.add(inner);
  }
  return names;
}

describe('the tables of names', () => {
  it('name operations that exist', () => {
    const ids = new Set<string>(allRoutes.map(({ id }) => id));
    const named = [commandOfOperation, withoutCommand, argumentFields, confirmations].flatMap(
      (table) => Object.keys(table),
    );
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('give no two commands of a noun the same name or alias', () => {
    for (const node of commands.values()) {
      const names = node.commands.flatMap(({ name, aliases }) => [name, ...aliases]);
      expect([node.path, names.length]).toEqual([node.path, new Set(names).size]);
    }
  });
});

describe('the generated files of the CLI', () => {
  it('are what the contract and the code say: run npm run cli', async () => {
    const documents = [commandsDocument(), ...(await cliPages('npm run cli'))];
    expect(documents.map(describeStaleness)).toEqual([null, null, null]);
  });
});
