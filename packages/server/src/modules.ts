import { beforeAccountErase } from './domains/accounts/index.ts';
import { accountModule } from './domains/accounts/module.ts';
import { blobModule } from './domains/blobs/module.ts';
import { clusterModule } from './domains/clusters/module.ts';
import type { ConsistencyCheck } from './domains/consistency-check.ts';
import { conversationModule } from './domains/conversations/module.ts';
import type { App } from './domains/ctx.ts';
import { emailModule } from './domains/email/module.ts';
import { enrichmentModule } from './domains/enrichment/module.ts';
import { graphModule } from './domains/graph/module.ts';
import type { Handler } from './domains/handler.ts';
import { mediaModule } from './domains/media/module.ts';
import { memoryModule } from './domains/memories/module.ts';
import { type Module, registerMetricCollector } from './domains/module.ts';
import { oauthModule } from './domains/oauth/module.ts';
import { runVerificationJob, verifyKind } from './domains/operations/index.ts';
import { operationModule } from './domains/operations/module.ts';
import { relationshipModule } from './domains/relationships/module.ts';
import { searchModule } from './domains/search/module.ts';
import { indexModule } from './domains/search-index/module.ts';
import { sessionModule } from './domains/sessions/module.ts';
import { spaceModule } from './domains/spaces/module.ts';
import { transferModule } from './domains/transfers/module.ts';
import { updateDetectionModule } from './domains/update-detection/module.ts';
import { webhookModule } from './domains/webhooks/module.ts';
import { releaseRunningJobs } from './jobs/job-queue.ts';
import type { JobKindDefinition, JobSchedule, RunningJob } from './jobs/job-worker.ts';

/** All domains. Hooks run in this order; clusters must precede graph because of their locks. */
const modules: readonly Module[] = [
  blobModule,
  accountModule,
  spaceModule,
  oauthModule,
  indexModule,
  memoryModule,
  sessionModule,
  relationshipModule,
  clusterModule,
  graphModule,
  mediaModule,
  enrichmentModule,
  updateDetectionModule,
  searchModule,
  conversationModule,
  webhookModule,
  emailModule,
  transferModule,
  operationModule,
];

/** The order in which domains erase an account. */
const accountErasureOrder = [
  webhookModule,
  emailModule,
  // Before memories: deleting their rows cascades to the rows that reference the blobs.
  mediaModule,
  memoryModule,
  // After memories: otherwise extraction could process remaining memories in between.
  graphModule,
  sessionModule,
  clusterModule,
  indexModule,
  searchModule,
  spaceModule,
] as const;

const unordered = modules.filter(
  (module) => module.eraseAccount && !accountErasureOrder.some(({ name }) => name === module.name),
);
if (unordered.length > 0) {
  throw new Error(`no order of account erasure: ${unordered.map(({ name }) => name).join(', ')}`);
}

export const routeHandlers: readonly Handler[] = modules.flatMap((module) => module.handlers ?? []);

/** The checks of `mneme verify`. */
export const consistencyChecks: readonly ConsistencyCheck[] = modules.flatMap(
  (module) => module.checks ?? [],
);

export const jobSchedules: readonly JobSchedule[] = modules.flatMap(
  (module) => module.schedules ?? [],
);

/** Registers hooks, through which earlier domains call later ones. */
export function registerHooks(app: App): void {
  for (const module of modules) {
    module.registerHooks?.(app);
    registerMetricCollector(app, module);
  }
  for (const { eraseAccount } of accountErasureOrder) beforeAccountErase.on(app, eraseAccount);
}

/** Releases the leases of the former process on an embedded database. */
export async function releaseLeasesOfFormerProcess(db: App['engine']['db']): Promise<void> {
  await releaseRunningJobs(db);
  for (const module of modules) await module.releaseLeases?.(db);
}

/** All job kinds, bound to the app. */
export function jobKinds(app: App): Record<string, JobKindDefinition> {
  const declared = modules.flatMap((module) => Object.entries(module.jobs ?? {}));
  return {
    ...Object.fromEntries(
      declared.map(([kind, { payload, ...job }]) => [
        kind,
        {
          ...job,
          ...(payload && { payload: () => payload(app) }),
          run: (running: RunningJob) => job.run(app, running),
        },
      ]),
    ),
    [verifyKind]: {
      run: (job) => runVerificationJob(app, job, consistencyChecks),
      restartedBy: 'POST /admin/verifications',
      backoffSeconds: [5, 60],
    },
  };
}
