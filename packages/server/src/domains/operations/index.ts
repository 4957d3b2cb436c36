export { fromBlobEntryName, fromDatabaseEntryName } from './backup/archive-entry-names.ts';
export { ledgerFileNamePattern } from './backup/backup-store.ts';
export { backUpBeforeUpgrade, UpgradeBackupFailed } from './backup/before-upgrade.ts';
export { checkNewestBackup } from './backup/newest-backup-check.ts';
export {
  backupKind,
  enqueueDueBackup,
} from './backup/scheduled.ts';
export { checkBackups } from './backup/status.ts';
export { checkBlobs } from './diagnosis/blobs.ts';
export { checkDisk } from './diagnosis/disk.ts';
export { checkJobs, checkPausedQueues } from './diagnosis/jobs.ts';
export { type CheckResult, DiagnosisReport, type Problem } from './diagnosis/report.ts';
export { checkSecrets } from './diagnosis/secrets.ts';
export { checkSettings } from './diagnosis/settings.ts';
export { checkVersions } from './diagnosis/versions.ts';
export { ledgerCopier } from './erasures/ledger-copier.ts';
export {
  removeErasedContent,
  removeErasedContentKind,
} from './erasures/remove-content.ts';
export { type ErasureReplayResult, replayErasures, replayLedgerFile } from './erasures/replay.ts';
export { openEventStreams } from './event-stream.ts';
export { lifecycle } from './health.ts';
export { runHousekeeping, startDatabaseMaintenance } from './housekeeping.ts';
export { collectMetrics, readMetrics } from './metrics.ts';
export { startFollowingModelChoice } from './models/follow.ts';
export { openEmbeddingModel } from './models/open.ts';
export { checkReadiness } from './readiness.ts';
export { reembedFromFormerModels } from './reembed.ts';
export {
  runVerificationJob,
  type VerificationResult,
  verifyKind,
  verifyOffline,
} from './verify.ts';
export { watchWorkers } from './watch-workers.ts';
