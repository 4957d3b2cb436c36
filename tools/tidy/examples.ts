import { type BadExample, badExample, badExampleOnSecondLine } from './bad-example.ts';
import { badLayerExamples, badVendorExamples } from './bad-imports.ts';
import type { RuleName } from './finding.ts';
import { sizeLimits } from './size.ts';

const server = 'packages/server/src';

const lines = (count: number, line = 'f();'): string => `${line}\n`.repeat(count);
const machinePath = ['', 'home', 'ana', 'notes'].join('/');
const registryHost = ['registry', 'npmjs', 'org'].join('.');
const lock = (packages: unknown): string => JSON.stringify({ packages }, null, 2);

export const badExamples: Readonly<Record<RuleName, readonly BadExample[]>> = {
  layers: badLayerExamples,
  vendors: badVendorExamples,
  sql: [
    badExampleOnSecondLine(
      `${server}/domains/spaces/create.ts`,
      "import { sql } from 'kysely';",
      'imports sql outside of a store',
    ),
    badExampleOnSecondLine(
      `${server}/domains/spaces/create.ts`,
      "await tx.selectFrom('spaces').execute();",
      'selectFrom outside of a store',
    ),
    badExampleOnSecondLine(
      `${server}/http/a.ts`,
      "tx.deleteFrom('spaces');",
      'deleteFrom outside of a store',
    ),
    badExampleOnSecondLine(
      `${server}/http/store/spaces.ts`,
      "tx.deleteFrom('spaces');",
      'deleteFrom outside of a store',
    ),
  ],
  impure: [
    badExampleOnSecondLine(
      `${server}/jobs/a.ts`,
      'const at = Date.now();',
      'Date.now outside of the kernel',
    ),
    badExampleOnSecondLine(
      `${server}/jobs/a.ts`,
      'const at = new Date();',
      'new Date() outside of the kernel',
    ),
    badExampleOnSecondLine(
      `${server}/jobs/a.ts`,
      'f(Math.random);',
      'Math.random outside of the kernel',
    ),
    badExampleOnSecondLine(
      `${server}/jobs/a.ts`,
      'crypto.randomUUID();',
      'randomUUID outside of the kernel',
    ),
    badExampleOnSecondLine(
      'packages/sdk/src/client.ts',
      "import { randomBytes } from 'node:crypto';",
      'randomBytes outside of the kernel',
    ),
    badExampleOnSecondLine(
      `${server}/kernel/config.ts`,
      'const port = process.env.PORT;',
      'process.env outside of main.ts',
    ),
    badExampleOnSecondLine(
      `${server}/http/a.ts`,
      "import { argv } from 'node:process';",
      'process.argv outside of main.ts',
    ),
  ],
  console: [
    badExampleOnSecondLine(
      `${server}/http/a.ts`,
      "console.log('here');",
      'console outside of cli and main.ts',
    ),
    badExampleOnSecondLine(
      'packages/sdk/src/a.ts',
      'f(console.warn);',
      'console outside of cli and main.ts',
    ),
  ],
  size: [
    badExample(
      'tools/a.ts',
      lines(401),
      '401 lines in a file, at most 400',
      sizeLimits.fileLinesMax + 1,
    ),
    badExample('tools/a.test.ts', lines(601), '601 lines in a file, at most 600', 601),
    badExampleOnSecondLine('tools/a.ts', `// ${'x'.repeat(98)}`, '101 columns, at most 100'),
    badExampleOnSecondLine(
      'tools/a.ts',
      `function f() {\n${lines(69)}}\n`,
      '71 lines in a function, at most 70',
    ),
    badExampleOnSecondLine(
      'tools/a.ts',
      `const f = () => {\n${lines(69)}};\n`,
      '71 lines in a function, at most 70',
    ),
    badExampleOnSecondLine(
      'tools/a.ts',
      `class A {\n  f() {\n${lines(69)}}\n}\n`.replace('\n', ' '),
      '71 lines in a function, at most 70',
    ),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      `test('x', () => {\n${lines(69)}});\n`,
      '71 lines in a function, at most 70',
    ),
  ],
  circles: [
    {
      files: [
        ['tools/a.ts', "import { b } from './b.ts';"],
        ['tools/b.ts', "// first\nexport * from './c.ts';"],
        ['tools/c.ts', "// first\n// second\nimport type { A } from './a.ts';"],
      ],
      location: 'tools/c.ts:3',
      message: 'import circle tools/a.ts → tools/b.ts → tools/c.ts → tools/a.ts',
    },
    badExampleOnSecondLine(
      'tools/a.ts',
      "import { a } from './a.ts';",
      'import circle tools/a.ts → tools/a.ts',
    ),
    {
      files: [
        ['packages/sdk/src/index.ts', "import { a } from './client.ts';"],
        ['packages/sdk/src/client.ts', "import { b } from '@mneme/sdk';"],
      ],
      location: 'packages/sdk/src/client.ts:1',
      message:
        'import circle packages/sdk/src/index.ts → packages/sdk/src/client.ts → ' +
        'packages/sdk/src/index.ts',
    },
  ],
  names: [
    badExample('tools/emitOpenApi.ts', '', 'emitOpenApi.ts is not kebab-case'),
    badExample('packages/sdk/src/Client.ts', '', 'Client.ts is not kebab-case'),
    badExample('packages/sdk/src/utils/a.ts', '', '"utils" says nothing: name the content'),
    badExample('packages/sdk/src/job-manager.ts', '', '"manager" says nothing: name the content'),
    badExample('packages/sdk/src/shelf.ts', '', '"shelf" is a metaphor: use the standard term'),
    badExampleOnSecondLine(
      'tools/a.ts',
      'export const toldTo = 1;',
      '"told" in toldTo is a metaphor: use the standard term',
    ),
    badExampleOnSecondLine(
      'tools/a.ts',
      'export class SearchRoom {}',
      '"room" in SearchRoom is a metaphor: use the standard term',
    ),
  ],
  wording: [
    badExampleOnSecondLine(
      'packages/sdk/src/a.ts',
      "const text = 'Whoever calls is refused.';",
      '"Whoever": use plain technical English',
    ),
    badExampleOnSecondLine(
      `${server}/http/a.ts`,
      'const text = `The index is made anew.`;',
      '"anew": use plain technical English',
    ),
    badExampleOnSecondLine(
      'docs/search.md',
      'It starts by itself.',
      '"by itself": use plain technical English',
    ),
  ],
  syntax: [
    badExampleOnSecondLine('tools/a.ts', 'enum Colour { Red }', 'enum is not used'),
    badExampleOnSecondLine('tools/a.ts', 'const = 1;', 'Unexpected token'),
    badExampleOnSecondLine('tools/a.ts', 'export namespace Colours {}', 'namespace is not used'),
    badExampleOnSecondLine(
      'tools/a.ts',
      'class A { constructor(private b: string) {} }',
      'a parameter property is not used',
    ),
  ],
  tests: [
    badExampleOnSecondLine('tools/a.test.ts', "it.skip('x', f);", '.skip leaves tests out'),
    badExampleOnSecondLine('tools/a.test.ts', "describe.only('x', f);", '.only leaves tests out'),
    badExampleOnSecondLine('tools/a.test.ts', "test.todo('x');", '.todo leaves tests out'),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      "test.only.each([1])('x', f);",
      '.only leaves tests out',
    ),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      "test('x', (context) => context.skip());",
      '.skip leaves tests out',
    ),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      'await new Promise((r) => setTimeout(r, 50));',
      'sleeps: inject the clock, or wait for the event itself',
    ),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      'await sleep(50);',
      'sleeps: inject the clock, or wait for the event itself',
    ),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      "import { setTimeout as pause } from 'node:timers/promises';",
      'a timer to sleep with',
    ),
    badExampleOnSecondLine(
      'tools/a.test.ts',
      "vi.mock('./a.ts');",
      'mocks a module: pass another one in instead',
    ),
  ],
  domains: [
    {
      files: [[`${server}/domains/spaces/module.ts`, '']],
      location: `${server}/domains/spaces/README.md:1`,
      message: 'is missing',
    },
    {
      files: [[`${server}/domains/spaces/README.md`, '']],
      location: `${server}/domains/spaces/module.ts:1`,
      message: 'is missing',
    },
    {
      files: [
        [`${server}/domains/extras/README.md`, ''],
        [`${server}/domains/extras/module.ts`, ''],
      ],
      location: `${server}/domains/extras:1`,
      message: 'has no place in the order of domains',
    },
    {
      files: [
        [`${server}/domains/spaces/README.md`, ''],
        [`${server}/domains/spaces/module.ts`, ''],
        [`${server}/domains/spaces/store.ts`, ''],
      ],
      location: `${server}/domains/spaces/store.ts:1`,
      message: 'must be store/<what it stores>.ts',
    },
  ],
  contract: [
    badExample('packages/contract/src/routes/spaces.ts', '', 'has no schemas/spaces.ts'),
    badExample('packages/contract/src/schemas/spaces.ts', '', 'has no routes/spaces.ts'),
    {
      files: [
        ['packages/contract/src/routes/spaces.ts', ''],
        ['packages/contract/src/schemas/spaces.ts', ''],
        ['packages/contract/src/schemas/fields.ts', ''],
      ],
      location: 'packages/contract/src/schemas/fields.ts:1',
      message: 'has no routes/fields.ts',
    },
  ],
  migrations: [
    badExample('packages/server/migrations/1_accounts.sql', '', 'is not named NNNN_name.sql'),
    {
      files: [
        ['packages/server/migrations/0001_accounts.sql', ''],
        ['packages/server/migrations/0003_spaces.sql', ''],
      ],
      location: 'packages/server/migrations/0003_spaces.sql:1',
      message: 'has no number 0002: a gap, or a number used twice',
    },
    {
      files: [
        ['packages/server/migrations/0001_accounts.sql', ''],
        ['packages/server/migrations/0001_spaces.sql', ''],
      ],
      location: 'packages/server/migrations/0001_spaces.sql:1',
      message: 'has no number 0002: a gap, or a number used twice',
    },
  ],
  text: [
    badExampleOnSecondLine('README.md', `see ${machinePath}`, 'names a path of one machine'),
    badExampleOnSecondLine('tools/a.ts', `f('${machinePath}');`, 'names a path of one machine'),
    badExampleOnSecondLine('README.md', `see file://${machinePath}`, 'names a path of one machine'),
    badExampleOnSecondLine(
      'README.md',
      `from https://${registryHost}/zod`,
      'names a package registry',
    ),
    badExampleOnSecondLine('.npmrc', 'registry=http://localhost', 'names a package registry'),
  ],
  lock: [
    badExample(
      'package-lock.json',
      lock({ 'node_modules/zod': { version: '4.0.0', resolved: 'http://host/zod.tgz' } }),
      'names a registry address',
      5,
    ),
    badExample(
      'package-lock.json',
      lock({ 'node_modules/a': { optionalDependencies: { 'a-linux-x64': '1.0.0' } } }),
      'lacks optional a-linux-x64: run node tools/complete-lock.ts',
    ),
    badExample(
      'package-lock.json',
      lock({ 'node_modules/a': { engines: { node: '^18.0.0 || >=22.0.0' } } }),
      'node_modules/a causes a warning on Node 20: run node tools/complete-lock.ts',
    ),
  ],
};
