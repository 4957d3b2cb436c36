import type { RowColumn } from '../../../database/index.ts';
import type { DocumentAttributes } from '../model.ts';

/** A column with a field of the document. */
export const attribute = <K extends keyof DocumentAttributes>(
  name: string,
  type: string,
  key: K,
): RowColumn<DocumentAttributes> => ({ name, type, value: (document) => document[key] });

/** The columns that a change of attributes writes, and their document. */
export const changeableColumns: readonly RowColumn<DocumentAttributes>[] = [
  attribute('id', 'uuid', 'id'),
  attribute('space_id', 'uuid', 'spaceId'),
  attribute('user_id', 'text', 'userId'),
  attribute('agent_id', 'text', 'agentId'),
  attribute('run_id', 'text', 'runId'),
  attribute('session_id', 'uuid', 'sessionId'),
  attribute('session_ordinal', 'integer', 'sessionOrdinal'),
  attribute('speaker', 'text', 'speaker'),
  attribute('role', 'text', 'role'),
  attribute('tags', 'text[]', 'tags'),
  attribute('priority', 'smallint', 'priority'),
  attribute('salience', 'real', 'salience'),
  attribute('salience_at', 'timestamptz', 'salienceAt'),
  attribute('pinned', 'boolean', 'pinned'),
  attribute('hidden', 'boolean', 'hidden'),
];

/** A row of `vectors`. */
export interface NewVector {
  readonly documentId: string;
  readonly model: string;
  readonly vector: Uint8Array;
  readonly isProvisional: boolean;
  readonly lacksPassages: boolean;
  /** The last model of its document. */
  readonly nextModel: string | null;
}

export const vectorColumns: readonly RowColumn<NewVector>[] = [
  { name: 'document_id', type: 'uuid', value: ({ documentId }) => documentId },
  { name: 'model', type: 'text', value: ({ model }) => model },
  { name: 'dimensions', type: 'smallint', value: ({ vector }) => vector.length },
  { name: 'vector', type: 'bytea', value: ({ vector }) => vector },
  { name: 'is_provisional', type: 'boolean', value: ({ isProvisional }) => isProvisional },
  { name: 'lacks_passages', type: 'boolean', value: ({ lacksPassages }) => lacksPassages },
];

/** Read by a condition only. */
export const nextModelColumn: RowColumn<NewVector> = {
  name: 'next_model',
  type: 'text',
  value: ({ nextModel }) => nextModel,
};
