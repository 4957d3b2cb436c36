import type { ActivationSessionDetail, Memory, Relationship } from '@mneme/contract';

/** A memory with what an export adds to it. */
export interface ExportedMemory {
  readonly memory: Memory;
  /** A body that creates it anew. */
  readonly createBody: Readonly<Record<string, unknown>>;
  /** What begins at it, in forms that tell relationships with their memories. */
  readonly relationships: readonly RelationshipSummary[];
}

/** A relationship as one line tells it. */
export interface RelationshipSummary {
  readonly id: string;
  readonly relationship_type: string;
  readonly target_id: string;
  readonly weight: number;
}

/**
 * An export as it is written: `begin`, each memory, `between`, each relationship, `end`. What they
 * give, one after the other, is the text. An export has a form of its own, which counts along.
 */
export interface ExportFormatter {
  header(session: ActivationSessionDetail): string;
  memory(one: ExportedMemory): string;
  relationshipsHeader(): string;
  relationship(one: Relationship): string;
  footer(): string;
}

export const exportTitle = ({ session_key: key }: ActivationSessionDetail): string =>
  `Session ${key}`;

export const summaryFields = (
  session: ActivationSessionDetail,
): [name: string, value: string][] => [
  ['Started', session.started_at],
  ['Last activity', session.last_activity_at],
  ['State', session.is_closed ? 'closed' : 'open'],
  ['Memories', String(session.memory_count)],
];

/** As people read it: `references, weight 0.5`. */
export const describeRelationship = ({ relationship_type: type, weight }: Relationship): string =>
  `${type}, weight ${Number(weight.toFixed(3))}`;
