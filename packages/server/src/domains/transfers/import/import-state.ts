import {
  type ArchiveKind,
  archiveKinds,
  type ImportSkipReason,
  type ImportStatus,
  importSkipReasons,
} from '@mneme/contract';
import type { ImportOutcome } from '../../import-outcome.ts';

/** What a request asks for. */
export interface ImportRequest {
  readonly dry_run: boolean;
  readonly apply_deletions: boolean;
  readonly map_spaces: Readonly<Record<string, string>>;
  readonly map_users: Readonly<Record<string, string>>;
  readonly map_agents: Readonly<Record<string, string>>;
  readonly map_runs: Readonly<Record<string, string>>;
}

interface Counts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly skipped: number;
}

/** How far an import has come, and its report. */
export interface ImportState {
  /** The entry of the archive, and how many of its lines are done. */
  readonly entry: number;
  readonly line: number;
  readonly done: number;
  readonly counts: Readonly<Partial<Record<ArchiveKind, Counts>>>;
  /** By `kind reason`. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly skipped: ImportStatus['skipped'];
  /** Memories to extract again at the end, by account: their texts have changed. */
  readonly changed: readonly (readonly [accountId: string, id: string])[];
}

/** The payload of the job. */
export interface ImportPayload {
  /** The archive in the blob store. */
  readonly blob: string;
  readonly request: ImportRequest;
  /** Ids in the archive, and of the accounts here. */
  readonly accounts: readonly (readonly [source: string, target: string])[];
  readonly total: number;
  /** The key that requested it, which private sessions belong to from now on. */
  readonly keyId: string | null;
  readonly state: ImportState;
}

export const initialImportState: ImportState = {
  entry: 0,
  line: 0,
  done: 0,
  counts: {},
  reasons: {},
  skipped: [],
  changed: [],
};

const skippedMax = 500;
const noCounts: Counts = { created: 0, updated: 0, unchanged: 0, skipped: 0 };

const isReason = (outcome: ImportOutcome): outcome is ImportSkipReason =>
  (importSkipReasons as readonly string[]).includes(outcome);

/** The state with the outcomes of further records, which have these ids in the archive. */
export function addOutcomes(
  state: ImportState,
  kind: ArchiveKind,
  records: readonly { readonly id: string; readonly outcome: ImportOutcome }[],
): ImportState {
  const counts = { ...(state.counts[kind] ?? noCounts) };
  const reasons = { ...state.reasons };
  const skipped = [...state.skipped];
  for (const { id, outcome } of records) {
    if (!isReason(outcome)) {
      counts[outcome] += 1;
      continue;
    }
    counts.skipped += 1;
    const key = `${kind} ${outcome}`;
    reasons[key] = (reasons[key] ?? 0) + 1;
    if (skipped.length < skippedMax) skipped.push({ kind, id, reason: outcome });
  }
  return { ...state, counts: { ...state.counts, [kind]: counts }, reasons, skipped };
}

type Report = Pick<ImportStatus, 'records' | 'reasons' | 'skipped'>;

export const presentReport = ({ counts, reasons, skipped }: ImportState): Report => ({
  records: archiveKinds.flatMap((kind) => {
    const found = counts[kind];
    return found ? [{ kind, ...found }] : [];
  }),
  reasons: Object.entries(reasons).map(([key, count]) => {
    const [kind, reason] = key.split(' ') as [ArchiveKind, ImportSkipReason];
    return { kind, reason, count };
  }),
  skipped: [...skipped],
});
