import fs from 'node:fs';
import path from 'node:path';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { createIds, type Ids } from '../../kernel/ids.ts';
import { syncPath } from '../embedded/filesystem.ts';
import type { EngineLog } from '../log.ts';
import { formatLsn, type PositionMismatch, type WalPosition } from './wal-position.ts';

/** Each engine has files of its own: a folder may be used for both, where that is allowed. */
export const fileSuffix = { embedded: '', server: '.server' } as const;
/** Acknowledged ones are kept as a history; the oldest go first. */
const FINDINGS_MAX = 100;

export type FindingKind = PositionMismatch | 'damaged_page';

/** Something an operator has to know of the stored data. */
export interface Finding {
  readonly id: string;
  readonly kind: FindingKind;
  /** The health is degraded until it is acknowledged. */
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
  readonly engine?: keyof typeof fileSuffix;
}

/** What was found of one data folder, kept in a small file of it until an operator has seen it. */
export class IntegrityReport {
  readonly #file: string | null;
  readonly #log: EngineLog;
  readonly #clock: Clock;
  readonly #ids: Ids;
  #findings: readonly Finding[] = [];
  /** Why the last acknowledged position cannot be recorded; null while it can. */
  recordingError: string | null = null;

  #begin: () => Promise<void> = async () => undefined;

  /** `dataDir` null: nothing is kept past the end of the process. */
  constructor(
    dataDir: string | null,
    log: EngineLog,
    { clock = systemClock, engine = 'embedded' }: IntegrityReportOptions = {},
  ) {
    const name = `integrity${fileSuffix[engine]}.json`;
    this.#file = dataDir === null ? null : path.join(dataDir, name);
    this.#log = log;
    this.#clock = clock;
    this.#ids = createIds(clock);
    this.#findings = this.#read();
  }

  /** What begins once the data folder is known to be this database's. */
  onOwnershipConfirmed(begin: () => Promise<void>): void {
    this.#begin = begin;
  }

  /** To be called when the data folder was not refused: before, its files are not touched. */
  confirmOwnership(): Promise<void> {
    return this.#begin();
  }

  /** The newest last. */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** Logs and keeps that the log's end is not where the last acknowledged position was. */
  recordMismatch(kind: PositionMismatch, recorded: WalPosition, found: WalPosition): void {
    const explained = explainMismatch(kind, recorded, found);
    const fields = {
      kind,
      acknowledged: toFields(recorded),
      found: toFields(found),
      action: explained.action,
    };
    if (explained.isDegrading) this.#log.error(fields, explained.message);
    else this.#log.warn(fields, explained.message);
    this.#add({ kind, ...explained });
  }

  /** Logs and keeps that a page could not be read; once for each until it is acknowledged. */
  recordDamagedPage(reason: string): void {
    const message = `Stored data is damaged: ${reason}`;
    if (this.#findings.some((one) => one.acknowledgedAt === null && one.message === message)) {
      return;
    }
    const action =
      'Run `mneme verify` to list every damaged page, and check the disk. Restore a backup; an ' +
      'index alone can be rebuilt with REINDEX.';
    this.#log.error({ reason, action }, 'stored data is damaged');
    this.#add({ kind: 'damaged_page', isDegrading: true, message, action });
  }

  /** Marks findings as seen: those with the ids, or all. Returns how many there were. */
  acknowledge(ids: readonly string[] | null): number {
    const acknowledgedAt = this.#clock.now().toISOString();
    const isMeant = ({ id, acknowledgedAt: at }: Finding): boolean =>
      at === null && (ids === null || ids.includes(id));
    const count = this.#findings.filter(isMeant).length;
    if (count > 0) {
      this.#keep(this.#findings.map((one) => (isMeant(one) ? { ...one, acknowledgedAt } : one)));
    }
    return count;
  }

  #add(finding: FindingDescription & { kind: FindingKind }): void {
    const foundAt = this.#clock.now().toISOString();
    const whole = { id: this.#ids.uuid(), ...finding, foundAt, acknowledgedAt: null };
    this.#keep([...this.#findings, whole]);
  }

  #keep(findings: readonly Finding[]): void {
    const open = findings.filter(({ acknowledgedAt }) => acknowledgedAt === null);
    const seen = findings.filter(({ acknowledgedAt }) => acknowledgedAt !== null);
    const room = Math.max(FINDINGS_MAX - open.length, 0);
    // The first of them say most: where one page is damaged, many more may follow.
    const kept = new Set([...open.slice(0, FINDINGS_MAX), ...seen.slice(seen.length - room)]);
    this.#findings = findings.filter((one) => kept.has(one));
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
      // It stays known to this process, and its log.
      this.#log.error({ err: error }, 'the findings could not be written to the data folder');
    }
  }

  #read(): readonly Finding[] {
    if (this.#file === null) return [];
    try {
      const { findings } = JSON.parse(fs.readFileSync(this.#file, 'utf8'));
      if (Array.isArray(findings)) return findings;
      throw new TypeError('it has no list of findings');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      this.#log.error({ err: error, file: this.#file }, 'former findings could not be read');
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
  'Store again what was acknowledged shortly before the stop, or restore a backup that has it. ';
const acknowledge = 'Then run `mneme doctor --acknowledge`.';

function explainMismatch(
  kind: PositionMismatch,
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
          `and its recovery ended at ${end}. The log is damaged, or its files are not the newest.`,
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
          `The database has had a failover or a point-in-time recovery: timeline ` +
          `${recorded.timeline} is now ${found.timeline}. What was not replicated is missing.`,
        action: `Compare with the former primary, acknowledged up to ${until}. ${acknowledge}`,
      };
    case 'older_copy':
      return {
        isDegrading: false,
        message:
          `The database was restored from an older copy: it ends at ${end}, and was acknowledged ` +
          `up to ${until} before.`,
        action: `What was stored after the copy was made is not in it. ${acknowledge}`,
      };
    case 'other_cluster':
      return {
        isDegrading: false,
        message:
          `The database is another one than before: its system identifier is ${found.systemId}, ` +
          `and was ${recorded.systemId}.`,
        action: `Expected after a restore or a move to another server. ${acknowledge}`,
      };
  }
}
