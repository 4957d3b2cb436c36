type File = readonly [path: string, text: string];

const server = 'packages/server/src';
/** Also the name of a folder that a path of a machine may begin with. */
const layer = 'work';
const lines = (count: number, line = 'f();'): string => `${line}\n`.repeat(count);
const lock = (packages: unknown): string => JSON.stringify({ packages }, null, 2);

/** Files beside the edge of every rule, on its right side. */
export const goodExamples: readonly File[] = [
  [
    `${server}/main.ts`,
    "import { build } from './context.ts';\nconsole.log(process.env, process.argv);",
  ],
  [`${server}/context.ts`, "import { serve } from './http/server.ts';"],
  [
    `${server}/http/server.ts`,
    "import fastify from 'fastify';\nimport { a } from '../domains/memories/index.ts';",
  ],
  [`${server}/domains/ctx.ts`, "import type { Engine } from '../database/engine.ts';"],
  [`${server}/domains/spaces/README.md`, 'Spaces. See packages/server/src/jobs/job-queue.ts.'],
  [`${server}/domains/spaces/index.ts`, "export * from './store/spaces.ts';"],
  [`${server}/domains/spaces/module.ts`, "import type { Module } from '../module.ts';"],
  [`${server}/domains/memories/module.ts`, "import type { Module } from '../module.ts';"],
  [
    `${server}/domains/spaces/store/spaces.ts`,
    "import { sql } from 'kysely';\nimport type { Ctx } from '../../ctx.ts';\n" +
      "tx.selectFrom('spaces');",
  ],
  [`${server}/domains/memories/README.md`, 'Memories.'],
  [
    `${server}/domains/memories/index.ts`,
    "import { a } from '../spaces/index.ts';\nimport { b } from '../../jobs/job-queue.ts';",
  ],
  [`${server}/domains/memories/testing.ts`, 'export const at = new Date();'],
  [
    `${server}/domains/spaces/spaces.test.ts`,
    "import { a } from '../memories/testing.ts';\nimport { b } from '../memories/index.ts';\n" +
      "tx.selectFrom('spaces');\nprocess.env.URL;\nit('sets a timer', () => setTimeout(f, 1));",
  ],
  [`${server}/jobs/queue.ts`, "import { a } from '../database/engine.ts';\ntx.insertInto('jobs');"],
  [
    `${server}/database/engine.ts`,
    "import pg from 'pg';\nimport { a } from '@mneme/contract';\ndeclare global {}\n" +
      `declare module 'pg' {}\nconst at = new Date(0);\n${lines(390)}`,
  ],
  [`${server}/kernel/clock.ts`, 'export const now = () => Date.now() + Math.random();'],
  [`${server}/providers/fetch.ts`, "import { fetch } from 'undici';"],
  [`${server}/providers/archive-store/store.ts`, 'export interface ArchiveStore {}'],
  [
    `${server}/domains/clusters/labels.ts`,
    "import type { Clustering } from '@mneme/clustering';\nimport { a } from '@mneme/text';",
  ],
  [`${server}/domains/clusters/README.md`, 'Clusters.'],
  [`${server}/domains/clusters/module.ts`, "import type { Module } from '../module.ts';"],
  ['packages/contract/src/index.ts', "import { z } from 'zod';"],
  ['packages/contract/src/fields.ts', "import { z } from 'zod';"],
  ['packages/contract/src/routes/spaces.ts', "import { space } from '../schemas/spaces.ts';"],
  ['packages/contract/src/schemas/spaces.ts', "import { text } from '../fields.ts';"],
  ['packages/contract/src/schemas/bounds.test.ts', "import { space } from './spaces.ts';"],
  [
    'packages/clustering/src/index.ts',
    "import { readFileSync } from 'node:fs';\nimport Random from 'java-random';",
  ],
  [
    `${server}/providers/language/local/extractor.ts`,
    "import type { Extraction } from '@mneme/extraction';\nimport { a } from '@mneme/text';",
  ],
  ['packages/extraction/src/index.ts', "import { stem } from '@mneme/text';"],
  [
    'packages/extraction/training/train.ts',
    "import { writeFile } from 'node:fs/promises';\nimport { a } from '../src/index.ts';",
  ],
  ['packages/text/src/stem.ts', "import stem from 'wink-porter2-stemmer';"],
  ['packages/clustering/src/index.test.ts', "import { a } from 'node:worker_threads';"],
  [
    'packages/sdk/src/index.ts',
    "import { a } from '@mneme/contract';\nexport { b } from './kernel.ts';",
  ],
  [
    'packages/sdk/src/adapters/vercel-ai/a.ts',
    "import { tool } from 'ai';\nimport { a } from '../records.ts';",
  ],
  ['packages/sdk/src/kernel.ts', 'export const b = crypto.randomUUID();'],
  ['packages/cli/src/main.ts', "import { a } from '@mneme/sdk';\nconsole.log(process.argv);"],
  [
    'test/acceptance/long.test.ts',
    `describe('x', () => {\n${lines(70)}});\n// ${'x'.repeat(97)}\nfunction f() {\n${lines(68)}}\n`,
  ],
  ['packages/server/migrations/0001_accounts.sql', ''],
  ['packages/server/migrations/0002_spaces.sql', ''],
  [
    'docs/tour.md',
    `The ${layer}/ layer, \`../${layer}/queue.ts\`, **/${layer}/**, /v1/home, ../shared/tools`,
  ],
  [
    'package-lock.json',
    lock({
      'node_modules/a': { optionalDependencies: { b: '1.0.0', c: '^1.0.0' } },
      'node_modules/b': { version: '1.0.0', engines: { node: '^20.19.0 || >= 22.12.0' } },
    }),
  ],
];
