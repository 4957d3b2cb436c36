import type { IndexMove, Journal, PositionedWrite } from '../../events/journal.ts';
import { type AppLifetime, perApp } from '../../kernel/per-app.ts';
import type { TxCtx } from '../ctx.ts';
import type { DocumentRow } from './account/document-row.ts';
import { quantiseVector, type Successors } from './model.ts';
import type { NewDocument } from './store/documents.ts';
import type { EncodedDocument } from './store/provisional-vectors.ts';
import type { SearchWorkerMessage } from './thread/protocol.ts';

/** An account whose index is loaded, and a commit that has changed it. */
interface CommitTarget {
  readonly accountId: string;
  /** The index is searched by it. */
  readonly model: string;
  /** Of the commit. */
  readonly position: number;
}

/** Creates the message by which a loaded index follows a write; null: it has to be read. */
export type IndexChange = (target: CommitTarget) => SearchWorkerMessage | null;

/** Called after each commit of this process that changes the index of an account. */
export type CommitFollower = (
  accountId: string,
  move: IndexMove,
  changes: readonly IndexChange[],
) => void;

export const commitFollowers = perApp<AppLifetime, Set<CommitFollower>>(() => new Set());

/** The parts of a running transaction that index writes use. */
export type IndexWriteCtx = Pick<TxCtx, 'journal' | 'disposables'>;

interface IndexWrite {
  readonly write: PositionedWrite;
  /** Approximate size of a large write. */
  readonly characters?: number;
  /** Left out: a loaded index has to read what was written. */
  readonly change?: IndexChange;
}

const needsReading: IndexChange = () => null;

/** The changes of each transaction by account. */
const pendingChanges = new WeakMap<Journal, Map<string, IndexChange[]>>();

/**
 * Adds a write of documents of an account to the journal. After the commit the loaded indexes of
 * this process follow: they take the change from memory where that is possible, and read it
 * otherwise.
 */
export function addIndexWrite(
  ctx: IndexWriteCtx,
  accountId: string,
  { write, characters = 0, change = needsReading }: IndexWrite,
): void {
  const { journal } = ctx;
  journal.addPositionedWrite(accountId, write, characters);
  const all = pendingChanges.get(journal) ?? new Map<string, IndexChange[]>();
  all.set(accountId, [...(all.get(accountId) ?? []), change]);
  if (pendingChanges.has(journal)) return;
  pendingChanges.set(journal, all);
  journal.afterCommit(() => followCommit(ctx, all));
}

function followCommit(
  ctx: IndexWriteCtx,
  changes: ReadonlyMap<string, readonly IndexChange[]>,
): void {
  const followers = commitFollowers.of(ctx);
  for (const [accountId, move] of ctx.journal.indexMoves) {
    for (const follow of followers) follow(accountId, move, changes.get(accountId) ?? []);
  }
}

/** Documents of one account that no index has. */
export const additionOf =
  (documents: readonly NewDocument[]): IndexChange =>
  ({ accountId, model, position }) => ({
    kind: 'rows',
    accountId,
    rows: documents
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((document) => rowOf(document, model, position)),
  });

/** Vectors by a model, made from the present texts of their documents. */
export const vectorChangeOf =
  (vectorModel: string, documents: readonly EncodedDocument[]): IndexChange =>
  ({ accountId, model }) => {
    if (model !== vectorModel) return null;
    const rows = documents.map(({ id, vector, passages }) => ({
      id,
      vector: vector && copyBytes(vector),
      passages: passages && copyBytes(passages),
    }));
    return { kind: 'vectors', accountId, rows };
  };

export const successorChangeOf =
  (rows: readonly Successors[]): IndexChange =>
  ({ accountId, position }) => ({ kind: 'successors', accountId, rows, position });

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
  facts_ended_at: null,
  facts_ended_by: [],
  position,
  terms: document.hidden ? null : document.content.terms,
  vector: vectorBytes(document, model),
  // The encoding worker makes them.
  passages: null,
});

function vectorBytes({ content }: NewDocument, model: string): Uint8Array | null {
  const own = content.vectors.find((one) => one.model === model);
  return own ? copyBytes(quantiseVector(own.vector)) : null;
}

const copyBytes = (bytes: Int8Array): Uint8Array =>
  new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length).slice();
