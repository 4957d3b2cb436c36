import { beforeAccountErase } from './domains/accounts/index.ts';
import { accountModule } from './domains/accounts/module.ts';
import { blobModule } from './domains/blobs/module.ts';
import { clusterModule } from './domains/clusters/module.ts';
import type { ConsistencyCheck } from './domains/consistency-check.ts';
import type { App } from './domains/ctx.ts';
import { emailModule } from './domains/email/module.ts';
import { enrichmentModule } from './domains/enrichment/module.ts';
import { graphModule } from './domains/graph/module.ts';
import type { Handler } from './domains/handler.ts';
import { mediaModule } from './domains/media/module.ts';
import { memoryModule } from './domains/memories/module.ts';
import type { Module } from './domains/module.ts';
import { verify, verifyKind } from './domains/operations/index.ts';
import { operationModule } from './domains/operations/module.ts';
import { relationshipModule } from './domains/relationships/module.ts';
import { searchModule } from './domains/search/module.ts';
import { indexModule } from './domains/search-index/module.ts';
import { sessionModule } from './domains/sessions/module.ts';
import { spaceModule } from './domains/spaces/module.ts';
import { webhookModule } from './domains/webhooks/module.ts';
import type { JobKind, Schedule } from './jobs/job-worker.ts';

/** All domains. Their hooks run in this order: clusters before graph, which lock in this order. */
const modules: readonly Module[] = [
  blobModule,
  accountModule,
  spaceModule,
  indexModule,
  memoryModule,
  sessionModule,
  relationshipModule,
  clusterModule,
  graphModule,
  mediaModule,
  enrichmentModule,
  searchModule,
  emailModule,
  webhookModule,
  operationModule,
];

/** In which order domains erase an account. */
const accountErasureOrder = [
  webhookModule,
  emailModule,
  // Before its memories: their rows take along those that name the blobs.
  mediaModule,
  memoryModule,
  // After its memories: what is left unread would be read meanwhile.
  graphModule,
  sessionModule,
  clusterModule,
  indexModule,
  searchModule,
  spaceModule,
] as const;

export const handlers: readonly Handler[] = modules.flatMap((module) => module.handlers ?? []);

/** What `mneme verify` checks, domain by domain. */
export const consistencyChecks: readonly ConsistencyCheck[] = modules.flatMap(
  (module) => module.checks ?? [],
);

export const schedules: readonly Schedule[] = modules.flatMap((module) => module.schedules ?? []);

/** Registers what goes against the order of the domains. */
export function registerHooks(app: App): void {
  for (const module of modules) module.registerHooks?.(app);
  for (const { eraseAccount } of accountErasureOrder) beforeAccountErase.on(app, eraseAccount);
}

/** By kind; each runs with the app. */
export function jobKinds(app: App): Record<string, JobKind> {
  const declared = modules.flatMap((module) => Object.entries(module.jobs ?? {}));
  return {
    ...Object.fromEntries(
      declared.map(([kind, job]) => [kind, { ...job, run: (running) => job.run(app, running) }]),
    ),
    [verifyKind]: { run: (job) => verify(app, job, consistencyChecks), backoffSeconds: [5, 60] },
  };
}
