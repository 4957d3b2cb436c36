import fs from 'node:fs';
import path from 'node:path';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createIds, type Ids } from '../../kernel/ids.ts';
import { syncPath } from '../embedded/sync-files.ts';
import type { EngineLog } from '../engine-log.ts';
import { formatLsn, type WalPosition, type WalPositionMismatch } from './wal-position.ts';

/** Each engine has its own files, since both may use the same folder where that is allowed. */
export const engineFileSuffix = { embedded: '', server: '.server' } as const;
/** Acknowledged findings remain as a history; the oldest are removed first. */
const FINDINGS_MAX = 100;

export type IntegrityFindingKind = WalPositionMismatch | 'damaged_page';

/** An inconsistency of the stored data that an operator has to know. */
export interface IntegrityFinding {
  readonly id: string;
  readonly kind: IntegrityFindingKind;
  /** The health status is degraded until the finding is acknowledged. */
  readonly isDegrading: boolean;
  readonly message: string;
  readonly action: string;
  readonly foundAt: string;
  readonly acknowledgedAt: string | null;
}

interface FindingDescription {
  readonly isDegrading: boolean;
  readonly message: string;
  readonly action: string;
}

interface IntegrityReportOptions {
  readonly clock?: Clock;
  readonly engine?: keyof typeof engineFileSuffix;
}

/**
 * The findings of one data folder, stored in a small file of it until an operator acknowledges
 * them.
 */
export class IntegrityFindings {
  readonly #file: string | null;
  readonly #log: EngineLog;
  readonly #clock: Clock;
  readonly #ids: Ids;
  #findings: readonly IntegrityFinding[] = [];
  /** Why the last acknowledged position cannot be recorded; null while recording works. */
  recordingError: string | null = null;

  #begin: () => Promise<void> = async () => undefined;

  /** If `dataDir` is null, findings exist only in memory. */
  constructor(
    dataDir: string | null,
    log: EngineLog,
    { clock = systemClock, engine = 'embedded' }: IntegrityReportOptions = {},
  ) {
    const name = `integrity${engineFileSuffix[engine]}.json`;
    this.#file = dataDir === null ? null : path.join(dataDir, name);
    this.#log = log;
    this.#clock = clock;
    this.#ids = createIds(clock);
    this.#findings = this.#read();
  }

  /** Registers the callback that runs once the data folder is known to belong to this database. */
  onOwnershipConfirmed(begin: () => Promise<void>): void {
    this.#begin = begin;
  }

  /** Call it after the data folder was accepted. Until then its files are not changed. */
  confirmOwnership(): Promise<void> {
    return this.#begin();
  }

  /** All findings, oldest first. */
  get findings(): readonly IntegrityFinding[] {
    return this.#findings;
  }

  /** Logs and stores that the WAL does not end at the last acknowledged position. */
  recordMismatch(kind: WalPositionMismatch, recorded: WalPosition, found: WalPosition): void {
    const description = explainMismatch(kind, recorded, found);
    const fields = {
      kind,
      acknowledged: toFields(recorded),
      found: toFields(found),
      action: description.action,
    };
    if (description.isDegrading) this.#log.error(fields, description.message);
    else this.#log.warn(fields, description.message);
    this.#add({ kind, ...description });
  }

  /** Logs and stores that a page cannot be read, once per page until it is acknowledged. */
  recordDamagedPage(reason: string): void {
    const message = `Stored data is damaged: ${reason}`;
    if (this.#findings.some((one) => one.acknowledgedAt === null && one.message === message)) {
      return;
    }
    const action =
      'Run `mneme verify` to list every damaged page, and check the disk. Restore a backup; if ' +
      'only an index is damaged, rebuild it with REINDEX.';
    this.#log.error({ reason, action }, 'stored data is damaged');
    this.#add({ kind: 'damaged_page', isDegrading: true, message, action });
  }

  /** Marks findings as acknowledged: those with the ids, or all. Returns their number. */
  acknowledge(ids: readonly string[] | null): number {
    const acknowledgedAt = this.#clock.now().toISOString();
    const isSelected = ({ id, acknowledgedAt: at }: IntegrityFinding): boolean =>
      at === null && (ids === null || ids.includes(id));
    const count = this.#findings.filter(isSelected).length;
    if (count > 0) {
      this.#store(
        this.#findings.map((one) => (isSelected(one) ? { ...one, acknowledgedAt } : one)),
      );
    }
    return count;
  }

  #add(finding: FindingDescription & { kind: IntegrityFindingKind }): void {
    const foundAt = this.#clock.now().toISOString();
    const whole = { id: this.#ids.uuid(), ...finding, foundAt, acknowledgedAt: null };
    this.#store([...this.#findings, whole]);
  }

  #store(findings: readonly IntegrityFinding[]): void {
    const open = findings.filter(({ acknowledgedAt }) => acknowledgedAt === null);
    const acknowledged = findings.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
    const remaining = Math.max(FINDINGS_MAX - open.length, 0);
    // The first open findings are the most useful: one damaged page often causes many more.
    const retained = new Set([
      ...open.slice(0, FINDINGS_MAX),
      ...acknowledged.slice(acknowledged.length - remaining),
    ]);
    this.#findings = findings.filter((one) => retained.has(one));
    if (this.#file === null) return;
    try {
      const draft = `${this.#file}.new`;
      fs.writeFileSync(draft, `${JSON.stringify({ findings: this.#findings }, null, 2)}\n`, {
        mode: 0o600,
        flush: true,
      });
      fs.renameSync(draft, this.#file);
      syncPath(path.dirname(this.#file));
    } catch (error) {
      // The finding remains in the memory of this process and in its log.
      this.#log.error({ err: error }, 'findings file not written');
    }
  }

  #read(): readonly IntegrityFinding[] {
    if (this.#file === null) return [];
    try {
      const { findings } = JSON.parse(fs.readFileSync(this.#file, 'utf8'));
      if (Array.isArray(findings)) return findings;
      throw new TypeError('the file has no list of findings');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      this.#log.error({ err: error, file: this.#file }, 'findings file not readable');
      return [];
    }
  }
}

const toFields = ({ systemId, timeline, lsn }: WalPosition) => ({
  systemId,
  timeline,
  lsn: formatLsn(lsn),
});

const resend =
  'Repeat the writes acknowledged shortly before the stop, or restore a backup that has them. ';
const acknowledge = 'Then run `mneme doctor --acknowledge`.';

function explainMismatch(
  kind: WalPositionMismatch,
  recorded: WalPosition,
  found: WalPosition,
): FindingDescription {
  const until = formatLsn(recorded.lsn);
  const end = formatLsn(found.lsn);
  switch (kind) {
    case 'missing_tail':
      return {
        isDegrading: true,
        message:
          `Acknowledged writes are missing: the write-ahead log was acknowledged up to ${until}, ` +
          `but recovery ended at ${end}. The log is damaged, or its files are outdated.`,
        action: `${resend}Run \`mneme verify\`, and check the disk. ${acknowledge}`,
      };
    case 'failover_missing_tail':
      return {
        isDegrading: true,
        message:
          `Acknowledged writes are missing after a failover or point-in-time recovery: timeline ` +
          `${recorded.timeline} was acknowledged up to ${until}, and timeline ${found.timeline} ` +
          `is at ${end}.`,
        action: `${resend}Synchronous replication avoids this. ${acknowledge}`,
      };
    case 'failover':
      return {
        isDegrading: false,
        message:
          `A failover or a point-in-time recovery has changed the timeline of the database from ` +
          `${recorded.timeline} to ${found.timeline}. Writes that were not replicated are missing.`,
        action: `Compare with the former primary, acknowledged up to ${until}. ${acknowledge}`,
      };
    case 'older_copy':
      return {
        isDegrading: false,
        message:
          `The database was restored from an older copy: its log ends at ${end}, but was ` +
          `acknowledged up to ${until} before.`,
        action: `Data stored after that copy is missing. ${acknowledge}`,
      };
    case 'other_cluster':
      return {
        isDegrading: false,
        message:
          `The database was replaced: its system identifier is ${found.systemId}, previously ` +
          `${recorded.systemId}.`,
        action: `Expected after a restore or a move to another server. ${acknowledge}`,
      };
  }
}
