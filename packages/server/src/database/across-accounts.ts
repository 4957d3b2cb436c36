import type { KyselyPlugin, QueryId } from 'kysely';
import type { Db } from './engine.ts';

/** What a statement on tenant tables is for that names no account. */
export interface AcrossAccounts {
  readonly reason: string;
  /** Accounts on a node that does not respond may be left out. */
  readonly isPartial: boolean;
}

const marked = new WeakMap<QueryId, AcrossAccounts>();

/** Null: the statement names one account, or uses no tenant table. */
export const findAcrossAccounts = (queryId: QueryId): AcrossAccounts | null =>
  marked.get(queryId) ?? null;

function withMark<D extends Db>(db: D, mark: AcrossAccounts): D {
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      marked.set(queryId, mark);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return db.withPlugin(plugin) as D;
}

/**
 * A handle for statements on tenant tables that cannot name one account, and need the rows of all:
 * where a missing row would lead to a wrong answer, or to a deletion. On a distributed database
 * each of them is sent to all nodes, and throws NodeUnavailable while one does not respond.
 * @param reason what the statement is for
 */
export const acrossAccounts = <D extends Db>(db: D, reason: string): D =>
  withMark(db, { reason, isPartial: false });

/**
 * As `acrossAccounts`, for background work: while a node does not respond, the statement is about
 * the accounts on the other nodes. Those of that node are found once it responds again. Outside of
 * transactions only; a statement that changes rows returns only their number, and its own limit
 * then applies to each shard.
 */
export const acrossAvailableAccounts = (db: Db, reason: string): Db =>
  withMark(db, { reason, isPartial: true });

/** At the end of a partial statement: the pool knows nothing but the text. */
const PARTIAL = ' /* accounts on available nodes */';

export const markAsPartial = (text: string): string => text + PARTIAL;

export const isPartial = (text: string): boolean => text.endsWith(PARTIAL);

/** The statement as it was written. */
export const withoutMark = (text: string): string =>
  isPartial(text) ? text.slice(0, -PARTIAL.length) : text;
