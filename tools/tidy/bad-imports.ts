import { type BadExample, badExample, badExampleOnSecondLine, badImport } from './bad-example.ts';

const server = 'packages/server/src';

/** Imports from a layer, domain or package that is not allowed. */
export const badLayerExamples: readonly BadExample[] = [
  badImport(`${server}/kernel/a.ts`, '../database/b.ts', 'kernel must not import database'),
  badImport(`${server}/database/a.ts`, '../jobs/b.ts', 'database must not import jobs'),
  badImport(`${server}/jobs/a.ts`, '../providers/b.ts', 'jobs must not import providers'),
  badImport(`${server}/providers/a.ts`, '../database/b.ts', 'providers must not import database'),
  badImport(`${server}/domains/spaces/a.ts`, '../../http/b.ts', 'domains must not import http'),
  badImport(`${server}/http/a.ts`, '../smtp/b.ts', 'http must not import smtp'),
  badImport(`${server}/http/a.ts`, '../context.ts', 'http must not import context'),
  badImport(`${server}/context.ts`, './main.ts', 'context must not import main'),
  badImport(
    `${server}/domains/spaces/a.ts`,
    '../memories/index.ts',
    'domain spaces comes before memories',
  ),
  badImport(
    `${server}/domains/search/a.ts`,
    '../memories/store/memories.ts',
    'domain memories is entered by its index.ts only',
  ),
  badImport(
    `${server}/http/a.ts`,
    '../domains/memories/routes.ts',
    'domain memories is entered by its index.ts only',
  ),
  badImport(
    `${server}/domains/search/a.test.ts`,
    '../memories/store/memories.ts',
    'domain memories is entered by its index.ts only',
  ),
  badImport(
    `${server}/domains/ctx.ts`,
    './memories/index.ts',
    'the ground of the domains must not import memories',
  ),
  badExample(`${server}/extras/a.ts`, 'f();', 'extras is no layer of the server'),
  badImport('packages/contract/src/a.ts', 'fastify', 'contract imports fastify; allowed: zod'),
  badImport(
    'packages/clustering/src/a.ts',
    'node:worker_threads',
    'clustering imports node:worker_threads; allowed: java-random, networkanalysis-ts, node:fs',
  ),
  badImport(
    'packages/clustering/src/a.ts',
    '../../server/src/kernel/clock.ts',
    'package clustering must not import package server',
  ),
  badImport(
    'packages/clustering/src/a.ts',
    '@mneme/contract',
    'package clustering must not import package contract',
  ),
  badImport(
    'packages/sdk/src/a.ts',
    '@mneme/clustering',
    'package sdk must not import package clustering',
  ),
  badImport(
    'packages/extraction/src/entities/a.ts',
    'node:worker_threads',
    'extraction imports node:worker_threads; allowed: node:fs',
  ),
  badImport(
    'packages/extraction/training/a.ts',
    '../../server/src/kernel/clock.ts',
    'package extraction must not import package server',
  ),
  badImport(
    'packages/extraction/src/entities/a.ts',
    '../../../text/src/stem.ts',
    'package text is imported as @mneme/text only',
  ),
  badImport(
    'packages/text/src/a.ts',
    'node:crypto',
    'text imports node:crypto; allowed: node:fs, wink-porter2-stemmer',
  ),
  badImport(
    'packages/sdk/src/a.ts',
    './adapters/records.ts',
    'an adapter is imported by other adapters only',
  ),
  badImport('packages/sdk/src/a.ts', '@mneme/server', 'package sdk must not import package server'),
  badImport(
    'packages/cli/src/a.ts',
    '../../server/src/main.ts',
    'package cli must not import package server',
  ),
  badImport(`${server}/http/a.ts`, '@mneme/sdk', 'package server must not import package sdk'),
];

/** Imports of a package outside of its home. */
export const badVendorExamples: readonly BadExample[] = [
  badImport(`${server}/jobs/a.ts`, 'pg', 'pg is imported by database/ only'),
  badImport(
    `${server}/jobs/a.ts`,
    '@mneme/clustering',
    '@mneme/clustering is imported by domains/ only',
  ),
  badImport(
    `${server}/http/a.ts`,
    '@mneme/text',
    '@mneme/text is imported by domains/ and providers/ only',
  ),
  badImport(
    `${server}/domains/graph/a.ts`,
    '@mneme/extraction',
    '@mneme/extraction is imported by providers/language/ only',
  ),
  badImport(
    `${server}/domains/spaces/a.ts`,
    '@electric-sql/pglite',
    '@electric-sql/pglite is imported by database/ only',
  ),
  badExampleOnSecondLine(
    `${server}/domains/spaces/a.ts`,
    "import type { FastifyRequest } from 'fastify';",
    'fastify is imported by http/ only',
  ),
  badExampleOnSecondLine(
    `${server}/domains/media/a.ts`,
    "const s3 = await import('@aws-sdk/client-s3');",
    '@aws-sdk/client-s3 is imported by providers/ only',
  ),
  badExampleOnSecondLine(
    'packages/sdk/src/a.ts',
    "export { fetch } from 'undici';",
    'undici is imported by providers/ only',
  ),
  badExampleOnSecondLine(
    'packages/sdk/src/adapters/langgraph/a.ts',
    "import type { Tool } from 'ai';",
    'ai is imported by packages/sdk/src/adapters/vercel-ai/ only',
  ),
];
