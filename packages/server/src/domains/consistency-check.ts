import type { Tx } from '../database/index.ts';
import type { Ctx } from './ctx.ts';

/** Derived data or a counter that does not match its source. */
export interface Inconsistency {
  /** The kind of inconsistency, for scripts: `terms_differ`. */
  readonly code: string;
  /** The affected row; null: the account. */
  readonly id: string | null;
  /** Human-readable, without any text that callers stored. */
  readonly message: string;
  /** Correct when written, but today's code would write it differently: works, no damage. */
  readonly isOutdated?: boolean;
}

/** The data that one step has read in its snapshot. */
export interface ConsistencyCheckStep {
  readonly rows: number;
  /** Cursor of the next step; null: this was the last one. */
  readonly next: string | null;
  /** Compares the data. The snapshot has ended, so this may take long. */
  compare(): Promise<readonly Inconsistency[]> | readonly Inconsistency[];
}

/** Depth and cancellation of a check. */
export interface ConsistencyCheckOptions {
  /** Also run slow checks: read every byte stored outside the database. */
  readonly deep: boolean;
  /** Aborted when the check must stop. */
  readonly signal?: AbortSignal;
}

/**
 * A domain's check of its derived data. It runs during live traffic: all compared data is read in
 * one snapshot, in short steps, because the embedded engine has one connection.
 */
export interface ConsistencyCheck {
  readonly name: string;
  /** Estimated number of rows to read of an account, for the progress; absent: few. */
  readonly expectedRows?: (ctx: Ctx) => Promise<number>;
  /** @param after `next` of the previous step; null for the first one */
  readonly read: (
    ctx: Ctx,
    tx: Tx,
    after: string | null,
    options: ConsistencyCheckOptions,
  ) => Promise<ConsistencyCheckStep>;
  /** Rebuilds the rows from their source; returns the ids of the rebuilt rows. */
  readonly repair?: (
    ctx: Ctx,
    inconsistencies: readonly Inconsistency[],
  ) => Promise<ReadonlySet<string>>;
}

/** Creates a check that consists of one step. */
export const createSingleStepCheck = (
  name: string,
  read: (ctx: Ctx, tx: Tx) => Promise<readonly Inconsistency[]>,
): ConsistencyCheck => ({
  name,
  read: async (ctx, tx) => {
    const inconsistencies = await read(ctx, tx);
    return { rows: 1, next: null, compare: () => inconsistencies };
  },
});

/** Compares a counter with the number of rows that it counts. */
export const compareCounter = (metric: string, counted: number, rows: number): Inconsistency[] =>
  counted === rows
    ? []
    : [
        {
          code: 'counter_differs',
          id: null,
          message: `the counter of ${metric.replace('_', ' ')} is ${counted}, but ${rows} exist`,
        },
      ];
