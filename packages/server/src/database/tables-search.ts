import type { ColumnType, Generated } from 'kysely';

interface EmbeddingModels {
  model: string;
  dimensions: number;
  settings: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  created_at: Date;
  scale: ColumnType<Record<string, unknown> | null, never, string>;
  scale_revision: Generated<number>;
}

interface Documents {
  account_id: string;
  id: string;
  kind: string;
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  session_ordinal: number | null;
  speaker: string | null;
  role: string | null;
  content_type: string;
  tags: string[];
  priority: number;
  salience: number | null;
  salience_at: Date | null;
  pinned: boolean;
  occurred_at: Date | null;
  created_at: Date;
  hidden: boolean;
  superseded_by: Generated<string[]>;
  likely_superseded_by: Generated<string[]>;
  facts_ended_at: Generated<Date | null>;
  facts_ended_by: Generated<string[]>;
  terms: string | null;
  deleted_at: Date | null;
  position: number;
}

interface Vectors {
  account_id: string;
  document_id: string;
  model: string;
  dimensions: number;
  vector: Uint8Array;
  is_provisional: Generated<boolean>;
  position: number | null;
  passages: Uint8Array | null;
  lacks_passages: Generated<boolean>;
}

/** Tables of the search index. */
export interface SearchTables {
  embedding_models: EmbeddingModels;
  documents: Documents;
  vectors: Vectors;
}
