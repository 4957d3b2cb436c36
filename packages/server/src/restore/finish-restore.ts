import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { createServiceComponents } from '../context.ts';
import {
  type ErasureReplayResult,
  ledgerFileNamePattern,
  replayLedgerFile,
  type VerificationResult,
  verifyOffline,
} from '../domains/operations/index.ts';
import { pauseDeliveries } from '../events/delivery-pause.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Log } from '../kernel/log.ts';
import { consistencyChecks } from '../modules.ts';

/** The erasures that followed the backup and were repeated, and the verification. */
export interface FinishRestoreResult extends ErasureReplayResult {
  readonly verification: VerificationResult;
}

const ledgerName = 'erasures.ndjson';

interface FinishOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  /** The archive: an erasure ledger in its folder may be newer. */
  readonly backup: string;
  /** False: erasures are not repeated, and the ledger of the data folder is renamed. */
  readonly eraseAgain: boolean;
  readonly onStep: (step: 'erasures' | 'verification', share: number) => void;
}

/**
 * Migrates the restored database, repeats erasures from the ledgers and verifies the result. No
 * server listens during this.
 */
export async function finishRestore({
  config,
  version,
  log,
  backup,
  eraseAgain,
  onStep,
}: FinishOptions): Promise<FinishRestoreResult> {
  const withoutUpgradeBackup = { ...config, backup: { ...config.backup, beforeUpgrade: false } };
  if (!eraseAgain) await archiveLedger(config.dataDir);
  await using context = await createServiceComponents(withoutUpgradeBackup, version, { log });
  const { engine, clock } = context.app;
  await engine.transaction((tx) => pauseDeliveries(tx, clock.now()));
  onStep('erasures', 0);
  const replayed: ErasureReplayResult[] = [];
  for (const file of eraseAgain ? await findLedgers(config.dataDir, backup) : []) {
    const result = await replayLedgerFile(context.app, file);
    if (result !== null) replayed.push(result);
  }
  onStep('verification', 0);
  const verification = await verifyOffline(context.app, consistencyChecks, (share) =>
    onStep('verification', share),
  );
  return {
    erased: replayed.reduce((sum, { erased }) => sum + erased, 0),
    // Several ledgers may have the same row.
    remainingSpaces: [
      ...new Map(
        replayed.flatMap(({ remainingSpaces }) => remainingSpaces.map((row) => [row.id, row])),
      ).values(),
    ],
    verification,
  };
}

/** The ledgers in the data folder and in the folder of the archive. */
async function findLedgers(dataDir: string, backup: string): Promise<string[]> {
  const folder = path.dirname(path.resolve(backup));
  const names = (await readdir(folder)).filter(
    (name) => name === ledgerName || ledgerFileNamePattern.test(name),
  );
  const files = [ledgerName, ...names.map((name) => path.join(folder, name))];
  return [...new Set(files.map((file) => path.resolve(dataDir, file)))];
}

/** Renames the ledger, so that the next restore does not erase what this one restores. */
async function archiveLedger(dataDir: string): Promise<void> {
  const file = path.join(dataDir, ledgerName);
  if (!existsSync(file)) return;
  const time = systemClock.now().toISOString().replace(/[:.]/g, '-');
  await rename(file, path.join(dataDir, `erasures.${time}.ndjson`));
}
