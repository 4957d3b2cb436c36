import type { IndexMove, Journal, PositionedWrite } from '../../events/journal.ts';
import { type AppLifetime, perApp } from '../../kernel/per-app.ts';
import type { TxCtx } from '../ctx.ts';
import type { DocumentRow } from './account/account-index.ts';
import { quantiseVector } from './model.ts';
import type { NewDocument } from './store/documents.ts';

/**
 * Called after each commit of this process that changes the index of an account.
 * @param toRows the documents that the transaction has added; null if it has changed others
 */
export type CommitFollower = (
  accountId: string,
  move: IndexMove,
  toRows: ((model: string) => readonly DocumentRow[]) | null,
) => void;

export const commitFollowers = perApp<AppLifetime, Set<CommitFollower>>(() => new Set());

/** The parts of a running transaction that index writes use. */
export type IndexWriteCtx = Pick<TxCtx, 'journal' | 'disposables'>;

interface IndexWrite {
  readonly write: PositionedWrite;
  /** Approximate size of a large write. */
  readonly characters?: number;
  /** The documents that it adds, if that is all it does. */
  readonly added?: readonly NewDocument[];
}

/** What the writes of each transaction add. */
const addedDocuments = new WeakMap<Journal, NewDocument[][]>();

/**
 * Adds a write of documents to the journal. After the commit the index of this process follows: it
 * takes the documents of a transaction that only adds some from memory, and reads other changes.
 */
export function addIndexWrite(
  ctx: IndexWriteCtx,
  accountIds: Iterable<string>,
  { write, characters = 0, added }: IndexWrite,
): void {
  const { journal } = ctx;
  journal.addPositionedWrite(accountIds, write, characters);
  const known = addedDocuments.get(journal);
  if (added) known?.push([...added]);
  if (known) return;
  const all = added ? [[...added]] : [];
  addedDocuments.set(journal, all);
  journal.afterCommit(() => followCommit(ctx, all));
}

function followCommit(ctx: IndexWriteCtx, added: readonly (readonly NewDocument[])[]): void {
  for (const [accountId, move] of ctx.journal.indexMoves) {
    const own = added.map((all) => all.filter((document) => document.accountId === accountId));
    const addsOnly = own.filter((documents) => documents.length > 0).length === move.writes;
    const toRows = (model: string): DocumentRow[] =>
      own
        .flat()
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map((document) => rowOf(document, model, move.to));
    for (const follow of commitFollowers.of(ctx)) follow(accountId, move, addsOnly ? toRows : null);
  }
}

/** The row of a new document as it would be read from the tables. */
const rowOf = (document: NewDocument, model: string, position: number): DocumentRow => ({
  id: document.id,
  kind: document.kind,
  space_id: document.spaceId,
  user_id: document.userId,
  agent_id: document.agentId,
  run_id: document.runId,
  session_id: document.sessionId,
  session_ordinal: document.sessionOrdinal,
  speaker: document.speaker,
  role: document.role,
  content_type: document.contentType,
  tags: document.tags,
  priority: document.priority,
  salience: document.salience,
  salience_at: document.salienceAt,
  pinned: document.pinned,
  occurred_at: document.occurredAt,
  created_at: document.createdAt,
  superseded_by: [],
  likely_superseded_by: [],
  position,
  terms: document.hidden ? null : document.content.terms,
  vector: vectorBytes(document, model),
});

function vectorBytes({ content }: NewDocument, model: string): Uint8Array | null {
  const own = content.vectors.find((one) => one.model === model);
  return own ? new Uint8Array(quantiseVector(own.vector).buffer) : null;
}
