export { backUpBeforeUpgrade, UpgradeBackupFailed } from './backup/before-upgrade.ts';
export { blobNameOf, copyNameOf } from './backup/names.ts';
export { findNewestBackup } from './backup/newest.ts';
export {
  backupKind,
  makeScheduledBackup,
  planBackups,
  planBackupsKind,
} from './backup/scheduled.ts';
export { checkBackups } from './backup/status.ts';
export { ledgerPattern } from './backup/store.ts';
export { checkBlobs } from './diagnosis/blobs.ts';
export { checkDisk } from './diagnosis/disk.ts';
export { checkJobs } from './diagnosis/jobs.ts';
export { type CheckResult, type Problem, Report } from './diagnosis/report.ts';
export { checkSecrets } from './diagnosis/secrets.ts';
export { checkSettings } from './diagnosis/settings.ts';
export { checkVersions } from './diagnosis/versions.ts';
export { ledgerCopy } from './erasures/copy.ts';
export {
  removeContentKind,
  removeContentSeconds,
  removeErasedContent,
} from './erasures/remove-content.ts';
export { type Replayed, replayErasures, replayLedgerFile } from './erasures/replay.ts';
export { lifecycle } from './health.ts';
export { housekeep, housekeepingKind, keepMaintained } from './housekeeping.ts';
export { followConfiguredModel, reembed, reembedKind } from './reembed.ts';
export { operationHandlers } from './routes.ts';
export { eventStreams } from './stream.ts';
export { type VerificationResult, verify, verifyKind, verifyNow } from './verify.ts';
