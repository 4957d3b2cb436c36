import type { ActivationSessionDetail, Memory, Relationship } from '@mneme/contract';

/** A memory with additional data for the export. */
export interface ExportedMemory {
  readonly memory: Memory;
  /** A body that creates the memory again. */
  readonly createBody: Readonly<Record<string, unknown>>;
  /** Outgoing relationships, for formats that list them with their memories. */
  readonly relationships: readonly RelationshipSummary[];
}

/** The fields of a relationship that a summary lists. */
export interface RelationshipSummary {
  readonly id: string;
  readonly relationship_type: string;
  readonly target_id: string;
  readonly weight: number;
}

/**
 * Formats an export: `header`, `memory` for each, `relationshipsHeader`, `relationship` for each,
 * `footer`. The results, concatenated, are the text. Stateful: create one per export.
 */
export interface ExportFormatter {
  header(session: ActivationSessionDetail): string;
  memory(memory: ExportedMemory): string;
  relationshipsHeader(): string;
  relationship(relationship: Relationship): string;
  footer(): string;
}

export const exportTitle = ({ session_key: key }: ActivationSessionDetail): string =>
  `Session ${key}`;

export const sessionSummaryFields = (
  session: ActivationSessionDetail,
): [name: string, value: string][] => [
  ['Started', session.started_at],
  ['Last activity', session.last_activity_at],
  ['State', session.is_closed ? 'closed' : 'open'],
  ['Memories', String(session.memory_count)],
];

/** Human-readable: `references, weight 0.5`. */
export const describeRelationship = ({ relationship_type: type, weight }: Relationship): string =>
  `${type}, weight ${Number(weight.toFixed(3))}`;
