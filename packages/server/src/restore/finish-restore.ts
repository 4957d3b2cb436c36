import { existsSync } from 'node:fs';
import { readdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { createContext } from '../context.ts';
import {
  ledgerPattern,
  type ReplayResult,
  replayLedgerFile,
  type VerificationResult,
  verifyOffline,
} from '../domains/operations/index.ts';
import { pauseDeliveries } from '../events/delivery-pause.ts';
import { systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Log } from '../kernel/log.ts';
import { consistencyChecks } from '../modules.ts';

/** What was erased after the backup was made, and was erased again. */
export interface FinishResult extends ReplayResult {
  readonly verification: VerificationResult;
}

const ledgerName = 'erasures.ndjson';

interface FinishOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  /** The archive: a ledger of erasures beside it may be newer. */
  readonly backup: string;
  /** False: what the ledgers have is not erased, and that of the data folder is set aside. */
  readonly eraseAgain: boolean;
  readonly onStep: (step: 'erasures' | 'verification', share: number) => void;
}

/**
 * Brings the restored database up to date, erases again what was erased, and verifies it. Nothing
 * listens meanwhile.
 */
export async function finishRestore({
  config,
  version,
  log,
  backup,
  eraseAgain,
  onStep,
}: FinishOptions): Promise<FinishResult> {
  const unsaved = { ...config, backup: { ...config.backup, beforeUpgrade: false } };
  if (!eraseAgain) await archiveLedger(config.dataDir);
  await using context = await createContext(unsaved, version, { log });
  const { engine, clock } = context.app;
  await engine.transaction((tx) => pauseDeliveries(tx, clock.now()));
  onStep('erasures', 0);
  const replayed: ReplayResult[] = [];
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
    // Both folders may have the same row.
    remainingSpaces: [
      ...new Map(
        replayed.flatMap(({ remainingSpaces }) => remainingSpaces.map((row) => [row.id, row])),
      ).values(),
    ],
    verification,
  };
}

/** Of the data folder and of the folder of the archive; a ledger of another database is skipped. */
async function findLedgers(dataDir: string, backup: string): Promise<string[]> {
  const folder = path.dirname(path.resolve(backup));
  const beside = (await readdir(folder)).filter(
    (name) => name === ledgerName || ledgerPattern.test(name),
  );
  const files = [ledgerName, ...beside.map((name) => path.join(folder, name))];
  return [...new Set(files.map((file) => path.resolve(dataDir, file)))];
}

/** The next restore of a later backup must not erase what this one brings back. */
async function archiveLedger(dataDir: string): Promise<void> {
  const file = path.join(dataDir, ledgerName);
  if (!existsSync(file)) return;
  const time = systemClock.now().toISOString().replace(/[:.]/g, '-');
  await rename(file, path.join(dataDir, `erasures.${time}.ndjson`));
}
