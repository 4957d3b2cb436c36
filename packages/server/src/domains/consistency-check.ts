import type { Tx } from '../database/index.ts';
import type { Ctx } from './ctx.ts';

/** Something derived or counted that is not what it is derived from, or counts. */
export interface Inconsistency {
  /** What kind of fault it is, for scripts: `terms_differ`. */
  readonly code: string;
  /** The row it was found at; null: the account. */
  readonly id: string | null;
  /** In words, without anything that callers stored. */
  readonly message: string;
  /** Right when it was written, and no longer what would be written now: works, and no damage. */
  readonly isOutdated?: boolean;
}

/** What one step has read in its snapshot. */
export interface CheckStep {
  readonly rows: number;
  /** Where the next step begins; null: that was the last one. */
  readonly next: string | null;
  /** Compares what was read. The snapshot is over: it may take its time. */
  compare(): Promise<readonly Inconsistency[]> | readonly Inconsistency[];
}

/** How closely it is looked. */
export interface CheckOptions {
  /** Also what takes long: every byte of what is stored beside the database. */
  readonly deep: boolean;
  /** Aborted where the check is to leave off. */
  readonly signal?: AbortSignal;
}

/**
 * What a domain knows of its derived data. It runs beside live traffic: everything that is compared
 * is read in one snapshot, in steps that are short, since the embedded engine has one connection.
 */
export interface ConsistencyCheck {
  readonly name: string;
  /** About how many rows it reads of an account, for the progress; left out: few. */
  readonly expectedRows?: (ctx: Ctx) => Promise<number>;
  /** @param after what the step before said as `next`; null at first */
  readonly read: (
    ctx: Ctx,
    tx: Tx,
    after: string | null,
    looking: CheckOptions,
  ) => Promise<CheckStep>;
  /** Makes rows anew from what they are derived from; returns the ids of those that were. */
  readonly repair?: (ctx: Ctx, faults: readonly Inconsistency[]) => Promise<ReadonlySet<string>>;
}

/** A check that is done in one step. */
export const createSingleStepCheck = (
  name: string,
  read: (ctx: Ctx, tx: Tx) => Promise<readonly Inconsistency[]>,
): ConsistencyCheck => ({
  name,
  read: async (ctx, tx) => {
    const faults = await read(ctx, tx);
    return { rows: 1, next: null, compare: () => faults };
  },
});

/** A counter beside the number of rows it counts. */
export const compareCounter = (metric: string, counted: number, rows: number): Inconsistency[] =>
  counted === rows
    ? []
    : [
        {
          code: 'counter_differs',
          id: null,
          message: `the counter of ${metric.replace('_', ' ')} says ${counted}, there are ${rows}`,
        },
      ];
