import {
  accountCheck,
  accountHandlers,
  eraseAccount,
  eraseAccountKind,
  erasingAccount,
  issuingKey,
  resumingAccount,
} from './domains/accounts/index.ts';
import {
  namingBlobs,
  removeBlobs,
  removeBlobsKind,
  sweepBlobs,
  sweepBlobsKind,
} from './domains/blobs.ts';
import type { Check } from './domains/check.ts';
import {
  autoKind,
  centroidKind,
  clusterCheck,
  clusterHandlers,
  clustersOfMemories,
  computeMetrics,
  eraseAccountClusters,
  eraseSets,
  eraseSetsKind,
  findClustersByWords,
  followMemories,
  leaveClusters,
  metricsKind,
  recomputeCentroid,
  removeOfSpace,
  runByThemselves,
  runClusters,
  runKind,
  sumKind,
  sumUp,
} from './domains/clusters/index.ts';
import type { App } from './domains/ctx.ts';
import {
  attachmentCheck,
  blobsNamedByMail,
  dueDigestsKind,
  emailHandlers,
  eraseAccountEmail,
  failStaleMails,
  mailCheck,
  processMail,
  processMailKind,
  sendDigestKind,
  sendDigestNow,
  sendDueDigests,
} from './domains/email/index.ts';
import {
  enrichLater,
  enrichLaterKind,
  enrichmentHandlers,
  scoreQuality,
} from './domains/enrichment/index.ts';
import {
  eraseAccountGraph,
  factCheck,
  forgetMemories,
  forgetSpace,
  graphHandlers,
  readingMemories,
  readStored,
  readStoredKind,
} from './domains/graph/index.ts';
import type { Handler } from './domains/handle.ts';
import {
  compactIndex,
  compactIndexKind,
  eraseDocuments,
  positionCheck,
  tombstoneCheck,
} from './domains/index/index.ts';
import {
  blobsNamedByMedia,
  clipCheck,
  eraseAccountMedia,
  followRecordings,
  forgetClips,
  forgetClipsKind,
  forgetMedia,
  forgetRecordings,
  interpret,
  interpretKind,
  makeThumbnail,
  mediaCheck,
  mediaHandlers,
  segmentCheck,
  segmentStrayCheck,
  storedMedia,
  sweepScratch,
  sweepScratchKind,
  tendUploads,
  tendUploadsKind,
  thumbnailKind,
  transcribe,
  transcribeKind,
  transcribeUploaded,
  uploadCheck,
} from './domains/media/index.ts';
import {
  changedMemories,
  documentCheck,
  endingMemories,
  eraseAccountMemories,
  eraseMemories,
  eraseMemoriesKind,
  erasingMemories,
  joiningSessions,
  memoryCounterCheck,
  memoryHandlers,
  requireNoMemories,
  strayCheck,
} from './domains/memories/index.ts';
import {
  backupKind,
  housekeep,
  housekeepingKind,
  makeScheduledBackup,
  operationHandlers,
  planBackups,
  planBackupsKind,
  reembed,
  reembedKind,
  removeContentKind,
  removeContentSeconds,
  removeErasedContent,
  verify,
  verifyKind,
} from './domains/operations/index.ts';
import {
  followPins,
  relationshipCheck,
  relationshipHandlers,
} from './domains/relationships/index.ts';
import {
  eraseSearchPresets,
  findingByWords,
  groupingMemories,
  searchHandlers,
} from './domains/search/index.ts';
import {
  closeIdleKind,
  closeIdleSessions,
  coAccessKind,
  countChanges,
  eraseAccountSessions,
  eraseSession,
  eraseSessionKind,
  learnTogether,
  placeInSessions,
  requireNoSessions,
  retainSessions,
  retainSessionsKind,
  sessionCheck,
  sessionHandlers,
  sessionNameCheck,
} from './domains/sessions/index.ts';
import {
  eraseSpaces,
  findSpaces,
  removingSpace,
  requireSpaces,
  spaceCheck,
  spaceHandlers,
} from './domains/spaces/index.ts';
import {
  eraseAccountWebhooks,
  eraseWebhook,
  eraseWebhookKind,
  failStaleDeliveries,
  replay,
  replayKind,
  webhookCheck,
  webhookHandlers,
} from './domains/webhooks/index.ts';
import type { JobKind, Schedule } from './work/worker.ts';

export const handlers: readonly Handler[] = [
  ...memoryHandlers,
  ...mediaHandlers,
  ...relationshipHandlers,
  ...graphHandlers,
  ...enrichmentHandlers,
  ...clusterHandlers,
  ...searchHandlers,
  ...spaceHandlers,
  ...sessionHandlers,
  ...emailHandlers,
  ...webhookHandlers,
  ...accountHandlers,
  ...operationHandlers,
];

/** What `mneme verify` checks, domain by domain. */
export const checks: readonly Check[] = [
  accountCheck,
  spaceCheck,
  positionCheck,
  tombstoneCheck,
  memoryCounterCheck,
  documentCheck,
  strayCheck,
  mediaCheck,
  clipCheck,
  uploadCheck,
  mailCheck,
  attachmentCheck,
  segmentCheck,
  segmentStrayCheck,
  sessionCheck,
  sessionNameCheck,
  relationshipCheck,
  factCheck,
  clusterCheck,
  webhookCheck,
];

const minute = 60;
const hour = 3_600;
export const schedules: readonly Schedule[] = [
  { kind: housekeepingKind, everySeconds: hour },
  { kind: planBackupsKind, everySeconds: minute },
  { kind: removeContentKind, everySeconds: removeContentSeconds },
  { kind: compactIndexKind, everySeconds: hour },
  { kind: retainSessionsKind, everySeconds: hour },
  { kind: closeIdleKind, everySeconds: minute },
  { kind: autoKind, everySeconds: minute },
  { kind: dueDigestsKind, everySeconds: minute },
  { kind: tendUploadsKind, everySeconds: minute },
  { kind: forgetClipsKind, everySeconds: hour },
  { kind: sweepScratchKind, everySeconds: 24 * hour },
  { kind: sweepBlobsKind, everySeconds: 24 * hour },
];

/** What goes against the order of the domains goes through hooks, tied here. */
export function tieHooks(app: App): void {
  issuingKey.on(app, requireSpaces);
  namingBlobs.on(app, blobsNamedByMail);
  namingBlobs.on(app, blobsNamedByMedia);
  joiningSessions.on(app, placeInSessions);
  changedMemories.on(app, countChanges);
  changedMemories.on(app, followPins);
  changedMemories.on(app, followMemories);
  changedMemories.on(app, followRecordings);
  storedMedia.on(app, transcribeUploaded);
  endingMemories.on(app, leaveClusters);
  endingMemories.on(app, forgetRecordings);
  // Before knowledge: whoever locks both takes the clusters' lock first.
  erasingMemories.on(app, leaveClusters);
  erasingMemories.on(app, forgetMemories);
  // Before their rows go, which name the documents.
  erasingMemories.on(app, forgetRecordings);
  erasingMemories.on(app, forgetMedia);
  readingMemories.on(app, scoreQuality);
  removingSpace.on(app, requireNoMemories);
  removingSpace.on(app, requireNoSessions);
  removingSpace.on(app, removeOfSpace);
  removingSpace.on(app, forgetSpace);
  findingByWords.on(app, 'space', findSpaces);
  findingByWords.on(app, 'cluster', findClustersByWords);
  groupingMemories.on(app, 'clusters', clustersOfMemories);
  // `commands/reset-admin.ts` has these two as well.
  resumingAccount.on(app, failStaleDeliveries);
  resumingAccount.on(app, failStaleMails);
  erasingAccount.on(app, eraseAccountWebhooks);
  erasingAccount.on(app, eraseAccountEmail);
  // Before its memories: their rows take along those that name the blobs.
  erasingAccount.on(app, eraseAccountMedia);
  erasingAccount.on(app, eraseAccountMemories);
  // After its memories: what is left unread would be read meanwhile.
  erasingAccount.on(app, eraseAccountGraph);
  erasingAccount.on(app, eraseAccountSessions);
  erasingAccount.on(app, eraseAccountClusters);
  erasingAccount.on(app, eraseDocuments);
  erasingAccount.on(app, eraseSearchPresets);
  erasingAccount.on(app, eraseSpaces);
}

/** Waits before an erasure that failed is tried again. */
const erasingSeconds = [5, 60, 600, 3_600];

export const jobKinds = (app: App): Record<string, JobKind> => ({
  [eraseMemoriesKind]: { run: (job) => eraseMemories(app, job), backoffSeconds: erasingSeconds },
  [eraseSessionKind]: { run: (job) => eraseSession(app, job), backoffSeconds: erasingSeconds },
  [processMailKind]: {
    run: (job) => processMail(app, job),
    backoffSeconds: [5, 30, 300, 3_600, 3_600],
  },
  [dueDigestsKind]: { run: (job) => sendDueDigests(app, job), backoffSeconds: [60] },
  [sendDigestKind]: { run: (job) => sendDigestNow(app, job), backoffSeconds: [5, 60, 600] },
  [removeBlobsKind]: { run: (job) => removeBlobs(app, job), backoffSeconds: erasingSeconds },
  [sweepBlobsKind]: { run: (job) => sweepBlobs(app, job), backoffSeconds: [60, 600] },
  [tendUploadsKind]: { run: (job) => tendUploads(app, job), backoffSeconds: [60, 600] },
  [forgetClipsKind]: { run: (job) => forgetClips(app, job), backoffSeconds: [60, 600] },
  [thumbnailKind]: {
    run: (job) => makeThumbnail(app, job),
    backoffSeconds: [5, 60, 600, 3_600],
    lane: 'pictures',
  },
  [transcribeKind]: {
    run: (job) => transcribe(app, job),
    backoffSeconds: [10, 60, 600],
    lane: 'recordings',
  },
  [interpretKind]: {
    run: (job) => interpret(app, job),
    backoffSeconds: [10, 60, 600],
    lane: 'recordings',
  },
  [sweepScratchKind]: { run: () => sweepScratch(app), backoffSeconds: [600] },
  [replayKind]: { run: (job) => replay(app, job), backoffSeconds: [5, 60, 600] },
  [eraseWebhookKind]: { run: (job) => eraseWebhook(app, job), backoffSeconds: erasingSeconds },
  [coAccessKind]: { run: (job) => learnTogether(app, job), backoffSeconds: [5, 60, 600] },
  [eraseSetsKind]: { run: (job) => eraseSets(app, job), backoffSeconds: erasingSeconds },
  [sumKind]: { run: (job) => sumUp(app, job), backoffSeconds: [5, 60, 600] },
  [centroidKind]: { run: (job) => recomputeCentroid(app, job), backoffSeconds: [5, 60, 600] },
  [metricsKind]: {
    run: (job) => computeMetrics(app, job),
    backoffSeconds: [5, 60, 600],
    lane: 'clusters',
  },
  [autoKind]: { run: () => runByThemselves(app), backoffSeconds: [60] },
  // What fails is told by the run, which can be started again.
  [runKind]: { run: (job) => runClusters(app, job), backoffSeconds: [], lane: 'clusters' },
  [enrichLaterKind]: { run: (job) => enrichLater(app, job), backoffSeconds: [5, 60, 600] },
  [readStoredKind]: { run: (job) => readStored(app, job), backoffSeconds: [5, 60, 600, 3_600] },
  [closeIdleKind]: { run: () => closeIdleSessions(app), backoffSeconds: [60] },
  [retainSessionsKind]: { run: (job) => retainSessions(app, job), backoffSeconds: [60, 600] },
  [eraseAccountKind]: { run: (job) => eraseAccount(app, job), backoffSeconds: erasingSeconds },
  [compactIndexKind]: { run: (job) => compactIndex(app, job), backoffSeconds: [60] },
  [reembedKind]: {
    run: (job) => reembed(app, job),
    backoffSeconds: [5, 30, 60, 300, 600, 3_600, 3_600],
  },
  [verifyKind]: { run: (job) => verify(app, job, checks), backoffSeconds: [5, 60] },
  [planBackupsKind]: { run: () => planBackups(app), backoffSeconds: [] },
  [backupKind]: {
    run: (job) => makeScheduledBackup(app, job),
    backoffSeconds: [60, 600, 3_600],
    lane: 'backups',
  },
  [removeContentKind]: {
    run: (job) => removeErasedContent(app, job),
    backoffSeconds: [5, 30, 60, 600],
  },
  [housekeepingKind]: { run: (job) => housekeep(app, job), backoffSeconds: [60] },
});
