// Generated from the contract by `npm run sdk`. Do not edit.
import type { RawBody } from '../bodies.ts';
import type { CallOptions } from '../calls.ts';
import type { ListCall } from '../list-call.ts';

export type FlatError = {
  error: string;
  message: string;
};

export type FieldFault = {
  code: string;
  message: string;
  received?: unknown;
  min?: number | undefined;
  max?: number | undefined;
};

export type Error = {
  error: {
    code: string;
    message: string;
    request_id: string;
    details?: {
      fields?: Record<string, FieldFault> | undefined;
      [name: string]: unknown;
    } | undefined;
  };
};

export type CreateMemory = {
  content: string;
  content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | undefined;
  /** @deprecated Alias of content_type. */
  type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** The end user whom the memory belongs to. At most 128 characters. */
  user_id?: string | undefined;
  /** The agent whom the memory belongs to. At most 128 characters. */
  agent_id?: string | undefined;
  /** The run or conversation that it belongs to. At most 128 characters. */
  run_id?: string | undefined;
  /** At most 100 items. */
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** 0 to 10. */
  priority?: number | undefined;
  session_id?: string | undefined;
  is_pinned?: boolean | undefined;
  protection_level?: 'none' | 'soft' | 'hard' | undefined;
  occurred_at?: string | undefined;
  /**
   * When the memory is to be forgotten, in the future. Default: the creation plus
   * memory_lifetime_days of its space; null: never. A hard-protected memory never expires.
   */
  expires_at?: string | null | undefined;
  /** 1 to 8192 items. */
  embedding?: number[] | undefined;
  /**
   * Ids of older memories that this one replaces: each gets a `supersedes` relationship from it,
   * or nothing is stored. At most 20 items.
   */
  supersedes?: string[] | undefined;
  /**
   * Whether older memories of the same owner and space that this one may outdate are looked for.
   * suggest: they are suggested; apply: those with a confidence of 0.9 or more are superseded at
   * once. Default: the account setting detect_updates; off for turns of a conversation: with
   * metadata.role, or with a session and a speaker.
   */
  detect_updates?: 'off' | 'suggest' | 'apply' | undefined;
  /** Skips the duplicate check, as for chat messages. */
  allow_duplicate?: boolean | undefined;
};

export type CreatedMemory = {
  id: string;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  priority: number;
  salience: number | null;
  is_pinned: boolean;
  is_deleted: boolean;
  protection_level: 'none' | 'soft' | 'hard';
  quality_score: number | null;
  occurred_at: string | null;
  /** From then on the memory is hidden; it is erased within the hour. null: never. */
  expires_at: string | null;
  verified_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  /**
   * The newest of the memories at the ends of what supersedes it, directly or over several, or
   * says that all its facts have ended; null: it is current.
   */
  outdated_by: string | null;
  /**
   * Older memories that this one may outdate, as far as they are found at once. What is found
   * later arrives as the event memory.update_suggested.
   */
  possible_updates: PossibleUpdate[];
};

export type PossibleUpdate = {
  /** The older memory. */
  memory_id: string;
  /** The estimated probability that the newer memory outdates the older one. */
  confidence: number;
  /**
   * ended: what the older memory says has ended; replaced: something else has taken its place;
   * corrected: it was wrong; other_value: the newer memory states something else of the same.
   */
  reason: 'ended' | 'replaced' | 'corrected' | 'other_value';
  /** Whether the new memory supersedes it now. */
  applied: boolean;
};

export type Memory = {
  id: string;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  priority: number;
  salience: number | null;
  is_pinned: boolean;
  is_deleted: boolean;
  protection_level: 'none' | 'soft' | 'hard';
  quality_score: number | null;
  occurred_at: string | null;
  /** From then on the memory is hidden; it is erased within the hour. null: never. */
  expires_at: string | null;
  verified_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  /**
   * The newest of the memories at the ends of what supersedes it, directly or over several, or
   * says that all its facts have ended; null: it is current.
   */
  outdated_by: string | null;
};

/** The number of records is not counted. */
export type CursorPagination = {
  /** The maximum number of records in a page. */
  limit: number;
  total: null;
  offset: null;
  has_more: boolean;
  /** The `cursor` of the next page. A list that grows at its end has one after its last page, too. */
  next_cursor: string | null;
};

export type MemoryFacets = {
  /** Number of memories that match all filters. */
  total: number;
  /** Without the filter by space; the largest 1,000. */
  spaces: Array<{
    space_id: string | null;
    count: number;
  }>;
  /** Without the filter content_type. */
  content_types: Array<{
    content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
    count: number;
  }>;
  /** The 50 most frequent tags of the memories that match all filters. */
  tags: Array<{
    tag: string;
    count: number;
  }>;
  /** Without the filter min_priority; the highest priority first. */
  priorities: Array<{
    priority: number;
    count: number;
  }>;
  /**
   * By month of creation (`2026-11`, in UTC), without the filters created_after and
   * created_before; the newest 120.
   */
  months: Array<{
    month: string;
    count: number;
  }>;
};

export type PatchMemory = {
  content?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** At most 100 items. */
  tags?: string[] | undefined;
  /** 0 to 10. */
  priority?: number | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  session_id?: string | null | undefined;
  occurred_at?: string | null | undefined;
  expires_at?: string | null | undefined;
  /**
   * Ids of older memories that this one replaces: each gets a `supersedes` relationship from it,
   * or nothing is stored. At most 20 items.
   */
  supersedes?: string[] | undefined;
};

export type Feedback = {
  id: string;
  memory_id: string;
  helpful: boolean;
  query: string | null;
  comment: string | null;
  salience: number;
  created_at: string;
};

export type FromMessages = {
  /** 1 to 100 items. */
  messages: ConversationMessage[];
  /** The end user whom the memory belongs to. At most 128 characters. */
  user_id?: string | undefined;
  /** The agent whom the memory belongs to. At most 128 characters. */
  agent_id?: string | undefined;
  /** The run or conversation that it belongs to. At most 128 characters. */
  run_id?: string | undefined;
  /** The session that the turns join; derived memories belong to no session. */
  session_id?: string | undefined;
  /** Default: the space of the session, else the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /**
   * new: from messages that are not stored yet. none: the turns are only stored. all: also from
   * those that are stored already, as after none; what was erased returns. Default: "new".
   */
  derive?: 'new' | 'none' | 'all' | undefined;
};

export type ConversationMessage = {
  /** At most 50 characters. */
  role: string;
  /** At most 255 characters. */
  name?: string | undefined;
  content: string;
  /** When the message was sent. */
  occurred_at?: string | undefined;
};

export type DerivedMemory = {
  id: string;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  priority: number;
  salience: number | null;
  is_pinned: boolean;
  is_deleted: boolean;
  protection_level: 'none' | 'soft' | 'hard';
  quality_score: number | null;
  occurred_at: string | null;
  /** From then on the memory is hidden; it is erased within the hour. null: never. */
  expires_at: string | null;
  verified_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  /**
   * The newest of the memories at the ends of what supersedes it, directly or over several, or
   * says that all its facts have ended; null: it is current.
   */
  outdated_by: string | null;
  /** The turns of this request that say it, each a derived_from link. */
  source_ids: string[];
  /** added: new. updated: new, and it supersedes what it outdates. unchanged: known before. */
  action: 'added' | 'updated' | 'unchanged';
};

export type EraseMemories = {
  filter: EraseFilter;
  /** Default: false. */
  dry_run?: boolean | undefined;
  /** Of the dry run. At most 500 characters. */
  token?: string | undefined;
};

export type EraseFilter = {
  /** Only memories of this user. At most 128 characters. */
  user_id?: string | undefined;
  /** Only memories of this agent. At most 128 characters. */
  agent_id?: string | undefined;
  /** Only memories of this run. At most 128 characters. */
  run_id?: string | undefined;
  session_id?: string | undefined;
  /** Memories with all of these tags. At most 100 items. */
  tags?: string[] | undefined;
  /** Memories with one of these tags. At most 100 items. */
  tags_any?: string[] | undefined;
  content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video' | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  updated_after?: string | undefined;
  updated_before?: string | undefined;
  occurred_after?: string | undefined;
  occurred_before?: string | undefined;
  /** 0 to 10. */
  min_priority?: number | undefined;
  /** 0 to 1. */
  min_quality?: number | undefined;
  is_pinned?: boolean | undefined;
  /** @deprecated Alias of is_pinned. */
  pinned?: boolean | undefined;
  protected?: boolean | undefined;
  /**
   * Only memories that another memory supersedes or whose facts have all ended, or only the
   * others.
   */
  outdated?: boolean | undefined;
  /** 1 to 1000 items. */
  ids?: string[] | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** Values of top-level keys, compared as text. */
  metadata?: Record<string, string> | undefined;
};

export type EraseDryRun = {
  /** How many memories the run would erase. */
  count: number;
  /** How many more match, and stay, because they are hard-protected. */
  hard_protected: number;
  /**
   * How many received mails the run would erase: those of the owner, if the filter has only
   * user_id, agent_id and run_id.
   */
  mails: number;
  /** How many unfinished uploads of such an owner the run would erase. */
  uploads: number;
  token: string;
  /** Until when the run takes the token. */
  expires_at: string;
};

export type QueuedErasure = {
  job_id: string;
};

export type StartBulkChange = {
  filter: BulkChangeFilter;
  action: BulkAction;
  /** Default: false. */
  count_only?: boolean | undefined;
  /** Also changes soft-protected memories. Default: false. */
  confirm?: boolean | undefined;
  /** The count that was shown: 409 if more memories match by now. 0 to 2147483647. */
  expected_count?: number | undefined;
};

export type BulkChangeFilter = {
  /** Only memories of this user. At most 128 characters. */
  user_id?: string | undefined;
  /** Only memories of this agent. At most 128 characters. */
  agent_id?: string | undefined;
  /** Only memories of this run. At most 128 characters. */
  run_id?: string | undefined;
  session_id?: string | undefined;
  /** Memories with all of these tags. At most 100 items. */
  tags?: string[] | undefined;
  /** Memories with one of these tags. At most 100 items. */
  tags_any?: string[] | undefined;
  content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video' | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  updated_after?: string | undefined;
  updated_before?: string | undefined;
  occurred_after?: string | undefined;
  occurred_before?: string | undefined;
  /** 0 to 10. */
  min_priority?: number | undefined;
  /** 0 to 1. */
  min_quality?: number | undefined;
  is_pinned?: boolean | undefined;
  /** @deprecated Alias of is_pinned. */
  pinned?: boolean | undefined;
  protected?: boolean | undefined;
  /**
   * Only memories that another memory supersedes or whose facts have all ended, or only the
   * others.
   */
  outdated?: boolean | undefined;
  /** 1 to 10000 items. */
  ids?: string[] | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** Values of top-level keys, compared as text. */
  metadata?: Record<string, string> | undefined;
};

export type BulkAction = {
  /**
   * `delete` hides the memories, and `restore` takes deleted ones that match; all others change
   * active memories.
   */
  type: 'tag' | 'move' | 'pin' | 'unpin' | 'protect' | 'delete' | 'restore';
  /** Of `tag`. At most 100 items. */
  add?: string[] | undefined;
  /** Of `tag`. At most 100 items. */
  remove?: string[] | undefined;
  /** Of `move`: the target. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** Of `protect`. */
  protection_level?: 'none' | 'soft' | 'hard' | undefined;
};

export type BulkChangeCount = {
  /** How many memories the change takes. */
  count: number;
  /** How many of them need `confirm`. */
  soft_protected: number;
  /** How many of them stay as they are, unless the action is `protect`. */
  hard_protected: number;
};

export type BulkChange = {
  /** Also the id of its job. */
  id: string;
  status: 'queued' | 'running' | 'completed' | 'undoing' | 'undone' | 'failed';
  action: {
    type: 'tag' | 'move' | 'pin' | 'unpin' | 'protect' | 'delete' | 'restore';
    add?: string[] | undefined;
    remove?: string[] | undefined;
    space_id?: string | null | undefined;
    protection_level?: 'none' | 'soft' | 'hard' | undefined;
  };
  /** How many memories matched at its start. */
  matched_count: number;
  changed_count: number;
  /** Memories that stay as they are: protected ones, and those that would be duplicates. */
  skipped_count: number;
  /** How many memories the undo has restored. */
  restored_count: number;
  /** How many the undo has left alone: they were changed or deleted afterwards. */
  left_count: number;
  created_at: string;
  completed_at: string | null;
  /** Until when it can be undone; null: it cannot, or not yet. */
  undo_until: string | null;
  undone_at: string | null;
};

export type UpdateSuggestionList = {
  data: UpdateSuggestion[];
  pagination: OnePagePagination;
};

export type UpdateSuggestion = {
  newer_id: string;
  older_id: string;
  /** The estimated probability that the newer memory outdates the older one. */
  confidence: number;
  /**
   * ended: what the older memory says has ended; replaced: something else has taken its place;
   * corrected: it was wrong; other_value: the newer memory states something else of the same.
   */
  reason: 'ended' | 'replaced' | 'corrected' | 'other_value';
  /** The fact that has ended by what the newer memory states; null: only the texts say so. */
  fact: {
    /** Of the older memory: "Ana works at Acme". */
    statement: string;
    predicate: string;
    /** null: by what is known now it holds again; the suggestion is withdrawn soon. */
    ended_at: string | null;
  } | null;
  /**
   * accepted and applied: the newer memory supersedes the older one, until that relationship is
   * deleted. dismissed: never suggested again.
   */
  status: 'open' | 'accepted' | 'dismissed' | 'applied';
  created_at: string;
};

/** There are no further pages to request. */
export type OnePagePagination = {
  /** null: the list has no page size. */
  limit: number | null;
  /** null: not counted. */
  total: number | null;
  offset: null;
  has_more: false;
  next_cursor: null;
};

export type Topic = {
  name: string;
  /** 0 to 1. */
  relevance: number;
  category: 'concept' | 'entity' | 'action' | 'attribute';
};

export type MediaLink = {
  /** A URL for `src` that plays without a key, including byte ranges. */
  url: string;
  expires_at: string;
};

export type VideoMetadata = {
  filename: string | null;
  mime_type: string;
  /** Bytes. */
  file_size: number;
  /** Seconds. */
  duration: number | null;
  video: {
    codec: string;
    /** For example 1920x1080. */
    resolution: string;
    width: number;
    height: number;
    fps: number | null;
  } | null;
  audio: {
    codec: string;
    sample_rate: number | null;
    channels: number | null;
  } | null;
  format: {
    name: string;
    long_name: string | null;
    bit_rate: number | null;
    stream_count: number;
    tags: Record<string, string>;
  };
};

export type Transcript = {
  memory_id: string;
  full_transcript: string;
  language: string | null;
  language_confidence: number | null;
  /** Seconds. */
  duration: number;
  provider: string;
  segments: Array<{
    id: string;
    /** Seconds from the start. */
    start: number;
    /** Seconds from the start. */
    end: number;
    text: string;
    speaker: string | null;
    confidence: number | null;
  }>;
  entities: Array<{
    name: string;
    type: string;
    /** 0 to 1. */
    confidence: number;
  }>;
  chapters: Array<{
    title: string;
    start: number;
    end: number;
    summary: string;
  }>;
  summary: string | null;
  /** Requested options that the provider does not support. */
  ignored_options: string[];
  created_at: string;
};

export type MediaPending = {
  memory_id: string;
  job_id: string;
  status: 'queued' | 'processing';
};

export type TranscribeOptions = {
  /** ISO code of the spoken language, as a hint. At most 35 characters. */
  language?: string | undefined;
  /** At most 2000 characters. */
  prompt?: string | undefined;
  /** At most 64 characters. */
  provider?: string | undefined;
  enable_speaker_diarization?: boolean | undefined;
  /** @deprecated Alias of enable_speaker_diarization. */
  enableSpeakerDiarization?: boolean | undefined;
  enable_entity_detection?: boolean | undefined;
  /** @deprecated Alias of enable_entity_detection. */
  enableEntityDetection?: boolean | undefined;
  enable_content_safety?: boolean | undefined;
  /** @deprecated Alias of enable_content_safety. */
  enableContentSafety?: boolean | undefined;
  enable_auto_chapters?: boolean | undefined;
  /** @deprecated Alias of enable_auto_chapters. */
  enableAutoChapters?: boolean | undefined;
  enable_auto_summarization?: boolean | undefined;
  /** @deprecated Alias of enable_auto_summarization. */
  enableAutoSummarization?: boolean | undefined;
  /** 1 to 50. */
  speakers_expected?: number | undefined;
  /** @deprecated Alias of speakers_expected. 1 to 50. */
  speakersExpected?: number | undefined;
};

export type VideoInterpretation = {
  memory_id: string;
  model: string;
  frames: Array<{
    /** Seconds from the start. */
    time: number;
    description: string;
    labels: string[];
  }>;
  summary: string;
  created_at: string;
};

export type Upload = {
  id: string;
  /** Length of the whole file in bytes; null: not known yet. */
  length: number | null;
  /** Bytes received; continue from this offset. */
  offset: number;
  filename: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  /** The memory that the complete upload became. */
  memory_id: string | null;
  created_at: string;
  expires_at: string;
};

export type CreateRelationship = {
  target_id: string;
  relationship_type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | string | undefined;
  /** @deprecated Alias of relationship_type. */
  type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | string | undefined;
  description?: string | null | undefined;
  /** Default: 1. 0 to 1000000000. */
  weight?: number | undefined;
  /** @deprecated Alias of weight. 0 to 1000000000. */
  strength?: number | undefined;
  /** Ratio of the weight that decays per day. 0 to 1. Default: 0.02. */
  decay_rate?: number | undefined;
  rules?: Record<string, unknown> | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Also creates the inverse relationship, with the inverse type. Default: false. */
  bidirectional?: boolean | undefined;
};

export type CreatedRelationship = {
  id: string;
  source_id: string;
  target_id: string;
  relationship_type: string;
  /** @deprecated Alias of relationship_type. */
  type: string;
  description: string | null;
  /** After decay. */
  weight: number;
  /** The weight, capped at 1. 0 to 1. */
  strength: number;
  usage_count: number;
  /** @deprecated Alias of usage_count. */
  reinforcement_count: number;
  last_reinforced_at: string | null;
  /** 0 to 1. */
  decay_rate: number;
  rules: Record<string, unknown>;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  /** The inverse relationship that a bidirectional create added. */
  inverse_relationship?: {
    id: string;
    source_id: string;
    target_id: string;
    type: string;
    /** 0 to 1. */
    strength: number;
  } | undefined;
};

export type BatchRelationship = {
  source_id: string;
  target_id: string;
  relationship_type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | string | undefined;
  /** @deprecated Alias of relationship_type. */
  type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | string | undefined;
  description?: string | null | undefined;
  /** Default: 1. 0 to 1000000000. */
  weight?: number | undefined;
  /** @deprecated Alias of weight. 0 to 1000000000. */
  strength?: number | undefined;
  /** Ratio of the weight that decays per day. 0 to 1. Default: 0.02. */
  decay_rate?: number | undefined;
  rules?: Record<string, unknown> | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Also creates the inverse relationship, with the inverse type. Default: false. */
  bidirectional?: boolean | undefined;
};

export type Relationship = {
  id: string;
  source_id: string;
  target_id: string;
  relationship_type: string;
  /** @deprecated Alias of relationship_type. */
  type: string;
  description: string | null;
  /** After decay. */
  weight: number;
  /** The weight, capped at 1. 0 to 1. */
  strength: number;
  usage_count: number;
  /** @deprecated Alias of usage_count. */
  reinforcement_count: number;
  last_reinforced_at: string | null;
  /** 0 to 1. */
  decay_rate: number;
  rules: Record<string, unknown>;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
};

export type PatchRelationship = {
  /** 0 to 1000000000. */
  weight?: number | undefined;
  /** @deprecated Alias of weight. 0 to 1000000000. */
  strength?: number | undefined;
  description?: string | null | undefined;
  /** Merged into the stored value (RFC 7396); null removes a key. */
  metadata?: Record<string, unknown> | undefined;
};

export type OffsetPagination = {
  total: number;
  limit: number;
  offset: number;
  has_more: boolean;
  /** The next page is at `offset` + `limit`. */
  next_cursor: null;
};

export type EntityDetail = {
  id: string;
  name: string;
  type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
  created_at: string;
  space_id: string | null;
  aliases: string[];
  updated_at: string;
  relationship_count: number;
  fact_count: number;
  /** The same fields, nested. */
  entity: {
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
    space_id: string | null;
    aliases: string[];
    updated_at: string;
    relationship_count: number;
    fact_count: number;
  };
  /** The requested id, if that entity was merged into this one. */
  merged_from?: string | undefined;
  relationships: EntityRelationship[];
  facts: Fact[];
};

export type EntityRelationship = {
  /** The id of the underlying fact. */
  id: string;
  direction: 'outgoing' | 'incoming';
  /** The entity at the other end. */
  target_entity_id: string;
  target_name: string;
  target_type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
  relationship_type: string;
  /** The confidence of the fact. 0 to 1. */
  weight: number;
  valid_from: string | null;
  valid_to: string | null;
};

export type Fact = {
  id: string;
  subject_id: string;
  subject_name: string;
  predicate: string;
  object_id: string | null;
  /** The name of the object entity, or the value if there is no entity. */
  object_value: string | null;
  statement: string;
  /** 0 to 1. */
  confidence: number;
  source_memory_ids: string[];
  valid_from: string | null;
  valid_to: string | null;
  recorded_at: string;
  invalidated_at: string | null;
};

export type Entity = {
  id: string;
  name: string;
  type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
  created_at: string;
  space_id: string | null;
  aliases: string[];
  updated_at: string;
};

export type CreateFact = {
  subject_id: string;
  /**
   * Extraction uses works_at, reports_to, collaborates_with, located_in, uses, knows, part_of,
   * related_to, lives_in, job_title, partner_of, parent_of, pet, allergic_to, likes, dislikes,
   * prefers, owns, studies, birthday, plans, decided.
   */
  predicate: string;
  object_id?: string | undefined;
  /** At most 1000 characters. */
  object_value?: string | undefined;
  /** The fact as a sentence; default: built from the names. At most 1000 characters. */
  statement?: string | undefined;
  /** 0 to 1. Default: 1. */
  confidence?: number | undefined;
  valid_from?: string | undefined;
  valid_to?: string | undefined;
  /** The source memory: the fact has its visibility and is removed with it. */
  source_memory_id?: string | undefined;
  /** A fact that this one invalidates; it stays in the history. */
  corrects?: string | undefined;
};

export type Neighbourhood = {
  /** The id of the centre. */
  root: string;
  /** The centre first, then the nearest, the strongest of them first. */
  nodes: Array<{
    id: string;
    type: 'memory' | 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    /** The name of an entity, or the first 200 characters of a memory. */
    label: string;
    /** The distance from the centre. */
    hops: number;
    /**
     * Neighbours that match the filters and are not in the response. Counted among the strongest
     * edges of each kind: 500 of the centre, 100 of another node.
     */
    hidden_neighbours: number;
    created_at: string;
  }>;
  edges: Array<{
    /** The id of the fact or of the relationship; null for a mention. */
    id: string | null;
    kind: 'mention' | 'fact' | 'relationship';
    source_id: string;
    target_id: string;
    relationship_type: string;
    /**
     * The confidence of a fact or a mention, or the strength of a relationship after decay. 0 to
     * 1.
     */
    weight: number;
    valid_from: string | null;
    valid_to: string | null;
  }>;
  /** Whether nodes within `hops`, or edges between nodes, are left out. */
  truncated: boolean;
};

export type MemoryKnowledge = {
  memory_id: string;
  entities: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
    /** 0 to 1. */
    confidence: number;
  }>;
  facts: Fact[];
};

export type CreateCluster = {
  /** At most 255 characters. */
  name: string;
  description?: string | null | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  color?: string | null | undefined;
  metadata?: Record<string, unknown> | undefined;
};

export type Cluster = {
  id: string;
  name: string;
  description: string | null;
  space_id: string | null;
  cluster_type: 'manual' | 'hdbscan' | 'bertopic' | 'community';
  color: string | null;
  metadata: Record<string, unknown>;
  memory_count: number;
  silhouette_score: number | null;
  dbcv_score: number | null;
  cohesion_score: number | null;
  topic_label: string | null;
  topic_keywords: string[] | null;
  centroid_available: boolean;
  created_at: string;
  updated_at: string;
};

export type ClusterWithMore = {
  id: string;
  name: string;
  description: string | null;
  space_id: string | null;
  cluster_type: 'manual' | 'hdbscan' | 'bertopic' | 'community';
  color: string | null;
  metadata: Record<string, unknown>;
  memory_count: number;
  silhouette_score: number | null;
  dbcv_score: number | null;
  cohesion_score: number | null;
  topic_label: string | null;
  topic_keywords: string[] | null;
  centroid_available: boolean;
  created_at: string;
  updated_at: string;
  quality_metrics?: {
    silhouette_score: number | null;
    dbcv_score: number | null;
    cohesion_score: number | null;
    computed_at: string | null;
  } | undefined;
  topic_info?: {
    topic_label: string | null;
    topic_keywords: string[] | null;
    representation: {
      terms: Array<{
        term: string;
        weight: number;
      }>;
      memory_ids: string[];
    } | null;
  } | undefined;
};

export type ClusterDetail = {
  id: string;
  name: string;
  description: string | null;
  space_id: string | null;
  cluster_type: 'manual' | 'hdbscan' | 'bertopic' | 'community';
  color: string | null;
  metadata: Record<string, unknown>;
  memory_count: number;
  silhouette_score: number | null;
  dbcv_score: number | null;
  cohesion_score: number | null;
  topic_label: string | null;
  topic_keywords: string[] | null;
  centroid_available: boolean;
  created_at: string;
  updated_at: string;
  quality_metrics?: {
    silhouette_score: number | null;
    dbcv_score: number | null;
    cohesion_score: number | null;
    computed_at: string | null;
  } | undefined;
  topic_info?: {
    topic_label: string | null;
    topic_keywords: string[] | null;
    representation: {
      terms: Array<{
        term: string;
        weight: number;
      }>;
      memory_ids: string[];
    } | null;
  } | undefined;
  memories?: ClusteredMemory[] | undefined;
  memories_pagination?: {
    limit: number;
    offset: number;
    has_more: boolean;
  } | undefined;
};

export type ClusteredMemory = {
  id: string;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  priority: number;
  salience: number | null;
  is_pinned: boolean;
  is_deleted: boolean;
  protection_level: 'none' | 'soft' | 'hard';
  quality_score: number | null;
  occurred_at: string | null;
  /** From then on the memory is hidden; it is erased within the hour. null: never. */
  expires_at: string | null;
  verified_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  /**
   * The newest of the memories at the ends of what supersedes it, directly or over several, or
   * says that all its facts have ended; null: it is current.
   */
  outdated_by: string | null;
  confidence: number;
  added_at: string;
};

export type PatchCluster = {
  /** At most 255 characters. */
  name?: string | undefined;
  description?: string | null | undefined;
  color?: string | null | undefined;
  /** Replaces the stored metadata. */
  metadata?: Record<string, unknown> | undefined;
};

export type ClusterOfMemory = {
  id: string;
  name: string;
  description: string | null;
  space_id: string | null;
  cluster_type: 'manual' | 'hdbscan' | 'bertopic' | 'community';
  color: string | null;
  metadata: Record<string, unknown>;
  memory_count: number;
  silhouette_score: number | null;
  dbcv_score: number | null;
  cohesion_score: number | null;
  topic_label: string | null;
  topic_keywords: string[] | null;
  centroid_available: boolean;
  created_at: string;
  updated_at: string;
  confidence: number;
  added_at: string;
};

export type ClusterStats = {
  total: number;
  by_type: {
    manual: number;
    hdbscan: number;
    bertopic: number;
    community: number;
  };
  empty: number;
  /** Sum of the memory counts of all clusters. */
  memberships: number;
  average_memory_count: number;
  /** Number of memories in at least one cluster. */
  clustered_memories: number;
  unclustered_memories: number;
  color_distribution?: Array<{
    color: string | null;
    count: number;
  }> | undefined;
};

export type ClusterMap = {
  /** null: no full run of this scope has completed. */
  map: {
    clustering_run_id: string;
    space_id: string | null;
    created_at: string;
  } | null;
  clusters: MappedCluster[];
  /** Number of memories with a place; the newest 100,000 of them are points. */
  total_count: number;
  /** Number of memories that are newer than the map and get their place soon. */
  unplaced_count: number;
  /** By point: the memory, the oldest first. */
  ids: string[];
  /** By point: to the right, from -1 to 1. Points that are close have similar texts. */
  x: number[];
  /** By point: upwards, from -1 to 1. Points that are close have similar texts. */
  y: number[];
  /** By point: the index of its cluster in `clusters`; null: it is in none. */
  cluster: Array<number | null>;
};

export type MappedCluster = {
  id: string;
  name: string;
  cluster_type: 'manual' | 'hdbscan' | 'bertopic' | 'community';
  color: string | null;
  topic_keywords: string[] | null;
  /** How many of the points are in the cluster. */
  memory_count: number;
};

export type ClusterRun = {
  /** The id of the run, which is also the id of its job. */
  id: string;
  kind: 'full' | 'incremental';
  algorithm: 'hdbscan' | 'bertopic' | 'community';
  min_cluster_size: number;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  space_id: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  /** @deprecated Alias of finished_at. */
  completed_at: string | null;
  memory_count: number;
  cluster_count: number;
  noise_count: number;
  /**
   * Number of memories that were clustered as a sample, with the others assigned to the result;
   * null: no sampling.
   */
  sampled_count: number | null;
  error: string | null;
};

export type ClusterConfig = {
  algorithm: 'hdbscan' | 'bertopic' | 'community';
  min_cluster_size: number;
  auto_enabled: boolean;
};

export type SearchResult = {
  type: 'memory';
  id: string;
  /** 0 to 1. */
  score: number;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  /** The passage of the content that matches best, shortened if it is long. */
  highlight: string;
  /**
   * The passage of a long memory that answers best: its text is the content from start (included)
   * to end (excluded), in UTF-16 code units. null: the memory is not divided into passages.
   */
  passage: ResultPassage | null;
  tags: string[];
  metadata: Record<string, unknown>;
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  priority: number;
  occurred_at: string | null;
  created_at: string;
  /**
   * The newest of the memories at the ends of what supersedes it, directly or over several, or
   * says that all its facts have ended; null: it is current.
   */
  outdated_by: string | null;
  /** Omitted if empty. */
  warnings?: Array<{
    code: 'superseded';
    superseded_by: string;
  }> | undefined;
  /**
   * The rewritten text that found this result, if the query itself does not have it among its best
   * results.
   */
  found_by?: string | undefined;
  why_matched?: {
    semantic_rank: number | null;
    semantic_score: number | null;
    keyword_rank: number | null;
    keyword_score: number | null;
    matched_terms: string[];
    /**
     * What each feature adds to the log-odds of the score; the sum is ln(score / (1 − score)).
     * best_match: how near the first result is to the query; lead: its distance to the second;
     * behind_first: the distance of another to the first; outdated: a newer memory follows, or it
     * is later than as_of; no_match: the result only fills the page.
     */
    features: Record<string, number>;
    priority_boost: number;
    salience_boost: number;
  } | undefined;
};

export type ResultPassage = {
  /** At least 0. */
  start: number;
  /** At least 0. */
  end: number;
  text: string;
};

export type AudioSegmentResult = {
  type: 'audio_segment';
  id: string;
  /** 0 to 1. */
  score: number;
  /** The memory that contains the recording. */
  audio_file_id: string;
  /** speech: spoken words; frame: the content of a key frame. */
  modality: 'speech' | 'frame';
  text: string;
  /** The part of the text that matches best. */
  highlight: string;
  /** Seconds from the start. */
  start_time: number;
  /** Seconds from the start. */
  end_time: number;
  speaker: string | null;
  /** Plays this time range without a key, for 15 minutes. */
  clip_url: string;
  space_id: string | null;
  session_id: string | null;
  created_at: string;
  /**
   * The rewritten text that found this result, if the query itself does not have it among its best
   * results.
   */
  found_by?: string | undefined;
  why_matched?: {
    semantic_rank: number | null;
    semantic_score: number | null;
    keyword_rank: number | null;
    keyword_score: number | null;
    matched_terms: string[];
    /**
     * What each feature adds to the log-odds of the score; the sum is ln(score / (1 − score)).
     * best_match: how near the first result is to the query; lead: its distance to the second;
     * behind_first: the distance of another to the first; outdated: a newer memory follows, or it
     * is later than as_of; no_match: the result only fills the page.
     */
    features: Record<string, number>;
    priority_boost: number;
    salience_boost: number;
  } | undefined;
};

export type ResultPlacement = {
  id: string;
  /** From 1 among all matches; null: no match. */
  rank: number | null;
  score: number | null;
  /**
   * filtered: excluded by a filter, an exclusion or a required phrase; no_match: shares no word
   * with the query and is not near; not_found: not in the searched spaces.
   */
  reason: 'ranked' | 'below_threshold' | 'filtered' | 'no_match' | 'not_found';
  why_matched: {
    semantic_rank: number | null;
    semantic_score: number | null;
    keyword_rank: number | null;
    keyword_score: number | null;
    matched_terms: string[];
    /**
     * What each feature adds to the log-odds of the score; the sum is ln(score / (1 − score)).
     * best_match: how near the first result is to the query; lead: its distance to the second;
     * behind_first: the distance of another to the first; outdated: a newer memory follows, or it
     * is later than as_of; no_match: the result only fills the page.
     */
    features: Record<string, number>;
    priority_boost: number;
    salience_boost: number;
  } | null;
  /**
   * The first match, and by how much each of its features exceeds that of this memory; null if
   * there is no other.
   */
  ahead: {
    id: string;
    /** 0 to 1. */
    score: number;
    differences: Record<string, number>;
  } | null;
};

export type RewriteReport = {
  /**
   * no_rewrites: the model has none; timeout: it did not answer in time; failed: there was no
   * usable answer; paused: it failed several times in a row and is not called for some seconds;
   * not_configured: the service has no language model.
   */
  status: 'applied' | 'no_rewrites' | 'timeout' | 'failed' | 'paused' | 'not_configured';
  /** The texts, without the query itself. */
  queries: string[];
  model: string | null;
};

export type RerankReport = {
  /**
   * not_needed: fewer than two results could change places. The others are as in `rewrite`, and
   * leave the order as it was.
   */
  status: 'applied' | 'not_needed' | 'timeout' | 'failed' | 'paused' | 'not_configured';
  model: string | null;
  /** Number of results that the reranker compared. */
  candidates: number;
};

export type SearchRequest = {
  /** At most 1000 characters. */
  q: string;
  /** At least 1 items. */
  include?: Array<'memories' | 'audio'> | undefined;
  /** Only memories of this user. At most 128 characters. */
  user_id?: string | undefined;
  /** Only memories of this agent. At most 128 characters. */
  agent_id?: string | undefined;
  /** Only memories of this run. At most 128 characters. */
  run_id?: string | undefined;
  /** At most 100 items. */
  tags?: string[] | undefined;
  /** At most 100 items. */
  tags_any?: string[] | undefined;
  content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video' | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  occurred_after?: string | undefined;
  occurred_before?: string | undefined;
  /** 0 to 10. */
  min_priority?: number | undefined;
  /** 1 to 100. */
  limit?: number | undefined;
  /** 0 to 10000. Default: 0. */
  offset?: number | undefined;
  /** Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the page. 0 to 1. */
  threshold?: number | undefined;
  /** Adds why_matched to each result: what each feature adds to its score. Default: false. */
  explain?: boolean | undefined;
  /** A memory whose place is explained in `why`, also where it is no result. */
  why?: string | undefined;
  /**
   * Asks for what held at this time: what was superseded later stands before what supersedes it,
   * and memories of a later time rank behind. The time of a memory is its occurred_at, else its
   * created_at.
   */
  as_of?: string | undefined;
  /**
   * Searches also with up to three texts that the language model of the service makes of the
   * query: the same question in other words, or the questions that it consists of. `rewrite` of
   * the response says whether it did; without a model, or if it fails, the results are those of
   * the query alone. Default: false.
   */
  rewrite?: boolean | undefined;
  /**
   * Whether the reranker of the service reorders the best results; by default if there is one.
   * `rerank` of the response says whether it did.
   */
  rerank?: boolean | undefined;
  /**
   * precise, balanced, broad, or a preset of the account. Unknown names are rejected. At most 64
   * characters.
   */
  pipeline?: string | undefined;
  /**
   * Adds the memories that are found to the activation session with this key. At most 128
   * characters.
   */
  session_key?: string | undefined;
  /** @deprecated Alias of session_key. At most 128 characters. */
  session?: string | undefined;
  /**
   * false: omits memories that another memory supersedes; what supersedes them takes their place.
   * Default: true.
   */
  include_superseded?: boolean | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  metadata?: Record<string, string | number | boolean> | undefined;
};

export type RecallRequest = {
  /** At most 1000 characters. */
  q?: string | undefined;
  /** @deprecated Alias of q. At most 1000 characters. */
  query?: string | undefined;
  /**
   * Adds the memories that are found to the activation session with this key. At most 128
   * characters.
   */
  session_key?: string | undefined;
  /** @deprecated Alias of session_key. At most 128 characters. */
  session?: string | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** Only memories of this user. At most 128 characters. */
  user_id?: string | undefined;
  /** Only memories of this agent. At most 128 characters. */
  agent_id?: string | undefined;
  /** Only memories of this run. At most 128 characters. */
  run_id?: string | undefined;
  /** Only memories with all of these tags. At most 100 items. */
  tags?: string[] | undefined;
  /** 1 to 100000. Default: 2000. */
  max_tokens?: number | undefined;
  /** 1 to 100. Default: 20. */
  max_memories?: number | undefined;
  /**
   * Asks for what held at this time: what was superseded later stands before what supersedes it,
   * and memories of a later time rank behind. The time of a memory is its occurred_at, else its
   * created_at.
   */
  as_of?: string | undefined;
  /**
   * Searches also with up to three texts that the language model of the service makes of the
   * query: the same question in other words, or the questions that it consists of. `rewrite` of
   * the response says whether it did; without a model, or if it fails, the results are those of
   * the query alone. Default: false.
   */
  rewrite?: boolean | undefined;
  /**
   * Whether the reranker of the service reorders the best results; by default if there is one.
   * `rerank` of the response says whether it did.
   */
  rerank?: boolean | undefined;
  /** Only memories of this time or later: of occurred_at, else of created_at. */
  occurred_after?: string | undefined;
  occurred_before?: string | undefined;
  /** Memories of this session are left out, because the prompt has them already. */
  exclude_session_id?: string | undefined;
  /** Default: true. */
  include_related?: boolean | undefined;
  /** Memories with a lower score are left out. 0 to 1. Default: 0.0002. */
  threshold?: number | undefined;
  /**
   * How the context is written. json is one object: `memories` with id, date, session_id, role,
   * speaker, outdated_by and content. xml has a `memory` element for each. lines has one line for
   * each, the most relevant first and outdated ones last; the first one is shortened rather than
   * left out. Default: "text".
   */
  format?: 'text' | 'markdown' | 'json' | 'xml' | 'lines' | undefined;
} & ({ q: string } | { query: string });

export type RecallAnswer = {
  /**
   * Text for a prompt, in the requested format; each memory with its id, date, speaker and role.
   * Memories of one conversation stand together, in its order, except in lines. Empty without
   * memories.
   */
  context: string;
  memories: RecalledMemory[];
  /** Length of the context in o200k tokens. */
  token_count: number;
  /** Whether memories were shortened or omitted to fit the budget. */
  truncated: boolean;
  /**
   * Which of the best `max_memories` matches the context leaves out, and why: no tokens were left
   * for it, or its score is below `threshold`.
   */
  omitted: Array<{
    memory_id: string;
    reason: 'budget' | 'score';
  }>;
  /** For requests with `rewrite`. */
  rewrite?: RewriteReport | undefined;
  /** For requests with `rerank`, and for all others if the service has a reranker. */
  rerank?: RerankReport | undefined;
};

export type RecalledMemory = {
  id: string;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  space_id: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  session_id: string | null;
  tags: string[];
  metadata: Record<string, unknown>;
  priority: number;
  salience: number | null;
  is_pinned: boolean;
  is_deleted: boolean;
  protection_level: 'none' | 'soft' | 'hard';
  quality_score: number | null;
  occurred_at: string | null;
  /** From then on the memory is hidden; it is erased within the hour. null: never. */
  expires_at: string | null;
  verified_at: string | null;
  deleted_at: string | null;
  created_at: string;
  updated_at: string;
  /**
   * The newest of the memories at the ends of what supersedes it, directly or over several, or
   * says that all its facts have ended; null: it is current.
   */
  outdated_by: string | null;
  /** As in search; null for a memory that was added through its relationships. */
  score: number | null;
  /**
   * The rewritten text that found this result, if the query itself does not have it among its best
   * results.
   */
  found_by?: string | undefined;
  /**
   * The passage of a long memory that answers best: its text is the content from start (included)
   * to end (excluded), in UTF-16 code units. null: the memory is not divided into passages.
   */
  passage: ResultPassage | null;
  /** The memory whose relationship added this one. */
  related_to: string | null;
};

export type SearchBatchRequest = {
  /** 1 to 20 items. */
  queries: SearchRequest[];
  /** Default session key for queries without one. At most 128 characters. */
  session_key?: string | undefined;
  /** @deprecated Alias of session_key. At most 128 characters. */
  session?: string | undefined;
};

export type Highlight = {
  memory_id: string;
  snippet: string;
  /** Matched terms, as [start, end) offsets into the snippet in UTF-16 code units. */
  ranges: number[][];
};

export type Space = {
  id: string;
  name: string;
  description: string | null;
  metadata: Record<string, unknown>;
  memory_lifetime_days: number | null;
  created_at: string;
  updated_at: string;
};

export type TopicMemory = {
  id: string;
  content: string;
  content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
  tags: string[];
  metadata: Record<string, unknown>;
  priority: number;
  created_at: string;
  /** 1: the tag matches exactly. 0 to 1. */
  topic_relevance: number;
};

export type SearchGroup = {
  /** The tag, content type or priority, the id of the cluster, or the first day of the bucket. */
  key: string;
  label: string;
  count: number;
  /** 0 to 1. */
  avg_score: number;
  top: Array<{
    id: string;
    /** 0 to 1. */
    score: number;
  }>;
};

export type SearchPreset = {
  name: string;
  limit: number;
  threshold: number;
  is_built_in: boolean;
  /** Null for a built-in pipeline. */
  created_at: string | null;
  updated_at: string | null;
};

export type PutSearchPreset = {
  /** 1 to 100. Default: 20. */
  limit?: number | undefined;
  /** 0 to 1. Default: 0. */
  threshold?: number | undefined;
};

export type CreateCliSession = {
  /** At most 200 characters. */
  name: string;
  /** Default: "conversation". */
  type?: 'conversation' | 'project' | 'task' | 'temporary' | undefined;
  description?: string | null | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  origin_type?: string | null | undefined;
  /** At most 10 items. */
  tags?: string[] | undefined;
  /** Default: "permanent". */
  retention_policy?: 'permanent' | 'temporary' | 'auto_delete' | 'on_completion' | undefined;
  retention_days?: number | null | undefined;
  /** Default: false. */
  is_private?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
};

export type CliSession = {
  id: string;
  account_id: string;
  created_by: string | null;
  name: string;
  type: 'conversation' | 'project' | 'task' | 'temporary';
  status: 'active' | 'paused' | 'completed' | 'archived';
  description: string | null;
  tags: string[];
  space_id: string | null;
  origin_type: string | null;
  retention_policy: 'permanent' | 'temporary' | 'auto_delete' | 'on_completion';
  retention_days: number | null;
  is_private: boolean;
  summary: string | null;
  /** Number of chat messages ever recorded. */
  message_count: number;
  /** Number of memories in the session, without deleted ones. */
  memory_count: number;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  last_active_at: string;
  paused_at: string | null;
  completed_at: string | null;
  archived_at: string | null;
};

export type CliSessionStats = {
  total: number;
  by_status: {
    active: number;
    paused: number;
    completed: number;
    archived: number;
  };
  by_type: {
    conversation: number;
    project: number;
    task: number;
    temporary: number;
  };
};

export type PatchCliSession = {
  /** At most 200 characters. */
  name?: string | undefined;
  description?: string | null | undefined;
  /** At most 10 items. */
  tags?: string[] | undefined;
  retention_policy?: 'permanent' | 'temporary' | 'auto_delete' | 'on_completion' | undefined;
  retention_days?: number | null | undefined;
  is_private?: boolean | undefined;
  metadata?: Record<string, unknown> | undefined;
  summary?: string | null | undefined;
};

export type ChatMessage = {
  /** At most 50 characters. */
  role: string;
  /** At most 255 characters. */
  name?: string | undefined;
  content: string;
  /** When the message was sent. */
  occurred_at?: string | undefined;
  /** @deprecated Alias of occurred_at. */
  created_at?: string | undefined;
  /** The end user whom the memory belongs to. At most 128 characters. */
  user_id?: string | undefined;
  /** The agent whom the memory belongs to. At most 128 characters. */
  agent_id?: string | undefined;
  /** The run or conversation that it belongs to. At most 128 characters. */
  run_id?: string | undefined;
};

export type ActivationSession = {
  id: string;
  session_key: string;
  started_at: string;
  last_active_at: string;
  /** @deprecated Alias of last_active_at. */
  last_activity_at: string;
  memory_count: number;
  is_closed: boolean;
  api_key_id: string | null;
};

export type ActivationSessionDetail = {
  id: string;
  session_key: string;
  started_at: string;
  last_active_at: string;
  /** @deprecated Alias of last_active_at. */
  last_activity_at: string;
  memory_count: number;
  is_closed: boolean;
  api_key_id: string | null;
  /** In the order of first access. */
  memory_ids: string[];
};

export type ActivationExport = {
  session: ActivationSessionDetail;
  memories: Array<{
    id: string;
    content: string;
    content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
    space_id: string | null;
    user_id: string | null;
    agent_id: string | null;
    run_id: string | null;
    session_id: string | null;
    tags: string[];
    metadata: Record<string, unknown>;
    priority: number;
    salience: number | null;
    is_pinned: boolean;
    is_deleted: boolean;
    protection_level: 'none' | 'soft' | 'hard';
    quality_score: number | null;
    occurred_at: string | null;
    /** From then on the memory is hidden; it is erased within the hour. null: never. */
    expires_at: string | null;
    verified_at: string | null;
    deleted_at: string | null;
    created_at: string;
    updated_at: string;
    /**
     * The newest of the memories at the ends of what supersedes it, directly or over several, or
     * says that all its facts have ended; null: it is current.
     */
    outdated_by: string | null;
    create: Record<string, unknown>;
  }>;
  relationships: Relationship[];
};

export type ActivationReport = {
  session: ActivationSessionDetail;
  memories: Array<{
    id: string;
    content: string;
    content_type: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video';
    space_id: string | null;
    user_id: string | null;
    agent_id: string | null;
    run_id: string | null;
    session_id: string | null;
    tags: string[];
    metadata: Record<string, unknown>;
    priority: number;
    salience: number | null;
    is_pinned: boolean;
    is_deleted: boolean;
    protection_level: 'none' | 'soft' | 'hard';
    quality_score: number | null;
    occurred_at: string | null;
    /** From then on the memory is hidden; it is erased within the hour. null: never. */
    expires_at: string | null;
    verified_at: string | null;
    deleted_at: string | null;
    created_at: string;
    updated_at: string;
    /**
     * The newest of the memories at the ends of what supersedes it, directly or over several, or
     * says that all its facts have ended; null: it is current.
     */
    outdated_by: string | null;
    access_count: number;
    first_accessed_at: string;
  }>;
  relationships: Relationship[];
  top_tags: Array<{
    tag: string;
    count: number;
  }>;
  /** The entities that most of its memories mention, at most 20. */
  entities: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    memory_count: number;
  }>;
  timeline: Array<{
    at: string;
    memory_id: string;
  }>;
};

export type Account = {
  id: string;
  name: string;
  plan: 'free' | 'pro' | 'max' | 'enterprise';
  limits: PlanLimits;
  usage: Usage;
  settings: AccountSettings;
  contact_email: string;
  /**
   * The model that the account is searched by. The field `embedding` of a memory takes vectors of
   * this model.
   */
  embedding: {
    model: string;
    dimensions: number;
  };
};

/** Limits of the plan; null: unlimited. */
export type PlanLimits = {
  requests_per_minute: number | null;
  requests_per_day: number | null;
  concurrent_requests: number | null;
  memories: number | null;
  spaces: number | null;
  api_keys: number | null;
  webhooks: number | null;
  searches_per_month: number | null;
  embeddings_per_month: number | null;
  content_bytes: number;
};

export type Usage = {
  /** The UTC month in which searches and embeddings are counted, as YYYY-MM. */
  period: string;
  memories: number;
  spaces: number;
  api_keys: number;
  webhooks: number;
  searches: number;
  embeddings: number;
  memories_created_today: number;
};

export type AccountSettings = {
  /** Maximum new memories per UTC day; null: no limit. */
  daily_memory_limit: number | null;
  /** Applies the limits of single endpoints on the plan enterprise, too. */
  enforce_endpoint_limits: boolean;
  /** Allows relationship types that are not in the list. */
  allow_custom_relationship_types: boolean;
  /**
   * What a create does with older memories that the new one may outdate, unless it tells
   * otherwise.
   */
  detect_updates: 'off' | 'suggest' | 'apply';
  email: {
    /**
     * Email from senders that no rule allows. store: accepts it, with the metadata email_verified:
     * false, unless the account has an allow rule; reject: rejects it.
     */
    accept_unknown: 'store' | 'reject';
  };
};

export type AuditEntry = {
  id: string;
  action: 'account.created' | 'account.updated' | 'account.deleted' | 'key.created' | 'key.rotated' | 'key.revoked' | 'token.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'deliveries.paused' | 'deliveries.resumed' | 'queue.paused' | 'queue.resumed' | 'mcp.remembered' | 'mcp.forgotten' | 'grant.created' | 'grant.revoked';
  /**
   * The account, key, session token, webhook, memory or OAuth grant; for deliveries the operator’s
   * account.
   */
  target_id: string;
  /** null: the service itself, at start-up. */
  actor: {
    account_id: string;
    api_key_id: string | null;
    /** @deprecated Alias of api_key_id. */
    key_id: string | null;
  } | null;
  /** The new values; never a secret. */
  details: Record<string, unknown>;
  request_id: string;
  created_at: string;
};

export type IssuedSessionToken = {
  id: string;
  /** The API key that created the token. */
  api_key_id: string;
  /** @deprecated Alias of api_key_id. */
  key_id: string;
  /** The user whose memories alone the token sees and writes. */
  user_id: string | null;
  created_at: string;
  expires_at: string;
  /** Until when the token can be renewed; null: it cannot. */
  renewable_until: string | null;
  /** Only good for one renewal. */
  single_use: boolean;
  /** The scopes of its key that the token is limited to; null: all of them. */
  scopes: Array<'memories:read' | 'memories:write' | 'sessions:read' | 'sessions:write' | 'relationships:read' | 'relationships:write' | 'knowledge:read' | 'knowledge:write' | 'search:read' | 'search:write' | 'clusters:read' | 'clusters:write' | 'email:read' | 'email:write' | 'webhooks:read' | 'webhooks:write' | 'spaces:read' | 'spaces:write' | 'admin'> | null;
  token: string;
  token_type: 'Bearer';
};

export type SessionToken = {
  id: string;
  /** The API key that created the token. */
  api_key_id: string;
  /** @deprecated Alias of api_key_id. */
  key_id: string;
  /** The user whose memories alone the token sees and writes. */
  user_id: string | null;
  created_at: string;
  expires_at: string;
  /** Until when the token can be renewed; null: it cannot. */
  renewable_until: string | null;
  /** Only good for one renewal. */
  single_use: boolean;
  /** The scopes of its key that the token is limited to; null: all of them. */
  scopes: Array<'memories:read' | 'memories:write' | 'sessions:read' | 'sessions:write' | 'relationships:read' | 'relationships:write' | 'knowledge:read' | 'knowledge:write' | 'search:read' | 'search:write' | 'clusters:read' | 'clusters:write' | 'email:read' | 'email:write' | 'webhooks:read' | 'webhooks:write' | 'spaces:read' | 'spaces:write' | 'admin'> | null;
};

export type CreateApiKey = {
  /** At most 255 characters. */
  name: string;
  /** 1 to 19 items. */
  scopes?: Array<'memories:read' | 'memories:write' | 'sessions:read' | 'sessions:write' | 'relationships:read' | 'relationships:write' | 'knowledge:read' | 'knowledge:write' | 'search:read' | 'search:write' | 'clusters:read' | 'clusters:write' | 'email:read' | 'email:write' | 'webhooks:read' | 'webhooks:write' | 'spaces:read' | 'spaces:write' | 'admin'> | undefined;
  space_ids?: string[] | null | undefined;
  expires_at?: string | null | undefined;
};

export type IssuedApiKey = {
  id: string;
  name: string;
  /** The first characters of the key, which are not secret. */
  prefix: string;
  scopes: Array<'memories:read' | 'memories:write' | 'sessions:read' | 'sessions:write' | 'relationships:read' | 'relationships:write' | 'knowledge:read' | 'knowledge:write' | 'search:read' | 'search:write' | 'clusters:read' | 'clusters:write' | 'email:read' | 'email:write' | 'webhooks:read' | 'webhooks:write' | 'spaces:read' | 'spaces:write' | 'admin' | 'operator'>;
  space_ids: string[] | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
  key: string;
};

export type ApiKey = {
  id: string;
  name: string;
  /** The first characters of the key, which are not secret. */
  prefix: string;
  scopes: Array<'memories:read' | 'memories:write' | 'sessions:read' | 'sessions:write' | 'relationships:read' | 'relationships:write' | 'knowledge:read' | 'knowledge:write' | 'search:read' | 'search:write' | 'clusters:read' | 'clusters:write' | 'email:read' | 'email:write' | 'webhooks:read' | 'webhooks:write' | 'spaces:read' | 'spaces:write' | 'admin' | 'operator'>;
  space_ids: string[] | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
};

export type OAuthGrant = {
  id: string;
  /** The URL of the client’s metadata, or the id of a client that registered itself. */
  client_id: string;
  /** As the client calls itself. */
  client_name: string | null;
  /** The API key that the person signed in with. */
  api_key_id: string;
  /** @deprecated Alias of api_key_id. */
  key_id: string;
  /** The URL of the MCP server that its tokens are for. */
  resource: string;
  scopes: string[];
  /** null: all spaces. */
  space_ids: string[] | null;
  /** The user whose memories alone the client sees and writes. */
  user_id: string | null;
  created_at: string;
  /** When the grant ends, unless the client refreshes its tokens before. */
  expires_at: string;
};

export type AccountState = {
  id: string;
  name: string;
  plan: 'free' | 'pro' | 'max' | 'enterprise';
  /**
   * While true, every key is rejected, and no webhook calls or emails are sent. After the
   * suspension, deliveries and emails that are more than a day old are not sent: they are listed
   * as failed, with the reason. One digest covers all missed periods.
   */
  suspended: boolean;
  settings: AccountSettings;
  contact_email: string;
  created_at: string;
  updated_at: string;
};

export type Verification = {
  /** The id of the job. */
  id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  /**
   * Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
   * all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits
   * for its turn, runs or has ended.
   */
  waiting_reason: 'no_worker' | 'queue_paused' | null;
  error: string | null;
  /** Null: all accounts. */
  account_id: string | null;
  repair: boolean;
  deep: boolean;
  /** Number of accounts processed. */
  accounts: number;
  /** Number of rows checked, by check. */
  checked: Record<string, number>;
  /** Documents that an earlier version analysed: they are consistent and not repaired. */
  outdated: number;
  repaired: number;
  /**
   * Blobs that no row references: uploads in progress, leftovers of a crash, and blobs of a
   * running deletion. Jobs remove them. Null until all accounts are checked.
   */
  stray_blobs: number | null;
  faults_total: number;
  /** Inconsistencies that were not repaired. */
  faults_left: number;
  /** The first 1,000 inconsistencies. */
  faults: Array<{
    account_id: string;
    /** The check that reported it, such as `documents`. */
    check: string;
    /** Kind of inconsistency, such as `terms_differ`. */
    code: string;
    /** The inconsistent row; null: the account. */
    id: string | null;
    message: string;
    repaired: boolean;
  }>;
  /**
   * Pages of tables and indexes with invalid content, which also count as inconsistencies: the
   * first 1,000. Only a check of all accounts reads them.
   */
  damaged_pages: Array<{
    /** The table or index, such as `memories`. */
    relation: string;
    /** Page number in the relation, starting at 0. At least 0. */
    page: number;
    message: string;
  }>;
  created_at: string;
  finished_at: string | null;
};

export type Diagnosis = {
  status: 'ok' | 'degraded' | 'unavailable';
  checks: Record<string, {
    ok: boolean;
    detail?: string | undefined;
  }>;
  /** The data folder; null if the settings are invalid. */
  data_dir: string | null;
  /**
   * Current problems first, then findings about the stored data by this process: oldest first, at
   * most 100.
   */
  findings: Array<{
    /** Id for the acknowledgement; null for a problem that stays until its cause is removed. */
    id: string | null;
    kind: 'missing_tail' | 'older_copy' | 'failover' | 'failover_missing_tail' | 'other_cluster' | 'damaged_page' | 'invalid_setting' | 'unknown_setting' | 'readable_secret' | 'unusable_folder' | 'foreign_folder' | 'unfinished_files' | 'missing_file' | 'disk_full' | 'disk_low' | 'unusable_database' | 'database_in_use' | 'newer_schema' | 'changed_migration' | 'unreachable_blobs' | 'jobs_due' | 'jobs_failed' | 'jobs_abandoned' | 'backup_failed' | 'backup_missing' | 'check_failed';
    severity: 'error' | 'warning';
    /** Whether it degrades the health until it is acknowledged. */
    degrades_health: boolean;
    /** Description of the finding. */
    message: string;
    /** What to do. */
    action: string;
    found_at: string;
    acknowledged_at: string | null;
  }>;
};

export type Reembedding = {
  /** The id of the job. */
  id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  /**
   * Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
   * all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits
   * for its turn, runs or has ended.
   */
  waiting_reason: 'no_worker' | 'queue_paused' | null;
  error: string | null;
  /** The target model. */
  model: string;
  dimensions: number;
  /** Number of accounts processed. */
  accounts: number;
  /** Number of memories with a new vector. */
  embedded: number;
  /** Number of memories whose text the model rejected: only keyword search finds them. */
  refused: number;
  /** Number of deleted vectors of other models. */
  erased: number;
  created_at: string;
  finished_at: string | null;
};

export type EmbeddingModels = {
  current: {
    /** `configured`: the model of the settings. */
    name: string;
    /** The name that is stored with vectors. */
    model: string;
    dimensions: number;
  };
  /** The change that is in progress. */
  change: {
    name: string;
    model: string;
    job_id: string;
  } | null;
  /** @deprecated Alias of data. */
  models: Array<{
    /** The name for `models install` and `models use`. */
    name: string;
    provider: 'static' | 'encoder' | 'openai' | 'transformers';
    /** `available`: it can be installed, or is behind an endpoint and needs no installation. */
    state: 'shipped' | 'installed' | 'available';
    is_current: boolean;
    dimensions: number | null;
    /** Longer texts are truncated. */
    tokens_max: number | null;
    licence: string | null;
    languages: string | null;
    /** About, with 8-bit weights; null: nothing to download. */
    download_megabytes: number | null;
    installed_bytes: number | null;
  }>;
  data: Array<{
    /** The name for `models install` and `models use`. */
    name: string;
    provider: 'static' | 'encoder' | 'openai' | 'transformers';
    /** `available`: it can be installed, or is behind an endpoint and needs no installation. */
    state: 'shipped' | 'installed' | 'available';
    is_current: boolean;
    dimensions: number | null;
    /** Longer texts are truncated. */
    tokens_max: number | null;
    licence: string | null;
    languages: string | null;
    /** About, with 8-bit weights; null: nothing to download. */
    download_megabytes: number | null;
    installed_bytes: number | null;
  }>;
  pagination: OnePagePagination;
};

export type ModelTest = {
  /** The id of the job. */
  id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  /**
   * Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
   * all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits
   * for its turn, runs or has ended.
   */
  waiting_reason: 'no_worker' | 'queue_paused' | null;
  error: string | null;
  questions: {
    /** Queries of helpful feedback. */
    feedback: number;
    /** Questions of users with the reply that follows. */
    sessions: number;
    /** Memories that replace an older one. */
    updates: number;
  } | null;
  /** Number of memories searched. */
  memories: number | null;
  /** First the tested one; empty until the end. */
  models: Array<{
    name: string;
    model: string;
    dimensions: number;
    /** Share of questions with the answer in first place. */
    recall_1: number;
    /** Share of questions with the answer in the top five. */
    recall_5: number;
    /** Mean reciprocal rank of the first answer. */
    mrr: number;
    /** Mean time for one question, in milliseconds. */
    query_ms: number;
    /** Mean time for one memory, in milliseconds. */
    memory_ms: number;
    /** Stored bytes of one vector. */
    vector_bytes: number;
  }>;
  created_at: string;
  finished_at: string | null;
};

export type DeliveryState = {
  paused: boolean;
  /** When deliveries of webhooks and email were paused; null: not paused. */
  paused_at: string | null;
};

export type Erasure = {
  kind: 'memory' | 'session' | 'space' | 'account' | 'relationship' | 'cluster' | 'mail' | 'attachment' | 'upload' | 'sender_rule' | 'reaction' | 'digest' | 'webhook';
  /** The id of what was erased. */
  id: string;
  account_id: string;
  /** When it disappeared from every read. */
  erased_at: string;
};

export type ErasureReport = {
  id: string;
  kind: 'memory' | 'session' | 'space' | 'account' | 'relationship' | 'cluster' | 'mail' | 'attachment' | 'upload' | 'sender_rule' | 'reaction' | 'digest' | 'webhook';
  account_id: string;
  erased_at: string;
  /** What the API, searches, deliveries and later backups can contain. */
  logical: {
    complete: boolean;
    /**
     * When the content was removed from events, deliveries, stored responses and emails; null: a
     * job removes it within a minute.
     */
    content_removed_at: string | null;
    /** Rows that contain the id and still have content; empty when complete. */
    content: Array<{
      table: string;
      rows: number;
    }>;
    /** Rows that contain only the id, such as the event of a deletion. */
    ids_only: Array<{
      table: string;
      rows: number;
    }>;
  };
  /** What remains in the files of the database and in older backups. */
  physical: {
    complete: boolean;
    /** Tables that have not been vacuumed since: their files can still contain dead rows. */
    tables: string[];
    /** Files in the blob store that a job has not removed yet. */
    files: number;
    /**
     * Copies of the search index of the account: all that the database knows, and the files of the
     * process that responds.
     */
    index_segments: Array<{
      id: string;
      /** Null: the database does not know the file, so no process reads it. */
      created_at: string | null;
      /**
       * Whether it is from before the erasure, or unknown: it can contain erased words. A process
       * deletes it within a minute.
       */
      stale: boolean;
    }>;
    /**
     * Earlier scheduled backups, which contain the data until their schedule removes them. A
     * restore erases it again.
     */
    backups: string[];
  };
};

export type OperatorJob = {
  id: string;
  kind: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  attempt_count: number;
  /** @deprecated Alias of attempt_count. */
  attempts: number;
  /**
   * Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
   * all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits
   * for its turn, runs or has ended.
   */
  waiting_reason: 'no_worker' | 'queue_paused' | null;
  error: string | null;
  /** What a completed job reports, such as the receipt of an erasure. */
  result: Record<string, unknown> | null;
  created_at: string;
  finished_at: string | null;
  /** The account of the job; null: a job of the service itself. */
  account_id: string | null;
  /** The queue of the job. */
  queue: string;
};

export type JobQueue = {
  name: string;
  /** When the queue was paused; null: it is not paused. */
  paused_at: string | null;
  /** Jobs that wait, those that wait for a retry included. */
  queued: number;
  running: number;
  /** Jobs without retries left, of the past week. */
  failed: number;
  /** For how many seconds the oldest due job has waited; 0: none waits. */
  oldest_due_seconds: number;
  /** The kinds of its jobs. */
  kinds: string[];
};

export type QueuedImport = {
  import_id: string;
};

export type Import = {
  id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  /**
   * Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
   * all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits
   * for its turn, runs or has ended.
   */
  waiting_reason: 'no_worker' | 'queue_paused' | null;
  error: string | null;
  dry_run: boolean;
  /** Into which accounts. */
  account_ids: string[];
  records: ImportCounts[];
  /** Why records were skipped, with counts. */
  reasons: Array<{
    kind: 'spaces' | 'sessions' | 'memories' | 'relationships' | 'entities' | 'mentions' | 'assertions' | 'clusters' | 'cluster_members' | 'media' | 'tombstones' | 'transcripts' | 'interpretations' | 'segments';
    reason: 'newer_in_account' | 'erased_in_account' | 'deletion_not_applied' | 'duplicate' | 'expired' | 'protected' | 'content_too_large' | 'quota_exceeded' | 'daily_limit_exceeded' | 'space_missing' | 'memory_missing' | 'entity_missing' | 'cluster_missing' | 'file_missing' | 'file_too_large' | 'file_invalid' | 'limit_exceeded';
    count: number;
  }>;
  /** The first 500 skipped records, with their ids in the archive. */
  skipped: Array<{
    kind: 'spaces' | 'sessions' | 'memories' | 'relationships' | 'entities' | 'mentions' | 'assertions' | 'clusters' | 'cluster_members' | 'media' | 'tombstones' | 'transcripts' | 'interpretations' | 'segments';
    id: string;
    reason: 'newer_in_account' | 'erased_in_account' | 'deletion_not_applied' | 'duplicate' | 'expired' | 'protected' | 'content_too_large' | 'quota_exceeded' | 'daily_limit_exceeded' | 'space_missing' | 'memory_missing' | 'entity_missing' | 'cluster_missing' | 'file_missing' | 'file_too_large' | 'file_invalid' | 'limit_exceeded';
  }>;
  created_at: string;
  finished_at: string | null;
};

export type ImportCounts = {
  kind: 'spaces' | 'sessions' | 'memories' | 'relationships' | 'entities' | 'mentions' | 'assertions' | 'clusters' | 'cluster_members' | 'media' | 'tombstones' | 'transcripts' | 'interpretations' | 'segments';
  created: number;
  updated: number;
  /** Stored already, as it is in the archive. */
  unchanged: number;
  skipped: number;
};

export type EmailAddress = {
  id: string;
  email: string;
  local_part: string;
  /** @deprecated Alias of local_part. */
  localPart: string;
  domain: string;
  is_active: boolean;
  /** @deprecated Alias of is_active. */
  isActive: boolean;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
  /** For a former address: how long it still accepts email. */
  accepts_until: string | null;
  /** @deprecated Alias of accepts_until. */
  acceptsUntil: string | null;
};

export type Mail = {
  id: string;
  sender: string;
  recipient: string;
  subject: string;
  bodyPlain: string;
  status: 'received' | 'processing' | 'completed' | 'failed' | 'rejected' | 'rate_limited';
  /** Why the email was rejected or failed. */
  reason: string | null;
  parsedIntent: ParsedIntent | null;
  response_memory_id: string | null;
  /** @deprecated Alias of response_memory_id. */
  responseMemoryId: string | null;
  message_id: string | null;
  /** @deprecated Alias of message_id. */
  messageId: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  authentication: {
    spf: string;
    dkim: string;
    dmarc: string;
    arc: string;
  } | null;
  /**
   * Whether a rule allows the author, and SPF, DKIM or DMARC authenticates the domain of the From
   * field. Only verified email receives a reply or runs commands other than store. null: not
   * checked, or rejected earlier.
   */
  verified: boolean | null;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
  processed_at: string | null;
  /** @deprecated Alias of processed_at. */
  processedAt: string | null;
};

export type ParsedIntent = {
  command: 'store' | 'search' | 'recall' | 'forget' | 'help' | 'stop';
  content: string;
  metadata: {
    space: string | null;
    tags: string[];
    priority: number | null;
  };
  /** Where the command was found; default: there was none. */
  method: 'subject' | 'body' | 'default';
};

export type Attachment = {
  id: string;
  history_id: string;
  /** @deprecated Alias of history_id. */
  mailId: string;
  filename: string;
  mime_type: string;
  /** @deprecated Alias of mime_type. */
  contentType: string;
  /** Bytes. */
  file_size: number;
  /** @deprecated Alias of file_size. */
  size: number;
  sha256: string;
  /** The memory that was created from its text. */
  memory_id: string | null;
  /** @deprecated Alias of memory_id. */
  memoryId: string | null;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
};

export type SenderRule = {
  id: string;
  email_pattern: string;
  /** @deprecated Alias of email_pattern. */
  emailPattern: string;
  rule_type: 'allow' | 'block';
  /** @deprecated Alias of rule_type. */
  ruleType: 'allow' | 'block';
  reason: string | null;
  user_id: string | null;
  agent_id: string | null;
  run_id: string | null;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
};

export type CreateSenderRule = {
  /** At most 320 characters. */
  email_pattern?: string | undefined;
  /** @deprecated Alias of email_pattern. At most 320 characters. */
  emailPattern?: string | undefined;
  rule_type?: 'allow' | 'block' | undefined;
  /** @deprecated Alias of rule_type. */
  ruleType?: 'allow' | 'block' | undefined;
  /** Default: null. */
  reason?: string | null | undefined;
  /** The end user whom the memory belongs to. At most 128 characters. */
  user_id?: string | undefined;
  /** The agent whom the memory belongs to. At most 128 characters. */
  agent_id?: string | undefined;
  /** The run or conversation that it belongs to. At most 128 characters. */
  run_id?: string | undefined;
} & ({ email_pattern: string } | { emailPattern: string }) & ({ rule_type: 'allow' | 'block' } | { ruleType: 'allow' | 'block' });

export type Reaction = {
  id: string;
  name: string;
  trigger_type: string;
  /** @deprecated Alias of trigger_type. */
  triggerType: string;
  trigger_conditions: {
    tags?: string[] | undefined;
    content_contains?: string | undefined;
    /** @deprecated Alias of content_contains. */
    contentContains?: string | undefined;
  };
  /** @deprecated Alias of trigger_conditions. */
  triggerConditions: {
    tags?: string[] | undefined;
    content_contains?: string | undefined;
    /** @deprecated Alias of content_contains. */
    contentContains?: string | undefined;
  };
  email_subject_template: string;
  /** @deprecated Alias of email_subject_template. */
  emailSubjectTemplate: string;
  email_body_template: string;
  /** @deprecated Alias of email_body_template. */
  emailBodyTemplate: string;
  recipients: string[];
  cooldown_minutes: number;
  /** @deprecated Alias of cooldown_minutes. */
  cooldownMinutes: number;
  max_per_day: number;
  /** @deprecated Alias of max_per_day. */
  maxPerDay: number;
  is_active: boolean;
  /** @deprecated Alias of is_active. */
  isActive: boolean;
  last_triggered_at: string | null;
  /** @deprecated Alias of last_triggered_at. */
  lastTriggeredAt: string | null;
  sent_today: number;
  /** @deprecated Alias of sent_today. */
  sentToday: number;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
  updated_at: string;
  /** @deprecated Alias of updated_at. */
  updatedAt: string;
};

export type CreateReaction = {
  /** At most 255 characters. */
  name: string;
  /** At most 255 characters. */
  trigger_type?: string | undefined;
  /** @deprecated Alias of trigger_type. At most 255 characters. */
  triggerType?: string | undefined;
  /** Default: {}. */
  trigger_conditions?: TriggerConditions | undefined;
  /** @deprecated Alias of trigger_conditions. */
  triggerConditions?: TriggerConditions | undefined;
  /** At most 500 characters. */
  email_subject_template?: string | undefined;
  /** @deprecated Alias of email_subject_template. At most 500 characters. */
  emailSubjectTemplate?: string | undefined;
  /** At most 20000 characters. */
  email_body_template?: string | undefined;
  /** @deprecated Alias of email_body_template. At most 20000 characters. */
  emailBodyTemplate?: string | undefined;
  /** Empty: the contact address of the account. At most 20 items. Default: []. */
  recipients?: string[] | undefined;
  /** 0 to 43200. Default: 0. */
  cooldown_minutes?: number | undefined;
  /** @deprecated Alias of cooldown_minutes. 0 to 43200. */
  cooldownMinutes?: number | undefined;
  /** 1 to 1000. Default: 100. */
  max_per_day?: number | undefined;
  /** @deprecated Alias of max_per_day. 1 to 1000. */
  maxPerDay?: number | undefined;
  /** Default: true. */
  is_active?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  isActive?: boolean | undefined;
} & ({ trigger_type: string } | { triggerType: string }) & ({ email_subject_template: string } | { emailSubjectTemplate: string }) & ({ email_body_template: string } | { emailBodyTemplate: string });

/** All conditions must match the subject of the event: it has every tag and contains the text. */
export type TriggerConditions = {
  /** At most 100 items. */
  tags?: string[] | undefined;
  /** At most 255 characters. */
  content_contains?: string | undefined;
  /** @deprecated Alias of content_contains. At most 255 characters. */
  contentContains?: string | undefined;
};

export type PatchReaction = {
  /** At most 255 characters. */
  name?: string | undefined;
  /** At most 255 characters. */
  trigger_type?: string | undefined;
  /** @deprecated Alias of trigger_type. At most 255 characters. */
  triggerType?: string | undefined;
  trigger_conditions?: TriggerConditions | undefined;
  /** @deprecated Alias of trigger_conditions. */
  triggerConditions?: TriggerConditions | undefined;
  /** At most 500 characters. */
  email_subject_template?: string | undefined;
  /** @deprecated Alias of email_subject_template. At most 500 characters. */
  emailSubjectTemplate?: string | undefined;
  /** At most 20000 characters. */
  email_body_template?: string | undefined;
  /** @deprecated Alias of email_body_template. At most 20000 characters. */
  emailBodyTemplate?: string | undefined;
  /** Empty: the contact address of the account. At most 20 items. */
  recipients?: string[] | undefined;
  /** 0 to 43200. */
  cooldown_minutes?: number | undefined;
  /** @deprecated Alias of cooldown_minutes. 0 to 43200. */
  cooldownMinutes?: number | undefined;
  /** 1 to 1000. */
  max_per_day?: number | undefined;
  /** @deprecated Alias of max_per_day. 1 to 1000. */
  maxPerDay?: number | undefined;
  is_active?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  isActive?: boolean | undefined;
};

export type Digest = {
  id: string;
  name: string;
  schedule_type: 'daily' | 'weekly' | 'monthly';
  /** @deprecated Alias of schedule_type. */
  scheduleType: 'daily' | 'weekly' | 'monthly';
  timezone: string;
  hour: number;
  weekday: number;
  day: number;
  include_new_memories: boolean;
  /** @deprecated Alias of include_new_memories. */
  includeNewMemories: boolean;
  include_highlights: boolean;
  /** @deprecated Alias of include_highlights. */
  includeHighlights: boolean;
  max_items: number;
  /** @deprecated Alias of max_items. */
  maxItems: number;
  tags: string[];
  recipients: string[];
  is_active: boolean;
  /** @deprecated Alias of is_active. */
  isActive: boolean;
  next_run_at: string | null;
  /** @deprecated Alias of next_run_at. */
  nextRunAt: string | null;
  last_sent_at: string | null;
  /** @deprecated Alias of last_sent_at. */
  lastSentAt: string | null;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
  updated_at: string;
  /** @deprecated Alias of updated_at. */
  updatedAt: string;
};

export type CreateDigest = {
  /** At most 255 characters. */
  name: string;
  schedule_type?: 'daily' | 'weekly' | 'monthly' | undefined;
  /** @deprecated Alias of schedule_type. */
  scheduleType?: 'daily' | 'weekly' | 'monthly' | undefined;
  /** At most 64 characters. Default: "UTC". */
  timezone?: string | undefined;
  /** 0 to 23. Default: 8. */
  hour?: number | undefined;
  /** 1: Monday, 7: Sunday. 1 to 7. Default: 1. */
  weekday?: number | undefined;
  /** Day of the month; in shorter months the last day. 1 to 31. Default: 1. */
  day?: number | undefined;
  /** Default: true. */
  include_new_memories?: boolean | undefined;
  /** @deprecated Alias of include_new_memories. */
  includeNewMemories?: boolean | undefined;
  /** Default: true. */
  include_highlights?: boolean | undefined;
  /** @deprecated Alias of include_highlights. */
  includeHighlights?: boolean | undefined;
  /** 1 to 100. Default: 10. */
  max_items?: number | undefined;
  /** @deprecated Alias of max_items. 1 to 100. */
  maxItems?: number | undefined;
  /** At most 100 items. Default: []. */
  tags?: string[] | undefined;
  /** Empty: the contact address of the account. At most 20 items. Default: []. */
  recipients?: string[] | undefined;
  /** Default: true. */
  is_active?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  isActive?: boolean | undefined;
} & ({ schedule_type: 'daily' | 'weekly' | 'monthly' } | { scheduleType: 'daily' | 'weekly' | 'monthly' });

export type PatchDigest = {
  /** At most 255 characters. */
  name?: string | undefined;
  schedule_type?: 'daily' | 'weekly' | 'monthly' | undefined;
  /** @deprecated Alias of schedule_type. */
  scheduleType?: 'daily' | 'weekly' | 'monthly' | undefined;
  /** At most 64 characters. */
  timezone?: string | undefined;
  /** 0 to 23. */
  hour?: number | undefined;
  /** 1: Monday, 7: Sunday. 1 to 7. */
  weekday?: number | undefined;
  /** Day of the month; in shorter months the last day. 1 to 31. */
  day?: number | undefined;
  include_new_memories?: boolean | undefined;
  /** @deprecated Alias of include_new_memories. */
  includeNewMemories?: boolean | undefined;
  include_highlights?: boolean | undefined;
  /** @deprecated Alias of include_highlights. */
  includeHighlights?: boolean | undefined;
  /** 1 to 100. */
  max_items?: number | undefined;
  /** @deprecated Alias of max_items. 1 to 100. */
  maxItems?: number | undefined;
  /** At most 100 items. */
  tags?: string[] | undefined;
  /** Empty: the contact address of the account. At most 20 items. */
  recipients?: string[] | undefined;
  is_active?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  isActive?: boolean | undefined;
};

/** An outbound email to one recipient. */
export type OutboundMail = {
  id: string;
  kind: 'answer' | 'reaction' | 'digest';
  /** The received email that it replies to. */
  history_id: string | null;
  /** @deprecated Alias of history_id. */
  historyId: string | null;
  recipient: string;
  subject: string;
  status: 'queued' | 'sending' | 'sent' | 'failed' | 'bounced';
  attempt_count: number;
  /** @deprecated Alias of attempt_count. */
  attempts: number;
  /** Why the email was not sent or bounced. */
  last_error: string | null;
  /** @deprecated Alias of last_error. */
  lastError: string | null;
  /** Whether it failed and its content is still stored. */
  is_retryable: boolean;
  /** @deprecated Alias of is_retryable. */
  isRetryable: boolean;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
  next_attempt_at: string | null;
  /** @deprecated Alias of next_attempt_at. */
  nextAttemptAt: string | null;
  sent_at: string | null;
  /** @deprecated Alias of sent_at. */
  sentAt: string | null;
};

/** An address that receives no reactions and no digests. */
export type Suppression = {
  email: string;
  reason: 'stop' | 'unsubscribe' | 'bounce';
  detail: string | null;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
};

export type Webhook = {
  id: string;
  name: string;
  url: string;
  events: string[];
  description: string | null;
  /** Complete in the response that created it, masked in all others. */
  secret: string;
  space_id: string | null;
  /** Header names with masked values. */
  headers: Record<string, string>;
  filters: Record<string, unknown>;
  max_retries: number;
  retry_delay_seconds: number;
  retry_schedule: 'standard' | 'short';
  payload_form: 'object' | 'wrapped';
  signature_form: 'timestamped' | 'hex';
  is_active: boolean;
  /** @deprecated Alias of is_active. */
  enabled: boolean;
  /** @deprecated Alias of is_active. */
  status: 'active' | 'paused';
  disabled_reason: string | null;
  total_deliveries: number;
  successful_deliveries: number;
  failed_deliveries: number;
  /** Number of failed attempts since the last success. */
  failure_count: number;
  last_triggered_at: string | null;
  created_at: string;
  updated_at: string;
};

export type CreateWebhook = {
  /** Default: the host of the URL. At most 255 characters. */
  name?: string | undefined;
  /** At most 2000 characters. */
  url: string;
  /** Event types, `<area>.*`, or `*` for all. 1 to 100 items. */
  events: string[];
  /** Default: null. */
  description?: string | null | undefined;
  /** Default: 32 random bytes, generated by the service. At most 255 characters. */
  secret?: string | undefined;
  /** Only events of this space; null or "default": events of all spaces that the key can access. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** Headers added to each delivery; they cannot replace the headers of the service. Default: {}. */
  headers?: Record<string, string> | undefined;
  filters?: WebhookFilters | undefined;
  /** 0 to 10. Default: 3. */
  max_retries?: number | undefined;
  /** 10 to 3600. Default: 60. */
  retry_delay_seconds?: number | undefined;
  /** Default: "standard". */
  retry_schedule?: 'standard' | 'short' | undefined;
  /** Default: "object". */
  payload_form?: 'object' | 'wrapped' | undefined;
  /** Default: "timestamped". */
  signature_form?: 'timestamped' | 'hex' | undefined;
  is_active?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  enabled?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  status?: 'active' | 'paused' | undefined;
};

/** All filters must match the subject of the event. A missing field does not match. */
export type WebhookFilters = {
  /** At most 100 items. */
  tags?: string[] | undefined;
  content_type?: Array<'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video'> | undefined;
  /** 1 to 10. */
  min_priority?: number | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** At most 100 items. */
  space_ids?: string[] | undefined;
};

export type PatchWebhook = {
  /** At most 255 characters. */
  name?: string | undefined;
  /** At most 2000 characters. */
  url?: string | undefined;
  /** Event types, `<area>.*`, or `*` for all. 1 to 100 items. */
  events?: string[] | undefined;
  description?: string | null | undefined;
  /** At most 255 characters. */
  secret?: string | undefined;
  /** Only events of this space; null or "default": events of all spaces that the key can access. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** Headers added to each delivery; they cannot replace the headers of the service. */
  headers?: Record<string, string> | undefined;
  filters?: WebhookFilters | undefined;
  /** 0 to 10. */
  max_retries?: number | undefined;
  /** 10 to 3600. */
  retry_delay_seconds?: number | undefined;
  retry_schedule?: 'standard' | 'short' | undefined;
  payload_form?: 'object' | 'wrapped' | undefined;
  signature_form?: 'timestamped' | 'hex' | undefined;
  is_active?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  enabled?: boolean | undefined;
  /** @deprecated Alias of is_active. */
  status?: 'active' | 'paused' | undefined;
  /** Generates a new secret, unless `secret` is set. */
  rotate_secret?: boolean | undefined;
};

export type WebhookDelivery = {
  id: string;
  webhook_id: string;
  event_type: string;
  event_id: string;
  status: 'pending' | 'success' | 'failed' | 'retrying';
  attempt_count: number;
  /** @deprecated Alias of attempt_count. */
  attempt: number;
  payload: Record<string, unknown>;
  response_status: number | null;
  response_body: string | null;
  response_time_ms: number | null;
  error: string | null;
  /** @deprecated Alias of error. */
  error_message: string | null;
  next_attempt_at: string | null;
  /** @deprecated Alias of next_attempt_at. */
  next_retry_at: string | null;
  created_at: string;
  delivered_at: string | null;
};

export type Job = {
  id: string;
  kind: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  /** 0 to 1. */
  progress: number;
  attempt_count: number;
  /** @deprecated Alias of attempt_count. */
  attempts: number;
  /**
   * Why nobody begins the job. `no_worker`: no process has run jobs for half a minute, such as if
   * all have `MNEME_JOBS=off`. `queue_paused`: an operator has paused its queue. Null: it waits
   * for its turn, runs or has ended.
   */
  waiting_reason: 'no_worker' | 'queue_paused' | null;
  error: string | null;
  /** What a completed job reports, such as the receipt of an erasure. */
  result: Record<string, unknown> | null;
  created_at: string;
  finished_at: string | null;
};

export type Event = MemoryCreatedEvent | MemoryUpdatedEvent | MemoryDeletedEvent | MemoryRestoredEvent | MemoryAccessedEvent | MemoryReinforcedEvent | MemoryVerifiedEvent | MemorySupersededEvent | MemoryUpdateSuggestedEvent | MemoryExpiredEvent | MemoryBulkCreatedEvent | MemoryBulkUpdatedEvent | MemoryBulkDeletedEvent | MemoryBulkTagsUpdatedEvent | RelationshipCreatedEvent | RelationshipUpdatedEvent | RelationshipDeletedEvent | ClusterCreatedEvent | ClusterUpdatedEvent | ClusterDeletedEvent | ClusterMemoryAddedEvent | ClusterMemoryRemovedEvent | ClusterMergedEvent | SpaceCreatedEvent | SpaceUpdatedEvent | SpaceDeletedEvent | FeedbackSubmittedEvent | AudioUploadedEvent | AudioTranscribedEvent | ImportBatchStoredEvent | ImportCompletedEvent | EntityExtractedEvent;

/** A memory was stored. data: the memory. */
export type MemoryCreatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.created';
  data: Memory;
  previous_data: null;
  changes: null;
};

/** A memory changed. data: the memory; changes lists the changed fields. */
export type MemoryUpdatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.updated';
  data: Memory;
  previous_data: Memory;
  /** At least 1 items. */
  changes: Array<'content' | 'metadata' | 'tags' | 'priority' | 'space_id' | 'session_id' | 'occurred_at' | 'expires_at' | 'is_pinned' | 'protection_level' | 'enrichment'>;
};

/** A memory was deleted, softly or permanently. data: its id. */
export type MemoryDeletedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.deleted';
  data: {
    id: string;
    /** True: the memory can be restored. */
    soft: boolean;
    /** The program that sent the request, where it came through MCP. */
    client?: string | undefined;
  };
  previous_data: null;
  changes: null;
};

/** A soft-deleted memory is active again. data: the memory. */
export type MemoryRestoredEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.restored';
  data: Memory;
  previous_data: null;
  changes: null;
};

/** Memories were read or found. data: the ids, and the operation. */
export type MemoryAccessedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.accessed';
  data: {
    ids: string[];
    via: 'get' | 'search' | 'recall' | 'similar' | 'topic' | 'aggregate' | 'global';
    /** The query of a search that was restricted to the space of the event. */
    query?: string | undefined;
    topic?: string | undefined;
    /** The program that sent the request, where it came through MCP. */
    client?: string | undefined;
    /** The memory of a similarity search, in the event of its own space. */
    memory_id?: string | undefined;
  };
  previous_data: null;
  changes: null;
};

/** The priority of a memory was raised. data: its id and the new priority. */
export type MemoryReinforcedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.reinforced';
  data: {
    id: string;
    priority: number;
  };
  previous_data: null;
  changes: null;
};

/** A memory was verified. data: the memory. */
export type MemoryVerifiedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.verified';
  data: Memory;
  previous_data: null;
  changes: null;
};

/** A newer memory superseded a memory. data: its id, and the newer one’s. */
export type MemorySupersededEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.superseded';
  data: {
    id: string;
    superseded_by: string;
  };
  previous_data: null;
  changes: null;
};

/** A memory may outdate an older one. data: both ids, the confidence and the reason. */
export type MemoryUpdateSuggestedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.update_suggested';
  data: {
    newer_id: string;
    older_id: string;
    /** The estimated probability that the newer memory outdates the older one. */
    confidence: number;
    /**
     * ended: what the older memory says has ended; replaced: something else has taken its place;
     * corrected: it was wrong; other_value: the newer memory states something else of the same.
     */
    reason: 'ended' | 'replaced' | 'corrected' | 'other_value';
  };
  previous_data: null;
  changes: null;
};

/** A memory reached its expires_at and was erased. data: its id. */
export type MemoryExpiredEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.expired';
  data: {
    id: string;
  };
  previous_data: null;
  changes: null;
};

/** A bulk create completed. data: ids and count. */
export type MemoryBulkCreatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.bulk_created';
  data: {
    ids: string[];
    count: number;
  };
  previous_data: null;
  changes: null;
};

/** A bulk update completed. data: ids and count. */
export type MemoryBulkUpdatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.bulk_updated';
  data: {
    ids: string[];
    count: number;
  };
  previous_data: null;
  changes: null;
};

/** A bulk delete completed. data: ids and count. */
export type MemoryBulkDeletedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.bulk_deleted';
  data: {
    ids: string[];
    count: number;
  };
  previous_data: null;
  changes: null;
};

/** A bulk change of tags completed. data: ids and count. */
export type MemoryBulkTagsUpdatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.bulk_tags_updated';
  data: {
    ids: string[];
    count: number;
  };
  previous_data: null;
  changes: null;
};

/** A relationship was created. data: the relationship. */
export type RelationshipCreatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'relationship.created';
  data: Relationship;
  previous_data: null;
  changes: null;
};

/** A relationship changed. data: the relationship; changes lists the changed fields. */
export type RelationshipUpdatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'relationship.updated';
  data: Relationship;
  previous_data: Relationship;
  /** At least 1 items. */
  changes: Array<'weight' | 'description' | 'metadata' | 'usage_count' | 'last_reinforced_at'>;
};

/** A relationship was deleted. data: id, source_id, target_id, type. */
export type RelationshipDeletedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'relationship.deleted';
  data: {
    id: string;
    source_id: string;
    target_id: string;
    relationship_type: string;
    type: string;
  };
  previous_data: null;
  changes: null;
};

/** A cluster was created. data: the cluster. */
export type ClusterCreatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'cluster.created';
  data: Cluster;
  previous_data: null;
  changes: null;
};

/** A cluster changed. data: the cluster; changes lists the changed fields. */
export type ClusterUpdatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'cluster.updated';
  data: Cluster;
  previous_data: Cluster;
  /** At least 1 items. */
  changes: Array<'name' | 'description' | 'color' | 'metadata' | 'cluster_type' | 'memory_count' | 'silhouette_score' | 'dbcv_score' | 'cohesion_score' | 'topic_label' | 'topic_keywords' | 'centroid_available'>;
};

/** A cluster was deleted. data: its id. */
export type ClusterDeletedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'cluster.deleted';
  data: {
    id: string;
  };
  previous_data: null;
  changes: null;
};

/** A memory was added to a cluster. data: both ids, and the confidence. */
export type ClusterMemoryAddedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'cluster.memory_added';
  data: {
    cluster_id: string;
    memory_id: string;
    confidence: number;
  };
  previous_data: null;
  changes: null;
};

/** A memory was removed from a cluster. data: both ids. */
export type ClusterMemoryRemovedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'cluster.memory_removed';
  data: {
    cluster_id: string;
    memory_id: string;
  };
  previous_data: null;
  changes: null;
};

/** Clusters were merged. data: the resulting cluster, and the ids of the merged clusters. */
export type ClusterMergedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'cluster.merged';
  data: {
    id: string;
    name: string;
    description: string | null;
    space_id: string | null;
    cluster_type: 'manual' | 'hdbscan' | 'bertopic' | 'community';
    color: string | null;
    metadata: Record<string, unknown>;
    memory_count: number;
    silhouette_score: number | null;
    dbcv_score: number | null;
    cohesion_score: number | null;
    topic_label: string | null;
    topic_keywords: string[] | null;
    centroid_available: boolean;
    created_at: string;
    updated_at: string;
    source_ids: string[];
  };
  previous_data: null;
  changes: null;
};

/** A space was created. data: the space. */
export type SpaceCreatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'space.created';
  data: Space;
  previous_data: null;
  changes: null;
};

/** A space changed. data: the space; changes lists the changed fields. */
export type SpaceUpdatedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'space.updated';
  data: Space;
  previous_data: Space;
  /** At least 1 items. */
  changes: Array<'name' | 'description' | 'metadata' | 'memory_lifetime_days'>;
};

/** A space was deleted. data: its id. */
export type SpaceDeletedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'space.deleted';
  data: {
    id: string;
  };
  previous_data: null;
  changes: null;
};

/** Feedback on a memory was submitted. data: the feedback. */
export type FeedbackSubmittedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'feedback.submitted';
  data: Feedback;
  previous_data: null;
  changes: null;
};

/** An audio or video memory was stored. data: the memory. */
export type AudioUploadedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'audio.uploaded';
  data: Memory;
  previous_data: null;
  changes: null;
};

/** A recording was transcribed. data: the memory. */
export type AudioTranscribedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'audio.transcribed';
  data: Memory;
  previous_data: null;
  changes: null;
};

/** A batch of an import was stored. data: the import, the kind of record, the counts. */
export type ImportBatchStoredEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'import.batch_stored';
  data: {
    import_id: string;
    kind: 'spaces' | 'sessions' | 'memories' | 'relationships' | 'entities' | 'mentions' | 'assertions' | 'clusters' | 'cluster_members' | 'media' | 'tombstones' | 'transcripts' | 'interpretations' | 'segments';
    created: number;
    updated: number;
  };
  previous_data: null;
  changes: null;
};

/** An import completed. data: the import, and the counts of each kind. */
export type ImportCompletedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'import.completed';
  data: {
    import_id: string;
    records: ImportCounts[];
  };
  previous_data: null;
  changes: null;
};

/** Entities were extracted from a memory. data: memory_id and the entities. */
export type EntityExtractedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'entity.extracted';
  data: {
    memory_id: string;
    entities: Array<{
      id: string;
      name: string;
      type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    }>;
  };
  previous_data: null;
  changes: null;
};

/** An event about something that has been erased since: its ids, without content. */
export type ErasedEvent = {
  id: string;
  created_at: string;
  space_id: string | null;
  type: 'memory.created' | 'memory.updated' | 'memory.deleted' | 'memory.restored' | 'memory.accessed' | 'memory.reinforced' | 'memory.verified' | 'memory.superseded' | 'memory.update_suggested' | 'memory.expired' | 'memory.bulk_created' | 'memory.bulk_updated' | 'memory.bulk_deleted' | 'memory.bulk_tags_updated' | 'relationship.created' | 'relationship.updated' | 'relationship.deleted' | 'cluster.created' | 'cluster.updated' | 'cluster.deleted' | 'cluster.memory_added' | 'cluster.memory_removed' | 'cluster.merged' | 'space.created' | 'space.updated' | 'space.deleted' | 'feedback.submitted' | 'audio.uploaded' | 'audio.transcribed' | 'import.batch_stored' | 'import.completed' | 'entity.extracted';
  data: {
    id?: string | undefined;
    memory_id?: string | undefined;
    source_id?: string | undefined;
    target_id?: string | undefined;
    cluster_id?: string | undefined;
    session_id?: string | undefined;
    /** What a search found. */
    ids?: string[] | undefined;
    erased: true;
  };
  previous_data: null;
  changes: string[] | null;
};

/** The published codes of errors. */
export type ErrorCode =
  | 'missing_api_key'
  | 'missing_auth'
  | 'invalid_api_key'
  | 'expired_api_key'
  | 'revoked_api_key'
  | 'expired_token'
  | 'unauthorized'
  | 'insufficient_permissions'
  | 'space_access_denied'
  | 'user_access_denied'
  | 'quota_exceeded'
  | 'invalid_json'
  | 'invalid_request'
  | 'bad_request'
  | 'invalid_events'
  | 'not_found'
  | 'memory_not_found'
  | 'space_not_found'
  | 'cluster_not_found'
  | 'relationship_not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'duplicate_memory'
  | 'relationship_exists'
  | 'space_already_exists'
  | 'space_not_empty'
  | 'invalid_state_transition'
  | 'confirmation_required'
  | 'memory_protected'
  | 'idempotency_key_reused'
  | 'idempotency_in_progress'
  | 'precondition_failed'
  | 'checksum_mismatch'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'validation_error'
  | 'invalid_archive'
  | 'content_too_large'
  | 'invalid_embedding'
  | 'rate_limit_exceeded'
  | 'daily_limit_exceeded'
  | 'concurrent_limit_exceeded'
  | 'internal_error'
  | 'embedding_failed'
  | 'storage_error'
  | 'storage_damaged'
  | 'service_unavailable';

export type MemoriesCreateInput = {
  body: CreateMemory | FormData;
};

export type MemoriesCreateForm = {
  /**
   * The content of an audio or video memory until its transcript is available. At most 500
   * characters.
   */
  title?: string | undefined;
  /** Space id; null or "default" means the account level. */
  space_id?: null | string | undefined;
  /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
  space?: string | undefined;
  /** The end user whom the memory belongs to. At most 128 characters. */
  user_id?: string | undefined;
  /** The agent whom the memory belongs to. At most 128 characters. */
  agent_id?: string | undefined;
  /** The run or conversation that it belongs to. At most 128 characters. */
  run_id?: string | undefined;
  /** At most 100 items. */
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** 0 to 10. */
  priority?: number | undefined;
  session_id?: string | undefined;
  is_pinned?: boolean | undefined;
  protection_level?: 'none' | 'soft' | 'hard' | undefined;
  occurred_at?: string | undefined;
  /**
   * When the memory is to be forgotten, in the future. Default: the creation plus
   * memory_lifetime_days of its space; null: never. A hard-protected memory never expires.
   */
  expires_at?: string | null | undefined;
  /**
   * Ids of older memories that this one replaces: each gets a `supersedes` relationship from it,
   * or nothing is stored. At most 20 items.
   */
  supersedes?: string[] | undefined;
  /**
   * Whether older memories of the same owner and space that this one may outdate are looked for.
   * suggest: they are suggested; apply: those with a confidence of 0.9 or more are superseded at
   * once. Default: the account setting detect_updates; off for turns of a conversation: with
   * metadata.role, or with a session and a speaker.
   */
  detect_updates?: 'off' | 'suggest' | 'apply' | undefined;
  /** Accepts a file that is already stored. */
  allow_duplicate?: boolean | undefined;
};

export type MemoriesListInput = {
  query?: {
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** 1 to 100 items. */
    ids?: string[] | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    session_id?: string | undefined;
    /** Memories with all of these tags. At most 100 items. */
    tags?: string[] | undefined;
    /** Memories with one of these tags. At most 100 items. */
    tags_any?: string[] | undefined;
    content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video' | undefined;
    created_after?: string | undefined;
    created_before?: string | undefined;
    updated_after?: string | undefined;
    updated_before?: string | undefined;
    occurred_after?: string | undefined;
    occurred_before?: string | undefined;
    /** 0 to 10. */
    min_priority?: number | undefined;
    /** 0 to 1. */
    min_quality?: number | undefined;
    is_pinned?: boolean | undefined;
    /** @deprecated Alias of is_pinned. */
    pinned?: boolean | undefined;
    protected?: boolean | undefined;
    /**
     * Only memories that another memory supersedes or whose facts have all ended, or only the
     * others.
     */
    outdated?: boolean | undefined;
    /** Default: false. */
    include_deleted?: boolean | undefined;
    /**
     * occurred_at: the time of the content, else of the creation. salience: as it is when the
     * first page is read, of at most 100,000 memories; the cursor is valid for 10 minutes.
     * Default: "created_at".
     */
    sort?: 'created_at' | 'updated_at' | 'occurred_at' | 'priority' | 'salience' | undefined;
    /** Default: "desc". */
    order?: 'asc' | 'desc' | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** At most 1000 characters. */
    cursor?: string | undefined;
    /** A filter: the value of this key of the metadata. */
    [filter: `metadata.${string}`]: string;
  } | undefined;
};

export type MemoriesListResult = {
  data: Memory[];
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: CursorPagination;
};

export type MemoriesFacetsInput = {
  query?: {
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** 1 to 100 items. */
    ids?: string[] | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    session_id?: string | undefined;
    /** Memories with all of these tags. At most 100 items. */
    tags?: string[] | undefined;
    /** Memories with one of these tags. At most 100 items. */
    tags_any?: string[] | undefined;
    content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video' | undefined;
    created_after?: string | undefined;
    created_before?: string | undefined;
    updated_after?: string | undefined;
    updated_before?: string | undefined;
    occurred_after?: string | undefined;
    occurred_before?: string | undefined;
    /** 0 to 10. */
    min_priority?: number | undefined;
    /** 0 to 1. */
    min_quality?: number | undefined;
    is_pinned?: boolean | undefined;
    /** @deprecated Alias of is_pinned. */
    pinned?: boolean | undefined;
    protected?: boolean | undefined;
    /**
     * Only memories that another memory supersedes or whose facts have all ended, or only the
     * others.
     */
    outdated?: boolean | undefined;
    /** Default: false. */
    include_deleted?: boolean | undefined;
    /** A filter: the value of this key of the metadata. */
    [filter: `metadata.${string}`]: string;
  } | undefined;
};

export type MemoriesGetInput = {
  params: {
    id: string;
  };
};

export type MemoriesUpdateInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
  body: PatchMemory;
};

export type MemoriesRemoveInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    soft?: boolean | undefined;
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
};

export type MemoriesRemoveResult = Memory | undefined;

export type MemoriesRestoreInput = {
  params: {
    id: string;
  };
};

export type MemoriesPinInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
};

export type MemoriesUnpinInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
};

export type MemoriesProtectInput = {
  params: {
    id: string;
  };
  body: {
    protection_level: 'none' | 'soft' | 'hard';
  };
};

export type MemoriesVerifyInput = {
  params: {
    id: string;
  };
};

export type MemoriesFeedbackInput = {
  params: {
    id: string;
  };
  body: {
    helpful: boolean;
    /** At most 1000 characters. */
    query?: string | undefined;
    /** At most 2000 characters. */
    comment?: string | undefined;
  };
};

export type MemoriesBulkCreateInput = {
  query?: {
    /** Default: false. */
    atomic?: boolean | undefined;
  } | undefined;
  body: {
    /** 1 to 100 items. */
    memories: CreateMemory[];
  };
};

export type MemoriesBulkCreateResult = {
  created: number;
  memories: Memory[];
  failed: Array<{
    index: number;
    id?: string | undefined;
    error: {
      code: string;
      message: string;
      details?: Record<string, unknown> | undefined;
    };
  }>;
};

export type MemoriesBulkUpdateInput = {
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
  body: {
    /** 1 to 100 items. */
    ids: string[];
    set: {
      /** At most 100 items. */
      tags?: string[] | undefined;
      /** 0 to 10. */
      priority?: number | undefined;
      metadata?: Record<string, unknown> | undefined;
      /** Space id; null or "default" means the account level. */
      space_id?: null | string | undefined;
      /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
      space?: string | undefined;
    };
  };
};

export type MemoriesBulkUpdateResult = {
  updated: number;
  failed: Array<{
    index: number;
    id?: string | undefined;
    error: {
      code: string;
      message: string;
      details?: Record<string, unknown> | undefined;
    };
  }>;
};

export type MemoriesBulkDeleteInput = {
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
  body: {
    /** 1 to 100 items. */
    ids: string[];
    /** Default: false. */
    soft?: boolean | undefined;
  };
};

export type MemoriesBulkDeleteResult = {
  deleted: number;
  failed: Array<{
    index: number;
    id?: string | undefined;
    error: {
      code: string;
      message: string;
      details?: Record<string, unknown> | undefined;
    };
  }>;
  /** The job that erases permanently deleted memories. */
  job_id: string | null;
};

export type MemoriesBulkTagsInput = {
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
  body: {
    /** 1 to 100 items. */
    ids: string[];
    /** At most 100 items. */
    add?: string[] | undefined;
    /** At most 100 items. */
    remove?: string[] | undefined;
  };
};

export type MemoriesBulkTagsResult = {
  updated: number;
  failed: Array<{
    index: number;
    id?: string | undefined;
    error: {
      code: string;
      message: string;
      details?: Record<string, unknown> | undefined;
    };
  }>;
};

export type MemoriesFromMessagesInput = {
  body: FromMessages;
};

export type MemoriesFromMessagesResult = {
  /** The memories of the messages, in their order. */
  turns: string[];
  memories: DerivedMemory[];
};

export type MemoriesEraseInput = {
  body: EraseMemories;
};

export type MemoriesEraseResult = EraseDryRun | QueuedErasure;

export type MemoriesStartChangeInput = {
  body: StartBulkChange;
};

export type MemoriesStartChangeResult = BulkChangeCount | BulkChange;

export type MemoriesGetChangeInput = {
  params: {
    changeId: string;
  };
};

export type MemoriesUndoChangeInput = {
  params: {
    changeId: string;
  };
};

export type MemoriesSuggestionsInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: "open". */
    status?: 'open' | 'accepted' | 'dismissed' | 'applied' | undefined;
  } | undefined;
};

export type MemoriesAcceptSuggestionInput = {
  params: {
    /** The newer memory. */
    id: string;
    /** The older memory. */
    olderId: string;
  };
};

export type MemoriesDismissSuggestionInput = {
  params: {
    /** The newer memory. */
    id: string;
    /** The older memory. */
    olderId: string;
  };
};

export type MemoriesTopicsInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    refresh?: boolean | undefined;
    /** 0 to 1. Default: 0.5. */
    min_relevance?: number | undefined;
    /** Only topics of these categories, separated by commas. At most 4 items. */
    categories?: Array<'concept' | 'entity' | 'action' | 'attribute'> | undefined;
  } | undefined;
};

export type MemoriesTopicsResult = {
  memory_id: string;
  /** @deprecated Alias of data. */
  topics: Topic[];
  extracted_at: string;
  /** The model that produced the result: local, or the name of a model. */
  model: string;
  data: Topic[];
  pagination: OnePagePagination;
};

export type MemoriesEnrichInput = {
  params: {
    id: string;
  };
  body: {
    /** 1 to 4 items. */
    operations: Array<'topics' | 'summary' | 'entities' | 'quality'>;
  };
};

export type MemoriesEnrichResult = {
  memory_id: string;
  enrichments: {
    topics?: {
      success: boolean;
      data?: Topic[] | undefined;
      error?: {
        code: string;
        message: string;
        details?: Record<string, unknown> | undefined;
      } | undefined;
    } | undefined;
    summary?: {
      success: boolean;
      data?: string | undefined;
      error?: {
        code: string;
        message: string;
        details?: Record<string, unknown> | undefined;
      } | undefined;
    } | undefined;
    entities?: {
      success: boolean;
      data?: Array<{
        name: string;
        type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
        /** 0 to 1. */
        confidence: number;
      }> | undefined;
      error?: {
        code: string;
        message: string;
        details?: Record<string, unknown> | undefined;
      } | undefined;
    } | undefined;
    quality?: {
      success: boolean;
      data?: {
        /** 0 to 1. */
        score: number;
        factors: {
          /** How specific and detailed the content is. 0 to 1. */
          specificity: number;
          /** How clearly the content is expressed. 0 to 1. */
          clarity: number;
          /** How useful the content is for decisions. 0 to 1. */
          actionability: number;
        };
      } | undefined;
      error?: {
        code: string;
        message: string;
        details?: Record<string, unknown> | undefined;
      } | undefined;
    } | undefined;
  };
  processed_at: string;
  /** The model that produced the result: local, or the name of a model. */
  model: string;
} | {
  job_id: string;
  memory_id: string;
  status: 'queued';
};

export type MemoriesQualityInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    refresh?: boolean | undefined;
    /** @deprecated Alias of refresh. */
    recalculate?: boolean | undefined;
  } | undefined;
};

export type MemoriesQualityResult = {
  memory_id: string;
  /** 0 to 1. */
  quality_score: number;
  factors: {
    /** How specific and detailed the content is. 0 to 1. */
    specificity: number;
    /** How clearly the content is expressed. 0 to 1. */
    clarity: number;
    /** How useful the content is for decisions. 0 to 1. */
    actionability: number;
    /** How much the content differs from other memories. 0 to 1. */
    uniqueness: number;
  };
  computed_at: string;
  /** @deprecated Alias of computed_at. */
  calculated_at: string;
};

export type MediaStreamInput = {
  params: {
    id: string;
  };
  headers?: {
    /** ETags: responds with 412 if none matches. At most 1000 characters. */
    'if-match'?: string | undefined;
    /** ETags: responds with 304 without a body if one matches. At most 1000 characters. */
    'if-none-match'?: string | undefined;
    /**
     * A single byte range, such as `bytes=0-499`. Several ranges return the whole content. At most
     * 1000 characters.
     */
    range?: string | undefined;
    /**
     * An ETag: returns the range only if it matches, otherwise the whole content. At most 1000
     * characters.
     */
    'if-range'?: string | undefined;
  } | undefined;
};

export type MediaLinkInput = {
  params: {
    id: string;
  };
  query?: {
    /** 60 to 86400. Default: 900. */
    expires_in?: number | undefined;
  } | undefined;
};

export type MediaRecordingMetadataInput = {
  params: {
    id: string;
  };
};

export type MediaTranscriptInput = {
  params: {
    id: string;
  };
};

export type MediaTranscriptResult = Transcript | MediaPending;

export type MediaTranscribeInput = {
  params: {
    id: string;
  };
  body?: TranscribeOptions | undefined;
};

export type MediaVideoInput = {
  params: {
    id: string;
  };
  headers?: {
    /** ETags: responds with 412 if none matches. At most 1000 characters. */
    'if-match'?: string | undefined;
    /** ETags: responds with 304 without a body if one matches. At most 1000 characters. */
    'if-none-match'?: string | undefined;
    /**
     * A single byte range, such as `bytes=0-499`. Several ranges return the whole content. At most
     * 1000 characters.
     */
    range?: string | undefined;
    /**
     * An ETag: returns the range only if it matches, otherwise the whole content. At most 1000
     * characters.
     */
    'if-range'?: string | undefined;
  } | undefined;
};

export type MediaThumbnailInput = {
  params: {
    id: string;
  };
};

export type MediaMetadataInput = {
  params: {
    id: string;
  };
};

export type MediaVideoTranscriptInput = {
  params: {
    id: string;
  };
};

export type MediaVideoTranscriptResult = Transcript | MediaPending;

export type MediaVideoTranscribeInput = {
  params: {
    id: string;
  };
  body?: TranscribeOptions | undefined;
};

export type MediaInterpretInput = {
  params: {
    id: string;
  };
};

export type MediaInterpretationInput = {
  params: {
    id: string;
  };
};

export type MediaInterpretationResult = VideoInterpretation | MediaPending;

export type MediaClipInput = {
  params: {
    id: string;
  };
  query: {
    /** Seconds from the start. Without start and end: the whole recording. 0 to 86400. */
    start?: number | undefined;
    /** 0 to 86400. */
    end?: number | undefined;
    /** 0 to 99999999999. */
    expires: number;
    /** At most 100 characters. */
    signature: string;
  };
  headers?: {
    /** ETags: responds with 412 if none matches. At most 1000 characters. */
    'if-match'?: string | undefined;
    /** ETags: responds with 304 without a body if one matches. At most 1000 characters. */
    'if-none-match'?: string | undefined;
    /**
     * A single byte range, such as `bytes=0-499`. Several ranges return the whole content. At most
     * 1000 characters.
     */
    range?: string | undefined;
    /**
     * An ETag: returns the range only if it matches, otherwise the whole content. At most 1000
     * characters.
     */
    'if-range'?: string | undefined;
  } | undefined;
};

export type MediaCreateUploadInput = {
  headers?: {
    /** The protocol version. Without it the server responds with 412. */
    'tus-resumable'?: '1.0.0' | undefined;
    /** Length of the whole file in bytes. */
    'upload-length'?: string | undefined;
    /** Defers Upload-Length to a later PATCH. */
    'upload-defer-length'?: '1' | undefined;
    /**
     * `partial` for a part of a concatenation, or `final;` and the URLs of the parts, separated by
     * spaces, which become one file. A final upload has no length. At most 20000 characters.
     */
    'upload-concat'?: string | undefined;
    /**
     * Hash of the bytes in this request. On a mismatch the server responds with 460 and discards
     * them.
     */
    'upload-checksum'?: string | undefined;
    /**
     * Pairs `name base64`, separated by commas: filename, and the fields of an upload (tags and
     * metadata as JSON). Other names and empty values are ignored. At most 100000 characters.
     */
    'upload-metadata'?: string | undefined;
  } | undefined;
  body?: RawBody | undefined;
};

export type MediaGetUploadInput = {
  params: {
    id: string;
  };
};

export type MediaAppendUploadInput = {
  params: {
    id: string;
  };
  headers: {
    /** The protocol version. Without it the server responds with 412. */
    'tus-resumable'?: '1.0.0' | undefined;
    /** Offset of the first byte in the whole file. */
    'upload-offset': string;
    /** Length of the whole file in bytes, if the creation deferred it. */
    'upload-length'?: string | undefined;
    /**
     * Hash of the bytes in this request. On a mismatch the server responds with 460 and discards
     * them.
     */
    'upload-checksum'?: string | undefined;
  };
  body: RawBody;
};

export type MediaRemoveUploadInput = {
  params: {
    id: string;
  };
  headers?: {
    /** The protocol version. Without it the server responds with 412. */
    'tus-resumable'?: '1.0.0' | undefined;
  } | undefined;
};

export type RelationshipsCreateInput = {
  params: {
    memoryId: string;
  };
  body: CreateRelationship;
};

export type RelationshipsBatchInput = {
  body: {
    /** 1 to 100 items. */
    relationships: BatchRelationship[];
  };
};

export type RelationshipsBatchResult = {
  succeeded: CreatedRelationship[];
  failed: Array<{
    index: number;
    id?: string | undefined;
    error: {
      code: string;
      message: string;
      details?: Record<string, unknown> | undefined;
    };
  }>;
};

export type RelationshipsListInput = {
  params: {
    memoryId: string;
  };
  query?: {
    /** Default: "both". */
    direction?: 'outgoing' | 'incoming' | 'both' | undefined;
    relationship_type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string | undefined;
    /** @deprecated Alias of relationship_type. */
    type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string | undefined;
  } | undefined;
};

export type RelationshipsListResult = {
  memory_id: string;
  outgoing?: Relationship[] | undefined;
  incoming?: Relationship[] | undefined;
  /** @deprecated Alias of pagination.total. */
  total: number;
  data: Relationship[];
  pagination: OnePagePagination;
};

export type RelationshipsRelatedInput = {
  params: {
    memoryId: string;
  };
  query?: {
    /** 1 to 5. Default: 2. */
    hops?: number | undefined;
    /** @deprecated Alias of hops. 1 to 5. */
    depth?: number | undefined;
    /** Default: "both". */
    direction?: 'outgoing' | 'incoming' | 'both' | undefined;
    relationship_type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string | undefined;
    /** @deprecated Alias of relationship_type. */
    type?: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string | undefined;
    /** Follows only relationships of at least this weight, after decay. 0 to 1000000000. */
    min_weight?: number | undefined;
    /** 1 to 500. Default: 500. */
    limit?: number | undefined;
  } | undefined;
};

export type RelationshipsRelatedResult = {
  memory_id: string;
  hops: number;
  /** @deprecated Alias of hops. */
  depth: number;
  /** @deprecated Alias of data. */
  memories: Array<{
    memory: Memory;
    /** Number of relationships on the shortest path. */
    hops: number;
    /** @deprecated Alias of hops. */
    depth: number;
    /** Ids of the relationships on the best path, in order. */
    path: string[];
    /** Product of the strengths along the path. 0 to 1. */
    score: number;
  }>;
  /** Every relationship that a path contains, once. */
  relationships: Relationship[];
  /** Whether more memories are reachable than are listed. */
  truncated: boolean;
  data: Array<{
    memory: Memory;
    /** Number of relationships on the shortest path. */
    hops: number;
    /** @deprecated Alias of hops. */
    depth: number;
    /** Ids of the relationships on the best path, in order. */
    path: string[];
    /** Product of the strengths along the path. 0 to 1. */
    score: number;
  }>;
  pagination: OnePagePagination;
};

export type RelationshipsUpdateInput = {
  params: {
    sourceId: string;
    targetId: string;
    type: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string;
  };
  body: PatchRelationship;
};

export type RelationshipsRemoveInput = {
  params: {
    sourceId: string;
    targetId: string;
    type: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string;
  };
};

export type RelationshipsWeakenInput = {
  params: {
    sourceId: string;
    targetId: string;
    type: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string;
  };
  body?: {
    /** 0 to 1000000000. Default: 0.1. */
    amount?: number | undefined;
  } | undefined;
};

export type RelationshipsReinforceInput = {
  params: {
    sourceId: string;
    targetId: string;
    type: 'related_to' | 'parent_of' | 'child_of' | 'supersedes' | 'references' | 'derived_from' | 'contradicts' | 'supports' | 'similar_to' | 'depends_on' | 'caused_by' | 'leads_to' | 'superseded_by' | 'referenced_by' | 'source_of' | 'dependency_of' | 'supported_by' | string;
  };
  body?: {
    /** 0 to 1000000000. Default: 0.1. */
    amount?: number | undefined;
  } | undefined;
};

export type KnowledgeEntitiesInput = {
  query?: {
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    type?: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date' | undefined;
    /** Part of a name or alias, case-insensitive. At most 255 characters. */
    q?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 200. Default: 100. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type KnowledgeEntitiesResult = {
  /** @deprecated Alias of pagination.total. */
  total: number;
  /** @deprecated Alias of pagination.limit. */
  limit: number;
  /** @deprecated Alias of pagination.offset. */
  offset: number;
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of data. */
  entities: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
  }>;
  data: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
  }>;
  pagination: OffsetPagination;
};

export type KnowledgeEntitiesItem = {
  id: string;
  name: string;
  type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
  created_at: string;
};

export type KnowledgeCountInput = {
  query: {
    /**
     * An entity type, or a noun phrase that is matched to types and names, singular or plural. At
     * most 200 characters.
     */
    countable_category: string;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Only entities mentioned at this time or later. */
    time_start?: string | undefined;
    /** Only entities mentioned before this time. */
    time_end?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  };
};

export type KnowledgeCountResult = {
  countable_category: string;
  count: number;
  time_start: string | null;
  time_end: string | null;
};

export type KnowledgeAtTimeInput = {
  query?: {
    /** Time in the world (valid time); default: now. */
    as_of?: string | undefined;
    /** Time of the knowledge of the service (transaction time); default: now. */
    known_at?: string | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    type?: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date' | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 200. Default: 100. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type KnowledgeAtTimeResult = {
  as_of: string;
  known_at: string;
  /** @deprecated Alias of data. */
  entities: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
  }>;
  /** @deprecated Alias of pagination.total. */
  total: number;
  data: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
  }>;
  pagination: OffsetPagination;
};

export type KnowledgeAtTimeItem = {
  id: string;
  name: string;
  type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
  created_at: string;
};

export type KnowledgeGetInput = {
  params: {
    id: string;
  };
};

export type KnowledgeTimelineInput = {
  params: {
    id: string;
  };
  query?: {
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 200. Default: 100. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type KnowledgeTimelineResult = {
  entity_id: string;
  /** @deprecated Alias of data. */
  entries: Array<{
    at: string;
    kind: 'entity_created' | 'fact_added' | 'fact_invalidated' | 'merged' | 'renamed';
    fact?: Fact | undefined;
    detail: string;
  }>;
  /** @deprecated Alias of pagination.total. */
  total: number;
  data: Array<{
    at: string;
    kind: 'entity_created' | 'fact_added' | 'fact_invalidated' | 'merged' | 'renamed';
    fact?: Fact | undefined;
    detail: string;
  }>;
  pagination: OffsetPagination;
};

export type KnowledgeTimelineItem = {
  at: string;
  kind: 'entity_created' | 'fact_added' | 'fact_invalidated' | 'merged' | 'renamed';
  fact?: Fact | undefined;
  detail: string;
};

export type KnowledgeRelationshipsInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: "both". */
    direction?: 'outgoing' | 'incoming' | 'both' | undefined;
    /** Only relationships from memories of this CLI session. */
    session_id?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 200. Default: 200. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type KnowledgeRelationshipsResult = {
  entity_id: string;
  /** @deprecated Alias of data. */
  relationships: EntityRelationship[];
  /** @deprecated Alias of pagination.total. */
  total: number;
  data: EntityRelationship[];
  pagination: OffsetPagination;
};

export type KnowledgeFactsInput = {
  params: {
    id: string;
  };
  query?: {
    /**
     * Extraction uses works_at, reports_to, collaborates_with, located_in, uses, knows, part_of,
     * related_to, lives_in, job_title, partner_of, parent_of, pet, allergic_to, likes, dislikes,
     * prefers, owns, studies, birthday, plans, decided.
     */
    predicate?: string | undefined;
    /** Only facts that were valid at this time. */
    as_of?: string | undefined;
    /** Facts that the service considered true at this time; default: now. */
    known_at?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 200. Default: 50. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type KnowledgeFactsResult = {
  entity_id: string;
  /** @deprecated Alias of data. */
  facts: Fact[];
  /** @deprecated Alias of pagination.total. */
  total: number;
  data: Fact[];
  pagination: OffsetPagination;
};

export type KnowledgeCreateInput = {
  body: {
    /** At most 255 characters. */
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    /** At most 100 items. Default: []. */
    aliases?: string[] | undefined;
    /** Space id; null or "default" means the account level. */
    space_id?: null | string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
  };
};

export type KnowledgeUpdateInput = {
  params: {
    id: string;
  };
  body: {
    /** At most 255 characters. */
    name?: string | undefined;
    type?: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date' | undefined;
    /** Replaces the stored aliases. At most 100 items. */
    aliases?: string[] | undefined;
  };
};

export type KnowledgeCreateFactInput = {
  body: CreateFact;
};

export type KnowledgeRemoveFactInput = {
  params: {
    id: string;
  };
};

export type KnowledgeExtractInput = {
  body: {
    memory_id: string;
  };
};

export type KnowledgeExtractResult = {
  memory_id: string;
  model: string;
  entities: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
    /** 0 to 1. */
    confidence: number;
  }>;
  facts: Fact[];
};

export type KnowledgeMergeInput = {
  body: {
    source_id: string;
    target_id: string;
    /** Both entities must be in this space. */
    space_id?: null | string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Merges entities of different types, too. Default: false. */
    force?: boolean | undefined;
  };
};

export type KnowledgeMergeResult = {
  merged: true;
  target_id: string;
  source_id: string;
};

export type KnowledgeMergeEntitiesInput = {
  body: {
    source_id: string;
    target_id: string;
    /** Both entities must be in this space. */
    space_id?: null | string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Merges entities of different types, too. Default: false. */
    force?: boolean | undefined;
  };
};

export type KnowledgeMergeEntitiesResult = {
  merged: true;
  target_id: string;
  source_id: string;
};

export type KnowledgeSubgraphInput = {
  params: {
    entityId: string;
  };
  query?: {
    /** 1 to 5. Default: 2. */
    hops?: number | undefined;
    /** Default: true. */
    include_relationships?: boolean | undefined;
    /** @deprecated Alias of include_relationships. */
    includeRelationships?: boolean | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type KnowledgeSubgraphResult = {
  root: string;
  nodes: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
    hops: number;
  }>;
  /** Edges between the nodes; empty if not requested. */
  edges: Array<{
    /** The id of the underlying fact. */
    id: string;
    source_id: string;
    target_id: string;
    relationship_type: string;
    /** 0 to 1. */
    weight: number;
  }>;
  /** Whether more entities are reachable than are listed. */
  truncated: boolean;
};

export type KnowledgePathInput = {
  query: {
    from: string;
    to: string;
    /** 1 to 10. Default: 5. */
    max_hops?: number | undefined;
    /** @deprecated Alias of max_hops. 1 to 10. */
    maxHops?: number | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  };
};

export type KnowledgePathResult = {
  from: string;
  to: string;
  length: number;
  /** Entities along the path, from `from` to `to`. */
  nodes: Array<{
    id: string;
    name: string;
    type: 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date';
    created_at: string;
  }>;
  edges: Array<{
    /** The id of the underlying fact. */
    id: string;
    source_id: string;
    target_id: string;
    relationship_type: string;
    /** 0 to 1. */
    weight: number;
  }>;
};

export type KnowledgeNeighbourhoodInput = {
  query?: {
    /** The centre is this memory. */
    memory_id?: string | undefined;
    /** The centre is this entity. */
    entity_id?: string | undefined;
    /** 1 to 3. Default: 1. */
    hops?: number | undefined;
    /** @deprecated Alias of hops. 1 to 3. */
    depth?: number | undefined;
    /**
     * The most nodes, the centre included; at most four edges for each of them. 1 to 500. Default:
     * 100.
     */
    limit?: number | undefined;
    /** Comma-separated; only nodes of these types, in addition to the centre. 1 to 9 items. */
    node_types?: Array<'memory' | 'person' | 'organization' | 'location' | 'product' | 'concept' | 'event' | 'skill' | 'date'> | undefined;
    /**
     * Comma-separated predicates of facts and types of relationships, or `mentions`; only edges of
     * these types. 1 to 100 items.
     */
    relationship_types?: string[] | undefined;
    /**
     * Time in the world: facts that held then, and memories of what had happened by then. Default:
     * facts that hold now, and all memories.
     */
    as_of?: string | undefined;
    /** Time of the knowledge of the service: what was stored by then; default: now. */
    known_at?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type KnowledgeOfMemoryInput = {
  params: {
    id: string;
  };
};

export type ClustersCreateInput = {
  body: CreateCluster;
};

export type ClustersListInput = {
  query?: {
    /** Text in the name or description, case-insensitive. At most 1000 characters. */
    q?: string | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    cluster_type?: 'manual' | 'hdbscan' | 'bertopic' | 'community' | undefined;
    has_memories?: boolean | undefined;
    /** Comma-separated; matches any of the colors. #abc and #aabbcc are equal. 1 to 20 items. */
    color?: string[] | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    include?: Array<'quality_metrics' | 'topic_info'> | undefined;
    /**
     * name is case-insensitive; clusters without a score are last in either order. Default:
     * "name".
     */
    sort?: 'name' | 'created_at' | 'updated_at' | 'memory_count' | 'silhouette_score' | undefined;
    /** Default: "asc". */
    order?: 'asc' | 'desc' | undefined;
    /** 1 to 100. Default: 50. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    /** Cursor of the next page, instead of an offset. At most 1000 characters. */
    cursor?: string | undefined;
  } | undefined;
};

export type ClustersListResult = {
  data: ClusterWithMore[];
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: {
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /**
     * The `cursor` of the next page. A list that grows at its end has one after its last page,
     * too.
     */
    next_cursor: string | null;
  };
};

export type ClustersGetInput = {
  params: {
    clusterId: string;
  };
  query?: {
    /** Default: false. */
    include_memories?: boolean | undefined;
    include?: Array<'quality_metrics' | 'topic_info'> | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    /** Default: "added_at". */
    sort?: 'added_at' | 'confidence' | 'created_at' | 'updated_at' | undefined;
    /** Default: "desc". */
    order?: 'asc' | 'desc' | undefined;
  } | undefined;
};

export type ClustersUpdateInput = {
  params: {
    clusterId: string;
  };
  body: PatchCluster;
};

export type ClustersRemoveInput = {
  params: {
    clusterId: string;
  };
};

export type ClustersMergeInput = {
  params: {
    clusterId: string;
  };
  body: {
    /** 1 to 100 items. */
    source_ids: string[];
  };
};

export type ClustersMemoriesInput = {
  params: {
    clusterId: string;
  };
  query?: {
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 100. Default: 50. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    /** Default: "added_at". */
    sort?: 'added_at' | 'confidence' | 'created_at' | 'updated_at' | undefined;
    /** Default: "desc". */
    order?: 'asc' | 'desc' | undefined;
  } | undefined;
};

export type ClustersMemoriesResult = {
  cluster_id: string;
  cluster_name: string;
  /** @deprecated Alias of data. */
  memories: ClusteredMemory[];
  pagination: {
    total: number;
    limit: number;
    offset: number;
    has_more: boolean;
    /** Number of memories on this page. */
    count: number;
    /** The next page is at `offset` + `limit`. */
    next_cursor: null;
  };
  data: ClusteredMemory[];
};

export type ClustersAssociateInput = {
  params: {
    id: string;
  };
  body: {
    /** 1 to 100 items. */
    cluster_ids: string[];
    /** 0 to 1. Default: 1. */
    confidence?: number | undefined;
  };
};

export type ClustersAssociateResult = {
  memory_id: string;
  clusters: Array<{
    cluster_id: string;
    confidence: number;
    added_at: string;
  }>;
};

export type ClustersOfMemoryInput = {
  params: {
    id: string;
  };
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type ClustersOfMemoryResult = {
  memory_id: string;
  data: ClusterOfMemory[];
  pagination: OffsetPagination;
};

export type ClustersDissociateInput = {
  params: {
    id: string;
    clusterId: string;
  };
};

export type ClustersStatsInput = {
  query?: {
    include?: 'color_distribution'[] | undefined;
  } | undefined;
};

export type ClustersQualityInput = {
  params: {
    clusterId: string;
  };
};

export type ClustersQualityResult = {
  silhouette_score: number | null;
  dbcv_score: number | null;
  cohesion_score: number | null;
  computed_at: string | null;
  cluster_id: string;
};

export type ClustersTopicsInput = {
  params: {
    clusterId: string;
  };
};

export type ClustersTopicsResult = {
  topic_label: string | null;
  topic_keywords: string[] | null;
  representation: {
    terms: Array<{
      term: string;
      weight: number;
    }>;
    memory_ids: string[];
  } | null;
  cluster_id: string;
};

export type ClustersRefreshMetricsInput = {
  params: {
    clusterId: string;
  };
};

export type ClustersRefreshMetricsResult = {
  status: 'queued';
  job_id: string;
  cluster_id: string;
  message: string;
};

export type ClustersRecomputeCentroidInput = {
  params: {
    clusterId: string;
  };
};

export type ClustersRecomputeCentroidResult = {
  status: 'queued';
  job_id: string;
  cluster_id: string;
  message: string;
};

export type ClustersMapInput = {
  query?: {
    /** The map of this space; without it, the map of the whole account. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type ClustersFullInput = {
  body?: {
    /** Space id; null or "default" means the account level. */
    space_id?: null | string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** @deprecated Alias of space_id. */
    team_space_id?: null | string | undefined;
    algorithm?: 'hdbscan' | 'bertopic' | 'community' | undefined;
    /** 2 to 1000. */
    min_cluster_size?: number | undefined;
  } | undefined;
};

export type ClustersFullResult = {
  status: 'queued';
  job_id: string;
  message: string;
  params: {
    space_id: string | null;
    memory_count: number;
    algorithm?: 'hdbscan' | 'bertopic' | 'community' | undefined;
    min_cluster_size?: number | undefined;
  };
};

export type ClustersIncrementalInput = {
  body?: {
    /** Space id; null or "default" means the account level. */
    space_id?: null | string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** @deprecated Alias of space_id. */
    team_space_id?: null | string | undefined;
    /** Memories to assign; default: all that are in no cluster. 1 to 1000 items. */
    memory_ids?: string[] | undefined;
  } | undefined;
};

export type ClustersIncrementalResult = {
  status: 'queued';
  job_id: string;
  message: string;
  params: {
    space_id: string | null;
    memory_count: number;
    algorithm?: 'hdbscan' | 'bertopic' | 'community' | undefined;
    min_cluster_size?: number | undefined;
  };
};

export type ClustersStatusInput = {
};

export type ClustersStatusResult = {
  run: ClusterRun | null;
  totals: {
    clusters: number;
    manual_clusters: number;
    automatic_clusters: number;
    memories: number;
    clustered_memories: number;
    unclustered_memories: number;
  };
};

export type ClustersRunsInput = {
  query?: {
    status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
    kind?: 'full' | 'incremental' | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type ClustersRunsResult = {
  data: ClusterRun[];
  pagination: OffsetPagination;
};

export type ClustersConfigInput = {
};

export type ClustersConfigureInput = {
  body: {
    algorithm?: 'hdbscan' | 'bertopic' | 'community' | undefined;
    /** 2 to 1000. */
    min_cluster_size?: number | undefined;
    auto_enabled?: boolean | undefined;
  };
};

export type SearchGetInput = {
  query: {
    /** At most 1000 characters. */
    q: string;
    /** At least 1 items. */
    include?: Array<'memories' | 'audio'> | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** At most 100 items. */
    tags?: string[] | undefined;
    /** At most 100 items. */
    tags_any?: string[] | undefined;
    content_type?: 'text' | 'markdown' | 'url' | 'audio' | 'image' | 'video' | undefined;
    created_after?: string | undefined;
    created_before?: string | undefined;
    occurred_after?: string | undefined;
    occurred_before?: string | undefined;
    /** 0 to 10. */
    min_priority?: number | undefined;
    /** 1 to 100. */
    limit?: number | undefined;
    /** 0 to 10000. Default: 0. */
    offset?: number | undefined;
    /** Minimum score, 0 to 1. At 0 nothing is cut, and the nearest others fill the page. 0 to 1. */
    threshold?: number | undefined;
    /** Adds why_matched to each result: what each feature adds to its score. Default: false. */
    explain?: boolean | undefined;
    /** A memory whose place is explained in `why`, also where it is no result. */
    why?: string | undefined;
    /**
     * Asks for what held at this time: what was superseded later stands before what supersedes it,
     * and memories of a later time rank behind. The time of a memory is its occurred_at, else its
     * created_at.
     */
    as_of?: string | undefined;
    /**
     * Searches also with up to three texts that the language model of the service makes of the
     * query: the same question in other words, or the questions that it consists of. `rewrite` of
     * the response says whether it did; without a model, or if it fails, the results are those of
     * the query alone. Default: false.
     */
    rewrite?: boolean | undefined;
    /**
     * Whether the reranker of the service reorders the best results; by default if there is one.
     * `rerank` of the response says whether it did.
     */
    rerank?: boolean | undefined;
    /**
     * precise, balanced, broad, or a preset of the account. Unknown names are rejected. At most 64
     * characters.
     */
    pipeline?: string | undefined;
    /**
     * Adds the memories that are found to the activation session with this key. At most 128
     * characters.
     */
    session_key?: string | undefined;
    /** @deprecated Alias of session_key. At most 128 characters. */
    session?: string | undefined;
    /**
     * false: omits memories that another memory supersedes; what supersedes them takes their
     * place. Default: true.
     */
    include_superseded?: boolean | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** A filter: the value of this key of the metadata. */
    [filter: `metadata.${string}`]: string;
  };
};

export type SearchGetResult = {
  /** @deprecated Alias of data. */
  results: Array<SearchResult | AudioSegmentResult>;
  /** Number of matches by kind; others that fill the page are not counted. */
  facets: {
    memories: number;
    audio_segments: number;
  };
  /** For requests with `why`: as the query alone ranks it. */
  why?: ResultPlacement | undefined;
  /** For requests with `rewrite`. */
  rewrite?: RewriteReport | undefined;
  /** For requests with `rerank`, and for all others if the service has a reranker. */
  rerank?: RerankReport | undefined;
  pagination: OffsetPagination;
  data: Array<SearchResult | AudioSegmentResult>;
};

export type SearchPostInput = {
  body: SearchRequest;
};

export type SearchPostResult = {
  /** @deprecated Alias of data. */
  results: Array<SearchResult | AudioSegmentResult>;
  /** Number of matches by kind; others that fill the page are not counted. */
  facets: {
    memories: number;
    audio_segments: number;
  };
  /** For requests with `why`: as the query alone ranks it. */
  why?: ResultPlacement | undefined;
  /** For requests with `rewrite`. */
  rewrite?: RewriteReport | undefined;
  /** For requests with `rerank`, and for all others if the service has a reranker. */
  rerank?: RerankReport | undefined;
  pagination: OffsetPagination;
  data: Array<SearchResult | AudioSegmentResult>;
};

export type SearchRecallInput = {
  body: RecallRequest;
};

export type SearchBatchInput = {
  body: SearchBatchRequest;
};

export type SearchBatchResult = {
  /** One result for each query, in the same order. */
  results: Array<{
    results: Array<SearchResult | AudioSegmentResult>;
    /** Number of matches by kind; others that fill the page are not counted. */
    facets: {
      memories: number;
      audio_segments: number;
    };
    /** For requests with `why`: as the query alone ranks it. */
    why?: ResultPlacement | undefined;
    /** For requests with `rewrite`. */
    rewrite?: RewriteReport | undefined;
    /** For requests with `rerank`, and for all others if the service has a reranker. */
    rerank?: RerankReport | undefined;
    pagination: OffsetPagination;
    query: string;
  } | {
    /** Null if `q` is not a valid text. */
    query: string | null;
    error: {
      code: string;
      message: string;
      details?: Record<string, unknown> | undefined;
    };
  }>;
};

export type SearchGlobalInput = {
  query: {
    /** At most 1000 characters. */
    q: string;
    /** The groups to search; default: all. At least 1 items. */
    types?: Array<'memory' | 'highlight' | 'cluster' | 'space'> | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** Maximum results in each group. 1 to 100. Default: 20. */
    limit?: number | undefined;
    /**
     * Adds the memories that are found to the activation session with this key. At most 128
     * characters.
     */
    session_key?: string | undefined;
    /** @deprecated Alias of session_key. At most 128 characters. */
    session?: string | undefined;
  };
};

export type SearchGlobalResult = {
  query: string;
  results: {
    memory: SearchResult[];
    /** One highlight for each matching memory. */
    highlight: Highlight[];
    cluster: Record<string, unknown>[];
    space: Space[];
  };
  /** Number of all matches in the requested groups. */
  total: number;
};

export type SearchTopicInput = {
  query: {
    /** A tag, exactly as stored. At most 200 characters. */
    topic: string;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /**
     * Adds the memories that are found to the activation session with this key. At most 128
     * characters.
     */
    session_key?: string | undefined;
    /** @deprecated Alias of session_key. At most 128 characters. */
    session?: string | undefined;
  };
};

export type SearchTopicResult = {
  /** @deprecated Alias of data. */
  memories: TopicMemory[];
  /** @deprecated Alias of pagination.total. */
  total: number;
  data: TopicMemory[];
  pagination: OnePagePagination;
};

export type SearchAggregateInput = {
  query: {
    /** At most 1000 characters. */
    q?: string | undefined;
    /** @deprecated Alias of q. At most 1000 characters. */
    query?: string | undefined;
    group_by: 'tags' | 'clusters' | 'content_type' | 'priority' | 'time_bucket';
    /** Required for time_bucket. Buckets are in UTC; weeks start on Monday. */
    bucket_size?: 'day' | 'week' | 'month' | undefined;
    /** 0 to 1. Default: 0.5. */
    threshold?: number | undefined;
    /** Maximum number of groups. 1 to 100. Default: 10. */
    limit?: number | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /**
     * Adds the memories that are found to the activation session with this key. At most 128
     * characters.
     */
    session_key?: string | undefined;
    /** @deprecated Alias of session_key. At most 128 characters. */
    session?: string | undefined;
  };
};

export type SearchAggregateResult = {
  query: string;
  group_by: 'tags' | 'clusters' | 'content_type' | 'priority' | 'time_bucket';
  /** Number of all matches, whether in a group or not. */
  total_count: number;
  /** @deprecated Alias of data. */
  groups: SearchGroup[];
  data: SearchGroup[];
  pagination: OnePagePagination;
};

export type SearchSimilarInput = {
  params: {
    memoryId: string;
  };
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** Minimum similarity. 0 to 1. Default: 0. */
    threshold?: number | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /**
     * Adds the memories that are found to the activation session with this key. At most 128
     * characters.
     */
    session_key?: string | undefined;
    /** @deprecated Alias of session_key. At most 128 characters. */
    session?: string | undefined;
  } | undefined;
};

export type SearchSimilarResult = {
  memory_id: string;
  /** @deprecated Alias of data. */
  results: Array<{
    memory: Memory;
    /** Cosine of the two embeddings; negative values become 0. 0 to 1. */
    similarity: number;
  }>;
  data: Array<{
    memory: Memory;
    /** Cosine of the two embeddings; negative values become 0. 0 to 1. */
    similarity: number;
  }>;
  pagination: OnePagePagination;
};

export type SearchListPresetsInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type SearchListPresetsResult = {
  data: SearchPreset[];
  pagination: OffsetPagination;
};

export type SearchGetPresetInput = {
  params: {
    /** At most 64 characters. */
    name: string;
  };
};

export type SearchPutPresetInput = {
  params: {
    /** At most 64 characters. */
    name: string;
  };
  body: PutSearchPreset;
};

export type SearchRemovePresetInput = {
  params: {
    /** At most 64 characters. */
    name: string;
  };
};

export type SpacesCreateInput = {
  body: {
    /** At most 255 characters. */
    name: string;
    description?: string | null | undefined;
    metadata?: Record<string, unknown> | undefined;
    /**
     * Days after its creation when a new memory of the space expires, if its create has no
     * expires_at. Memories that are stored already keep theirs.
     */
    memory_lifetime_days?: number | null | undefined;
  };
};

export type SpacesListInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type SpacesListResult = {
  data: Space[];
  pagination: OffsetPagination;
};

export type SpacesGetInput = {
  params: {
    id: string;
  };
};

export type SpacesUpdateInput = {
  params: {
    id: string;
  };
  body: {
    /** At most 255 characters. */
    name?: string | undefined;
    description?: string | null | undefined;
    /** Merged into the stored value (RFC 7396); null removes a key. */
    metadata?: Record<string, unknown> | undefined;
    /**
     * Days after its creation when a new memory of the space expires, if its create has no
     * expires_at. Memories that are stored already keep theirs.
     */
    memory_lifetime_days?: number | null | undefined;
  };
};

export type SpacesRemoveInput = {
  params: {
    id: string;
  };
};

export type CliSessionsCreateInput = {
  body: CreateCliSession;
};

export type CliSessionsListInput = {
  query?: {
    status?: 'active' | 'paused' | 'completed' | 'archived' | undefined;
    type?: 'conversation' | 'project' | 'task' | 'temporary' | undefined;
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** At most 255 characters. */
    origin_type?: string | undefined;
    /** Comma-separated; matches any of the tags. 1 to 100 items. */
    tags?: string[] | undefined;
    /** Text in the name or description, case-insensitive. At most 1000 characters. */
    q?: string | undefined;
    /** @deprecated Alias of q. At most 1000 characters. */
    search?: string | undefined;
    /** Default: false. */
    include_archived?: boolean | undefined;
    /** Default: "created_at". */
    sort?: 'created_at' | 'updated_at' | 'last_active_at' | 'name' | undefined;
    /** Default: "desc". */
    order?: 'asc' | 'desc' | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type CliSessionsListResult = {
  data: CliSession[];
  pagination: OffsetPagination;
};

export type CliSessionsActiveInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
  } | undefined;
};

export type CliSessionsActiveResult = {
  data: CliSession[];
  count: number;
  pagination: OnePagePagination;
};

export type CliSessionsStatsInput = {
};

export type CliSessionsGetInput = {
  params: {
    id: string;
  };
};

export type CliSessionsUpdateInput = {
  params: {
    id: string;
  };
  body: PatchCliSession;
};

export type CliSessionsRemoveInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
};

export type CliSessionsPauseInput = {
  params: {
    id: string;
  };
};

export type CliSessionsResumeInput = {
  params: {
    id: string;
  };
};

export type CliSessionsCompleteInput = {
  params: {
    id: string;
  };
  body?: {
    /** At most 2000 characters. */
    summary?: string | undefined;
  } | undefined;
};

export type CliSessionsArchiveInput = {
  params: {
    id: string;
  };
};

export type CliSessionsMemoriesInput = {
  params: {
    id: string;
  };
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type CliSessionsMemoriesResult = {
  data: Memory[];
  pagination: OffsetPagination;
};

export type CliSessionsPostMessagesInput = {
  params: {
    id: string;
  };
  body: {
    /** 1 to 100 items. */
    messages: ChatMessage[];
  };
};

export type CliSessionsPostMessagesResult = {
  memories: Memory[];
};

export type SessionsListInput = {
  query?: {
    is_closed?: boolean | undefined;
    /** Only sessions whose started_at is not earlier. */
    since?: string | undefined;
    /** Default: "started_at". */
    sort?: 'started_at' | 'last_activity_at' | undefined;
    /** Default: "desc". */
    order?: 'asc' | 'desc' | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type SessionsListResult = {
  data: ActivationSession[];
  pagination: OffsetPagination;
};

export type SessionsActiveInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type SessionsActiveResult = {
  data: ActivationSession[];
  pagination: OffsetPagination;
};

export type SessionsGetInput = {
  params: {
    id: string;
  };
};

export type SessionsMemoriesInput = {
  params: {
    id: string;
  };
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    /** Only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only memories of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type SessionsMemoriesResult = {
  data: Memory[];
  pagination: OffsetPagination;
};

export type SessionsExportInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: "markdown". */
    format?: 'markdown' | 'json' | 'csv' | 'html' | undefined;
  } | undefined;
};

export type SessionsExportResult = ActivationExport | string;

export type SessionsReportInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: true. */
    include_relationships?: boolean | undefined;
  } | undefined;
};

export type AccountGetInput = {
};

export type AccountUpdateInput = {
  body: {
    /** At most 255 characters. */
    name?: string | undefined;
    contact_email?: string | null | undefined;
    settings?: {
      daily_memory_limit?: number | null | undefined;
      enforce_endpoint_limits?: boolean | null | undefined;
      allow_custom_relationship_types?: boolean | null | undefined;
      detect_updates?: 'off' | 'suggest' | 'apply' | null | undefined;
      email?: {
        accept_unknown?: 'store' | 'reject' | null | undefined;
      } | null | undefined;
    } | undefined;
  };
};

export type AccountAuditInput = {
  query?: {
    action?: 'account.created' | 'account.updated' | 'account.deleted' | 'key.created' | 'key.rotated' | 'key.revoked' | 'token.revoked' | 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'deliveries.paused' | 'deliveries.resumed' | 'queue.paused' | 'queue.resumed' | 'mcp.remembered' | 'mcp.forgotten' | 'grant.created' | 'grant.revoked' | undefined;
    since?: string | undefined;
    until?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type AccountAuditResult = {
  data: AuditEntry[];
  pagination: OffsetPagination;
};

export type AuthCreateTokenInput = {
  body?: {
    /** 60 to 86400. Default: 3600. */
    expires_in?: number | undefined;
    /** The token sees and writes only memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /**
     * The token has those of these scopes that its key has. Default: all scopes of its key. 1 to
     * 19 items.
     */
    scopes?: Array<'memories:read' | 'memories:write' | 'sessions:read' | 'sessions:write' | 'relationships:read' | 'relationships:write' | 'knowledge:read' | 'knowledge:write' | 'search:read' | 'search:write' | 'clusters:read' | 'clusters:write' | 'email:read' | 'email:write' | 'webhooks:read' | 'webhooks:write' | 'spaces:read' | 'spaces:write' | 'admin'> | undefined;
    /**
     * For how many seconds POST /auth/tokens/renew renews the token, also after it expired.
     * Default: it cannot be renewed. 60 to 2592000.
     */
    renewable_for?: number | undefined;
    /**
     * For a sign-in link: the token is good for one renewal, which gives another token, before it
     * expires, and for no other request. Requires renewable_for. Default: false.
     */
    single_use?: boolean | undefined;
  } | undefined;
};

export type AuthRenewTokenInput = {
  body: {
    /** At most 2000 characters. */
    token: string;
  };
};

export type AuthListTokensInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type AuthListTokensResult = {
  data: SessionToken[];
  pagination: OffsetPagination;
};

export type AuthRevokeTokenInput = {
  params: {
    id: string;
  };
};

export type KeysCreateInput = {
  body: CreateApiKey;
};

export type KeysListInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type KeysListResult = {
  data: ApiKey[];
  pagination: OffsetPagination;
};

export type KeysRevokeInput = {
  params: {
    id: string;
  };
};

export type KeysRotateInput = {
  params: {
    id: string;
  };
  body?: {
    /** 0 to 2592000. Default: 0. */
    grace_seconds?: number | undefined;
  } | undefined;
};

export type GrantsListInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type GrantsListResult = {
  data: OAuthGrant[];
  pagination: OffsetPagination;
};

export type GrantsRevokeInput = {
  params: {
    id: string;
  };
};

export type AdminCreateAccountInput = {
  body: {
    /** At most 255 characters. */
    name: string;
    /** Default: "free". */
    plan?: 'free' | 'pro' | 'max' | 'enterprise' | undefined;
  };
};

export type AdminListAccountsInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type AdminListAccountsResult = {
  data: AccountState[];
  pagination: OffsetPagination;
};

export type AdminGetAccountInput = {
  params: {
    id: string;
  };
};

export type AdminUpdateAccountInput = {
  params: {
    id: string;
  };
  body: {
    /** At most 255 characters. */
    name?: string | undefined;
    contact_email?: string | null | undefined;
    settings?: {
      daily_memory_limit?: number | null | undefined;
      enforce_endpoint_limits?: boolean | null | undefined;
      allow_custom_relationship_types?: boolean | null | undefined;
      detect_updates?: 'off' | 'suggest' | 'apply' | null | undefined;
      email?: {
        accept_unknown?: 'store' | 'reject' | null | undefined;
      } | null | undefined;
    } | undefined;
    plan?: 'free' | 'pro' | 'max' | 'enterprise' | undefined;
    suspended?: boolean | undefined;
  };
};

export type AdminDeleteAccountInput = {
  params: {
    id: string;
  };
  query?: {
    /** Default: false. */
    confirm?: boolean | undefined;
  } | undefined;
};

export type AdminCreateKeyInput = {
  params: {
    id: string;
  };
  body: CreateApiKey;
};

export type AdminStartVerificationInput = {
  body?: {
    /** Only this account; default: all accounts. */
    account_id?: string | undefined;
    /** Rebuilds documents and vectors that are inconsistent. Default: false. */
    repair?: boolean | undefined;
    /** Also reads every recording and attachment, and compares its hash. Default: false. */
    deep?: boolean | undefined;
  } | undefined;
};

export type AdminStartVerificationResult = {
  /** The id of the job. GET /jobs/:id reports its progress. */
  job_id: string;
};

export type AdminGetVerificationInput = {
  params: {
    id: string;
  };
};

export type AdminBackupInput = {
};

export type AdminGetDiagnosisInput = {
};

export type AdminAcknowledgeFindingsInput = {
  body?: {
    /** Only these findings; default: all. 1 to 100 items. */
    ids?: string[] | undefined;
  } | undefined;
};

export type AdminStartReembeddingInput = {
  body?: {
    /**
     * Change to this model: an installed one, one of the configured endpoint, `encoder`, `static`
     * or `configured`. Default: the current model. At most 200 characters.
     */
    model?: string | undefined;
    /** Of the vectors, if the model offers several; only with `model`. 1 to 8192. */
    dimensions?: number | undefined;
  } | undefined;
};

export type AdminStartReembeddingResult = {
  /** The id of the job. GET /jobs/:id reports its progress. */
  job_id: string;
};

export type AdminGetReembeddingInput = {
  params: {
    id: string;
  };
};

export type AdminListModelsInput = {
};

export type AdminRemoveModelInput = {
  params: {
    /** At most 200 characters. */
    name: string;
  };
};

export type AdminRemoveModelResult = {
  name: string;
  bytes: number;
};

export type AdminStartModelTestInput = {
  body: {
    /** The model to test, as for a change. At most 200 characters. */
    model: string;
    /** The model to compare it with; default: the current one. At most 200 characters. */
    against?: string | undefined;
    /** Of the vectors of `model`. 1 to 8192. */
    dimensions?: number | undefined;
    /** The account whose memories are used; default: that of the key. */
    account_id?: string | undefined;
  };
};

export type AdminStartModelTestResult = {
  /** The id of the job. GET /jobs/:id reports its progress. */
  job_id: string;
};

export type AdminGetModelTestInput = {
  params: {
    id: string;
  };
};

export type AdminPauseDeliveriesInput = {
};

export type AdminResumeDeliveriesInput = {
};

export type AdminListErasuresInput = {
  query?: {
    account_id?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** At most 1000 characters. */
    cursor?: string | undefined;
  } | undefined;
};

export type AdminListErasuresResult = {
  data: Erasure[];
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: CursorPagination;
};

export type AdminGetErasureInput = {
  params: {
    id: string;
  };
};

export type AdminListJobsInput = {
  query?: {
    status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
    /** The kind of the jobs, such as `memories.erase`. At most 100 characters. */
    kind?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** At most 1000 characters. */
    cursor?: string | undefined;
    /** Only jobs of this account. */
    account_id?: string | undefined;
  } | undefined;
};

export type AdminListJobsResult = {
  data: OperatorJob[];
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: CursorPagination;
};

export type AdminRetryJobInput = {
  params: {
    id: string;
  };
};

export type AdminListQueuesInput = {
};

export type AdminListQueuesResult = {
  data: JobQueue[];
  pagination: OnePagePagination;
};

export type AdminPauseQueueInput = {
  params: {
    /** The name of the queue. At most 100 characters. */
    name: string;
  };
};

export type AdminPauseQueueResult = {
  name: string;
  /** When the queue was paused; null: it is not paused. */
  paused_at: string | null;
};

export type AdminResumeQueueInput = {
  params: {
    /** The name of the queue. At most 100 characters. */
    name: string;
  };
};

export type AdminResumeQueueResult = {
  name: string;
  /** When the queue was paused; null: it is not paused. */
  paused_at: string | null;
};

export type AdminExportInput = {
  query?: {
    /** Only this account; default: all. */
    account_id?: string | undefined;
  } | undefined;
};

export type AdminImportInput = {
  query?: {
    /** Imports an archive of one account into this one; default: by their ids. */
    account_id?: string | undefined;
    /** Stores nothing; the report counts. Default: false. */
    dry_run?: boolean | undefined;
    /** Erases what was erased in the exported account, and applies soft deletes. Default: false. */
    apply_deletions?: boolean | undefined;
  } | undefined;
  body: RawBody;
};

export type AdminGetImportInput = {
  params: {
    id: string;
  };
};

export type TransfersExportInput = {
  query?: {
    /** Space id; "null" or "default" means the account level. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
    /** Only what belongs to this user. At most 128 characters. */
    user_id?: string | undefined;
  } | undefined;
};

export type TransfersImportInput = {
  query?: {
    /** Stores nothing; the report counts. Default: false. */
    dry_run?: boolean | undefined;
    /** Erases what was erased in the exported account, and applies soft deletes. Default: false. */
    apply_deletions?: boolean | undefined;
    /**
     * JSON object: names or ids of spaces, and of the space for each, such as {"Work":"Travel"}.
     * At most 100000 characters.
     */
    map_spaces?: string | undefined;
    /**
     * JSON object: each user_id and its new value, such as {"alice":"bob"}. At most 100000
     * characters.
     */
    map_users?: string | undefined;
    /**
     * JSON object: each agent_id and its new value, such as {"bot-1":"bot-2"}. At most 100000
     * characters.
     */
    map_agents?: string | undefined;
    /**
     * JSON object: each run_id and its new value, such as {"run-1":"run-2"}. At most 100000
     * characters.
     */
    map_runs?: string | undefined;
  } | undefined;
  body: RawBody;
};

export type TransfersGetImportInput = {
  params: {
    id: string;
  };
};

export type EmailGetAddressInput = {
};

export type EmailCreateAddressInput = {
  body?: {
    /** Replaces the current address, which stops working immediately. Default: false. */
    regenerate?: boolean | undefined;
  } | undefined;
};

export type EmailRotateAddressInput = {
  body?: {
    /** 0 to 90. Default: 7. */
    grace_period_days?: number | undefined;
    /** @deprecated Alias of grace_period_days. 0 to 90. */
    gracePeriodDays?: number | undefined;
  } | undefined;
};

export type EmailRotateAddressResult = {
  id: string;
  email: string;
  previous_email: string;
  /** @deprecated Alias of previous_email. */
  previousEmail: string;
  grace_period_days: number;
  /** @deprecated Alias of grace_period_days. */
  gracePeriodDays: number;
  created_at: string;
  /** @deprecated Alias of created_at. */
  createdAt: string;
};

export type EmailListAddressesInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type EmailListAddressesResult = {
  data: EmailAddress[];
  pagination: OffsetPagination;
};

export type EmailDeactivateAddressInput = {
};

export type EmailListHistoryInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    status?: 'received' | 'processing' | 'completed' | 'failed' | 'rejected' | 'rate_limited' | undefined;
    /** Only emails of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only emails of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only emails of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type EmailListHistoryResult = {
  data: Mail[];
  pagination: OffsetPagination;
};

export type EmailGetHistoryInput = {
  params: {
    id: string;
  };
};

export type EmailListAttachmentsInput = {
  params: {
    id: string;
  };
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type EmailListAttachmentsResult = {
  data: Attachment[];
  pagination: OffsetPagination;
};

export type EmailGetAttachmentInput = {
  params: {
    id: string;
  };
};

export type EmailDownloadAttachmentInput = {
  params: {
    id: string;
  };
  query?: {
    /** 60 to 86400. Default: 900. */
    expires_in?: number | undefined;
    /** @deprecated Alias of expires_in. 60 to 86400. */
    expiresIn?: number | undefined;
  } | undefined;
};

export type EmailDownloadAttachmentResult = {
  url: string;
  expires_in: number;
  /** @deprecated Alias of expires_in. */
  expiresIn: number;
};

export type EmailAttachmentContentInput = {
  params: {
    id: string;
  };
  query: {
    /** 0 to 99999999999. */
    expires: number;
    /** At most 100 characters. */
    signature: string;
  };
};

export type EmailRemoveAttachmentInput = {
  params: {
    id: string;
  };
};

export type EmailListSendersInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    rule_type?: 'allow' | 'block' | undefined;
    /** @deprecated Alias of rule_type. */
    ruleType?: 'allow' | 'block' | undefined;
    /** Only rules of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only rules of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only rules of this run. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
};

export type EmailListSendersResult = {
  data: SenderRule[];
  pagination: OffsetPagination;
};

export type EmailAddSenderInput = {
  body: CreateSenderRule;
};

export type EmailCheckSenderInput = {
  body: {
    /** At most 254 characters. */
    email: string;
  };
};

export type EmailCheckSenderResult = {
  allowed: boolean;
  reason: string | null;
  matched_rule: SenderRule | null;
  /** @deprecated Alias of matched_rule. */
  matchedRule: SenderRule | null;
};

export type EmailRemoveSenderInput = {
  params: {
    /** At most 320 characters. */
    pattern: string;
  };
};

export type EmailInboundInput = {
  query?: {
    /** At most 254 characters. */
    recipient?: string | undefined;
    /** At most 254 characters. */
    sender?: string | undefined;
    /** IP address of the SMTP client, for SPF. At most 45 characters. */
    ip?: string | undefined;
    /** At most 255 characters. */
    helo?: string | undefined;
    /** The relay has already authenticated the From field. Default: false. */
    verified?: boolean | undefined;
    /** The end user whom the memory belongs to. At most 128 characters. */
    user_id?: string | undefined;
    /** The agent whom the memory belongs to. At most 128 characters. */
    agent_id?: string | undefined;
    /** The run or conversation that it belongs to. At most 128 characters. */
    run_id?: string | undefined;
  } | undefined;
  body: RawBody;
};

export type EmailInboundResult = {
  history_id: unknown;
  status: 'received' | 'processing' | 'completed' | 'failed' | 'rejected' | 'rate_limited';
};

export type EmailListReactionsInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type EmailListReactionsResult = {
  data: Reaction[];
  pagination: OffsetPagination;
};

export type EmailCreateReactionInput = {
  body: CreateReaction;
};

export type EmailUpdateReactionInput = {
  params: {
    id: string;
  };
  body: PatchReaction;
};

export type EmailRemoveReactionInput = {
  params: {
    id: string;
  };
};

export type EmailListDigestsInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type EmailListDigestsResult = {
  data: Digest[];
  pagination: OffsetPagination;
};

export type EmailCreateDigestInput = {
  body: CreateDigest;
};

export type EmailUpdateDigestInput = {
  params: {
    id: string;
  };
  body: PatchDigest;
};

export type EmailRemoveDigestInput = {
  params: {
    id: string;
  };
};

export type EmailSendDigestInput = {
  params: {
    id: string;
  };
};

export type EmailSendDigestResult = {
  job_id: string;
};

export type EmailListOutboundInput = {
  query?: {
    status?: 'queued' | 'sending' | 'sent' | 'failed' | 'bounced' | undefined;
    /** At most 254 characters. */
    recipient?: string | undefined;
    /** Only replies to emails of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only replies to emails of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only replies to emails of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** At most 1000 characters. */
    cursor?: string | undefined;
  } | undefined;
};

export type EmailListOutboundResult = {
  data: OutboundMail[];
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: CursorPagination;
};

export type EmailRetryOutboundInput = {
  params: {
    id: string;
  };
};

export type EmailListSuppressionsInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
  } | undefined;
};

export type EmailListSuppressionsResult = {
  data: Suppression[];
  pagination: OffsetPagination;
};

export type EmailRemoveSuppressionInput = {
  params: {
    /** At most 254 characters. */
    email: string;
  };
};

export type EmailUnsubscribePageInput = {
  query: {
    account: string;
    /** At most 254 characters. */
    email: string;
    /** At most 100 characters. */
    signature: string;
  };
};

export type EmailUnsubscribeInput = {
  query: {
    account: string;
    /** At most 254 characters. */
    email: string;
    /** At most 100 characters. */
    signature: string;
  };
  body: RawBody;
};

export type WebhooksListInput = {
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    /** Only webhooks that receive this event type. At most 255 characters. */
    event_type?: string | undefined;
    /** @deprecated Alias of event_type. At most 255 characters. */
    event?: string | undefined;
    is_active?: boolean | undefined;
    /** Only webhooks of this space; "null" or "default": webhooks without a space. */
    space_id?: string | undefined;
    /** Name of the space, exactly as stored, instead of space_id. At most 255 characters. */
    space?: string | undefined;
  } | undefined;
};

export type WebhooksListResult = {
  data: Webhook[];
  pagination: OffsetPagination;
  /** @deprecated Alias of data. */
  webhooks: Webhook[];
  /** @deprecated Alias of pagination.total. */
  total: number;
};

export type WebhooksCreateInput = {
  body: CreateWebhook;
};

export type WebhooksStatsInput = {
};

export type WebhooksStatsResult = {
  total_webhooks: number;
  active_webhooks: number;
  inactive_webhooks: number;
  total_deliveries: number;
  successful_deliveries: number;
  failed_deliveries: number;
  events_distribution: Array<{
    event_type: string;
    /** @deprecated Alias of event_type. */
    event: string;
    webhook_count: number;
  }>;
};

export type WebhooksEventTypesInput = {
};

export type WebhooksEventTypesResult = {
  event_types: string[];
  /** @deprecated Alias of data. */
  details: Array<{
    type: string;
    description: string;
  }>;
  data: Array<{
    type: string;
    description: string;
  }>;
  pagination: OnePagePagination;
};

export type WebhooksBulkCreateInput = {
  body: {
    /** 1 to 100 items. */
    webhooks: CreateWebhook[];
  };
};

export type WebhooksBulkCreateResult = {
  created: number;
  webhooks: Webhook[];
};

export type WebhooksBulkDeleteInput = {
  body: {
    /** 1 to 100 items. */
    ids: string[];
  };
};

export type WebhooksBulkDeleteResult = {
  deleted: number;
  ids: string[];
};

export type WebhooksGetInput = {
  params: {
    webhookId: string;
  };
};

export type WebhooksUpdateInput = {
  params: {
    webhookId: string;
  };
  body: PatchWebhook;
};

export type WebhooksRemoveInput = {
  params: {
    webhookId: string;
  };
};

export type WebhooksTestInput = {
  params: {
    webhookId: string;
  };
  body?: {
    /** At most 255 characters. */
    event_type?: string | undefined;
    /** @deprecated Alias of event_type. At most 255 characters. */
    event?: string | undefined;
  } | undefined;
};

export type WebhooksTestResult = {
  success: boolean;
  response_status: number | null;
  response_body: string | null;
  response_time_ms: number | null;
  error: string | null;
  payload: Record<string, unknown>;
  headers_sent: Record<string, string>;
};

export type WebhooksListDeliveriesInput = {
  params: {
    webhookId: string;
  };
  query?: {
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** 0 to 1000000. Default: 0. */
    offset?: number | undefined;
    status?: 'pending' | 'success' | 'failed' | 'retrying' | undefined;
    /** At most 255 characters. */
    event_type?: string | undefined;
    since?: string | undefined;
    until?: string | undefined;
  } | undefined;
};

export type WebhooksListDeliveriesResult = {
  data: WebhookDelivery[];
  pagination: OffsetPagination;
  /** @deprecated Alias of data. */
  deliveries: WebhookDelivery[];
};

export type WebhooksGetDeliveryInput = {
  params: {
    webhookId: string;
    deliveryId: string;
  };
};

export type WebhooksRetryDeliveryInput = {
  params: {
    webhookId: string;
    deliveryId: string;
  };
};

export type WebhooksRetryDeliveryResult = {
  success: boolean;
  response_status: number | null;
  error: string | null;
};

export type WebhooksReplayInput = {
  params: {
    webhookId: string;
  };
  body: {
    since: string;
    until?: string | undefined;
    /** Event types, `<area>.*`, or `*` for all. 1 to 100 items. */
    event_types?: string[] | undefined;
  };
};

export type WebhooksReplayResult = {
  job_id: string;
};

export type OperationsHealthInput = {
};

export type OperationsHealthResult = {
  status: 'ok' | 'degraded' | 'unavailable';
  /** Seconds since the process started. */
  uptime: number;
  version: string;
  timestamp: string;
  checks: Record<string, {
    ok: boolean;
    detail?: string | undefined;
  }>;
};

export type OperationsReadyInput = {
};

export type OperationsReadyResult = {
  ready: boolean;
};

export type OperationsLivezInput = {
};

export type OperationsLivezResult = {
  alive: true;
};

export type OperationsReadyzInput = {
};

export type OperationsReadyzResult = {
  ready: boolean;
  checks: Record<string, {
    ok: boolean;
    detail?: string | undefined;
    /** Milliseconds until the database responded, with its queue. */
    wait_ms?: number | undefined;
  }>;
};

export type OperationsMetricsInput = {
};

export type OperationsOpenapiInput = {
};

export type OperationsOpenapiResult = Record<string, unknown>;

export type JobsListInput = {
  query?: {
    status?: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | undefined;
    /** The kind of the jobs, such as `memories.erase`. At most 100 characters. */
    kind?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** At most 1000 characters. */
    cursor?: string | undefined;
  } | undefined;
};

export type JobsListResult = {
  data: Job[];
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: CursorPagination;
};

export type JobsGetInput = {
  params: {
    id: string;
  };
};

export type JobsCancelInput = {
  params: {
    id: string;
  };
};

export type JobsRetryInput = {
  params: {
    id: string;
  };
};

export type EventsListInput = {
  query?: {
    type?: 'memory.created' | 'memory.updated' | 'memory.deleted' | 'memory.restored' | 'memory.accessed' | 'memory.reinforced' | 'memory.verified' | 'memory.superseded' | 'memory.update_suggested' | 'memory.expired' | 'memory.bulk_created' | 'memory.bulk_updated' | 'memory.bulk_deleted' | 'memory.bulk_tags_updated' | 'relationship.created' | 'relationship.updated' | 'relationship.deleted' | 'cluster.created' | 'cluster.updated' | 'cluster.deleted' | 'cluster.memory_added' | 'cluster.memory_removed' | 'cluster.merged' | 'space.created' | 'space.updated' | 'space.deleted' | 'feedback.submitted' | 'audio.uploaded' | 'audio.transcribed' | 'import.batch_stored' | 'import.completed' | 'entity.extracted' | undefined;
    /**
     * Only events about this memory: those with its id in `data.id` or `data.memory_id`. Bulk
     * requests and searches, which list many memories, are not included.
     */
    memory_id?: string | undefined;
    /** Only events about memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only events about memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only events about memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /** 1 to 100. Default: 20. */
    limit?: number | undefined;
    /** At most 1000 characters. */
    cursor?: string | undefined;
  } | undefined;
};

export type EventsListResult = {
  data: Array<Event | ErasedEvent>;
  /** @deprecated Alias of pagination.has_more. */
  has_more: boolean;
  /** @deprecated Alias of pagination.next_cursor. */
  next_cursor: string | null;
  pagination: CursorPagination;
};

export type EventsListItem = Event | ErasedEvent;

export type EventsStreamInput = {
  query?: {
    type?: 'memory.created' | 'memory.updated' | 'memory.deleted' | 'memory.restored' | 'memory.accessed' | 'memory.reinforced' | 'memory.verified' | 'memory.superseded' | 'memory.update_suggested' | 'memory.expired' | 'memory.bulk_created' | 'memory.bulk_updated' | 'memory.bulk_deleted' | 'memory.bulk_tags_updated' | 'relationship.created' | 'relationship.updated' | 'relationship.deleted' | 'cluster.created' | 'cluster.updated' | 'cluster.deleted' | 'cluster.memory_added' | 'cluster.memory_removed' | 'cluster.merged' | 'space.created' | 'space.updated' | 'space.deleted' | 'feedback.submitted' | 'audio.uploaded' | 'audio.transcribed' | 'import.batch_stored' | 'import.completed' | 'entity.extracted' | undefined;
    /** Only events about memories of this user. At most 128 characters. */
    user_id?: string | undefined;
    /** Only events about memories of this agent. At most 128 characters. */
    agent_id?: string | undefined;
    /** Only events about memories of this run. At most 128 characters. */
    run_id?: string | undefined;
    /**
     * Starts after this cursor. Without it and without Last-Event-ID, the stream starts with new
     * events. At most 1000 characters.
     */
    cursor?: string | undefined;
  } | undefined;
};

export type EventsStreamResult = Event | ErasedEvent;

/** The methods of a client: one for each operation, by area. */
export interface Areas {
  readonly memories: {
    /**
     * Store a memory. When the 201 arrives, the memory is durable, embedded and searchable. A form
     * with a file creates a memory of the type that its bytes show: text or Markdown becomes the
     * content; audio and video can be played and are transcribed. Other files are 400.
     */
    create(input: MemoriesCreateInput, options?: CallOptions): Promise<CreatedMemory>;
    /** List memories, newest first unless sort and order tell otherwise. */
    list(input?: MemoriesListInput, options?: CallOptions): ListCall<MemoriesListResult, Memory>;
    /**
     * Count memories by the values of the filters of the list. Takes the filters of the list. Each
     * count is how many memories the list would have with that value, and with the other filters
     * as they are.
     */
    facets(input?: MemoriesFacetsInput, options?: CallOptions): Promise<MemoryFacets>;
    /** Read a memory, including a soft-deleted one. */
    get(input: MemoriesGetInput, options?: CallOptions): Promise<Memory>;
    /**
     * Change a memory; new content is embedded again. metadata is merged (RFC 7396: null removes a
     * key); tags are replaced.
     */
    update(input: MemoriesUpdateInput, options?: CallOptions): Promise<Memory>;
    /** Delete a memory, softly or permanently. */
    remove(input: MemoriesRemoveInput, options?: CallOptions): Promise<MemoriesRemoveResult>;
    /** Restore a soft-deleted memory. */
    restore(input: MemoriesRestoreInput, options?: CallOptions): Promise<Memory>;
    /** Pin a memory: exempt it from decay. */
    pin(input: MemoriesPinInput, options?: CallOptions): Promise<Memory>;
    /** Unpin a memory: it decays again. */
    unpin(input: MemoriesUnpinInput, options?: CallOptions): Promise<Memory>;
    /** Set the protection level of a memory. */
    protect(input: MemoriesProtectInput, options?: CallOptions): Promise<Memory>;
    /** Record that a memory was verified. */
    verify(input: MemoriesVerifyInput, options?: CallOptions): Promise<Memory>;
    /** Submit feedback on a memory, which adjusts its salience. */
    feedback(input: MemoriesFeedbackInput, options?: CallOptions): Promise<Feedback>;
    /**
     * Store up to 100 memories. Each item is stored or rejected separately; atomic=true stores all
     * or none. Requests with more than 49,152 characters of content are committed in several
     * transactions. If such a request is interrupted, repeat it with the same Idempotency-Key: the
     * server continues after the items that are stored.
     */
    bulkCreate(input: MemoriesBulkCreateInput, options?: CallOptions): Promise<MemoriesBulkCreateResult>;
    /** Set fields on up to 100 memories. */
    bulkUpdate(input: MemoriesBulkUpdateInput, options?: CallOptions): Promise<MemoriesBulkUpdateResult>;
    /** Delete up to 100 memories. */
    bulkDelete(input: MemoriesBulkDeleteInput, options?: CallOptions): Promise<MemoriesBulkDeleteResult>;
    /** Add and remove tags on up to 100 memories. */
    bulkTags(input: MemoriesBulkTagsInput, options?: CallOptions): Promise<MemoriesBulkTagsResult>;
    /**
     * Store the turns of a conversation and what they say that lasts. Each message becomes a
     * memory with metadata.role and metadata.speaker. Facts, preferences, decisions and plans that
     * users state become memories of their own, tagged with the kind and linked to their turns;
     * built-in rules find them (in English), or the configured language model. Everything is
     * stored in one transaction. A message that is stored already (same owner, space, session,
     * role, name, content and occurred_at) is not stored again, so a request may be repeated, and
     * may contain earlier messages of the conversation.
     */
    fromMessages(input: MemoriesFromMessagesInput, options?: CallOptions): Promise<MemoriesFromMessagesResult>;
    /**
     * Erase all memories that match a filter, in two steps. With dry_run it changes nothing and
     * answers 200 with the count and a token, which is valid for 10 minutes. With that token and
     * the same filter it answers 202, and a job erases the memories for good, soft-deleted ones
     * too, with all that is derived from them. Hard-protected memories stay. If the filter has
     * only user_id, agent_id and run_id, the received mails of this owner are erased, too, with
     * their attachments and replies, and so are unfinished uploads. 409 if more matches than the
     * dry run counted. The result of the job is a receipt: `erased`, `hard_protected`, `mails` and
     * `uploads`.
     */
    erase(input: MemoriesEraseInput, options?: CallOptions): Promise<MemoriesEraseResult>;
    /**
     * Change all memories that match a filter, as a job. Tags, moves, pins, protects, deletes or
     * restores them in small steps. With count_only it changes nothing and answers 200 with the
     * count. Memories that were stored after the request stay as they are. Each changed memory
     * publishes its own event, and each step one memory.bulk_* with its ids.
     */
    startChange(input: MemoriesStartChangeInput, options?: CallOptions): Promise<MemoriesStartChangeResult>;
    /**
     * Read the progress and the result of a bulk change. A change is kept for 30 days. One that
     * failed for good keeps what it has changed; a retry of its job (POST /jobs/:id/retry) goes
     * on.
     */
    getChange(input: MemoriesGetChangeInput, options?: CallOptions): Promise<BulkChange>;
    /**
     * Undo a bulk change, as a job. Within 24 hours after it completed. Restores the changed field
     * of each memory, unless somebody has changed that field since; left_count says how many were
     * left alone. After an undo that failed, another one restores the rest.
     */
    undoChange(input: MemoriesUndoChangeInput, options?: CallOptions): Promise<BulkChange>;
    /**
     * List memories that this one may outdate, and those that may outdate it. The most probable
     * first, at most 100. They are found in the background, seconds after a memory was stored or
     * changed, by its text and by the facts that it ends. Open ones are shown while no other
     * memory supersedes the older one.
     */
    suggestions(input: MemoriesSuggestionsInput, options?: CallOptions): Promise<UpdateSuggestionList>;
    /**
     * Accept a suggestion: the newer memory supersedes the older one. Creates the supersedes
     * relationship, if it is not there; to undo it, delete that relationship. A dismissed
     * suggestion can be accepted, too.
     */
    acceptSuggestion(input: MemoriesAcceptSuggestionInput, options?: CallOptions): Promise<UpdateSuggestion>;
    /**
     * Dismiss a suggestion, which is not made again. 409 conflict while the newer memory
     * supersedes the older one: delete that relationship first.
     */
    dismissSuggestion(input: MemoriesDismissSuggestionInput, options?: CallOptions): Promise<UpdateSuggestion>;
    /**
     * Read the topics of a memory. Cached until the content changes; refresh=true computes them
     * again.
     */
    topics(input: MemoriesTopicsInput, options?: CallOptions): Promise<MemoriesTopicsResult>;
    /**
     * Create topics, a summary, entities or a quality score of a memory. Waits for up to 30 s. A
     * longer enrichment, or one with `Prefer: respond-async`, continues as a job (202). Results
     * for the same content and model are reused. Completion emits memory.updated with changes
     * ["enrichment"].
     */
    enrich(input: MemoriesEnrichInput, options?: CallOptions): Promise<MemoriesEnrichResult>;
    /**
     * Read the quality score of a memory. The score is the weighted mean of specificity (0.3),
     * clarity (0.25), actionability (0.2) and uniqueness (0.25). recalculate=true computes it
     * again.
     */
    quality(input: MemoriesQualityInput, options?: CallOptions): Promise<MemoriesQualityResult>;
  };
  readonly media: {
    /** Play a recording, whole or in byte ranges. */
    stream(input: MediaStreamInput, options?: CallOptions): Promise<Response>;
    /**
     * Create a temporary link that plays a recording without a key. For the `src` of an audio or
     * video element, which sends no key. Anyone with the link can play the recording until it
     * expires or the recording is deleted.
     */
    link(input: MediaLinkInput, options?: CallOptions): Promise<MediaLink>;
    /**
     * Read the metadata of an audio or video file. Same format as for a video; `video` is null
     * without a picture track.
     */
    recordingMetadata(input: MediaRecordingMetadataInput, options?: CallOptions): Promise<VideoMetadata>;
    /**
     * Read the transcript of a recording. Pending: 202. Failed: 503 with the reason, or the
     * previous result; see its job.
     */
    transcript(input: MediaTranscriptInput, options?: CallOptions): Promise<MediaTranscriptResult>;
    /** Transcribe a recording, again if necessary. An unknown or unconfigured provider is 400. */
    transcribe(input: MediaTranscribeInput, options?: CallOptions): Promise<MediaPending>;
    /** Play a video, whole or in byte ranges. */
    video(input: MediaVideoInput, options?: CallOptions): Promise<Response>;
    /** Get the thumbnail of a video. 404 not_found until it is created. */
    thumbnail(input: MediaThumbnailInput, options?: CallOptions): Promise<Response>;
    /** Read the metadata of a video file. */
    metadata(input: MediaMetadataInput, options?: CallOptions): Promise<VideoMetadata>;
    /**
     * Read the transcript of a video. Pending: 202. Failed: 503 with the reason, or the previous
     * result; see its job.
     */
    videoTranscript(input: MediaVideoTranscriptInput, options?: CallOptions): Promise<MediaVideoTranscriptResult>;
    /** Transcribe the audio track of a video, again if necessary. */
    videoTranscribe(input: MediaVideoTranscribeInput, options?: CallOptions): Promise<MediaPending>;
    /** Interpret key frames of a video. */
    interpret(input: MediaInterpretInput, options?: CallOptions): Promise<MediaPending>;
    /**
     * Read the interpretation of a video. Pending: 202. Failed: 503 with the reason, or the
     * previous result; see its job. Never requested: 404 not_found.
     */
    interpretation(input: MediaInterpretationInput, options?: CallOptions): Promise<MediaInterpretationResult>;
    /**
     * Play a recording, or part of it, with a signed link. An expired or modified link is 403
     * insufficient_permissions.
     */
    clip(input: MediaClipInput, options?: CallOptions): Promise<Response>;
    /**
     * Create a resumable upload (tus 1.0.0). Send the bytes with PATCH to the Location of the
     * response, in one or more requests; HEAD reports how many have arrived. The body of this
     * request can contain the first ones. A complete upload becomes a memory, like a form of POST
     * /memories. If its content is already stored, the response has `Mneme-Duplicate: true`, and
     * X-Mneme-Memory-Id is the id of the stored memory. OPTIONS lists the protocol extensions and
     * the maximum size. An empty file creates no memory.
     */
    createUpload(input?: MediaCreateUploadInput, options?: CallOptions): Promise<Upload>;
    /** Read the state of an upload; HEAD returns it in Upload-Offset. */
    getUpload(input: MediaGetUploadInput, options?: CallOptions): Promise<Upload>;
    /**
     * Append bytes to an upload at its offset. Bytes that arrive before the connection breaks are
     * stored. With the last byte the file becomes a memory; X-Mneme-Memory-Id is its id. If its
     * content is already stored, it is the id of the stored memory, with `Mneme-Duplicate: true`.
     */
    appendUpload(input: MediaAppendUploadInput, options?: CallOptions): Promise<void>;
    /** Cancel an upload and delete its bytes. A memory that the upload became stays. */
    removeUpload(input: MediaRemoveUploadInput, options?: CallOptions): Promise<void>;
  };
  readonly relationships: {
    /**
     * Create a relationship from a memory to another. bidirectional also creates the inverse
     * relationship, with the inverse type. The weight starts to decay immediately, except while
     * one of the two memories is pinned.
     */
    create(input: RelationshipsCreateInput, options?: CallOptions): Promise<CreatedRelationship>;
    /** Create up to 100 relationships, each separately. */
    batch(input: RelationshipsBatchInput, options?: CallOptions): Promise<RelationshipsBatchResult>;
    /** List the relationships of a memory, newest first. */
    list(input: RelationshipsListInput, options?: CallOptions): Promise<RelationshipsListResult>;
    /**
     * Find related memories by traversing the graph. Highest score first. A traversal visits at
     * most 500 memories: the nearest, and among equally near ones those with the highest score.
     * Each is returned with its best path of at most depth relationships. Also requires the scope
     * memories:read.
     */
    related(input: RelationshipsRelatedInput, options?: CallOptions): Promise<RelationshipsRelatedResult>;
    /** Change a relationship; a new weight restarts the decay. */
    update(input: RelationshipsUpdateInput, options?: CallOptions): Promise<Relationship>;
    /** Delete a relationship; its inverse stays. */
    remove(input: RelationshipsRemoveInput, options?: CallOptions): Promise<void>;
    /** Decrease the weight of a relationship and its inverse, not below 0. */
    weaken(input: RelationshipsWeakenInput, options?: CallOptions): Promise<Relationship>;
    /** Increase the weight of a relationship and its inverse, and count the use. */
    reinforce(input: RelationshipsReinforceInput, options?: CallOptions): Promise<Relationship>;
  };
  readonly knowledge: {
    /** List entities, by name. */
    entities(input?: KnowledgeEntitiesInput, options?: CallOptions): ListCall<KnowledgeEntitiesResult, KnowledgeEntitiesItem>;
    /** Count the entities of a category. */
    count(input: KnowledgeCountInput, options?: CallOptions): Promise<KnowledgeCountResult>;
    /**
     * List the entities known at a point in time. Bitemporal: as_of is the time in the world,
     * known_at the time of the knowledge of the service. An entity exists from the first time that
     * a memory or fact mentions.
     */
    atTime(input?: KnowledgeAtTimeInput, options?: CallOptions): ListCall<KnowledgeAtTimeResult, KnowledgeAtTimeItem>;
    /**
     * Read an entity with its relationships and facts. The id of a merged entity returns the
     * entity that it was merged into. At most 200 facts and relationships are included; their own
     * lists are paginated and complete.
     */
    get(input: KnowledgeGetInput, options?: CallOptions): Promise<EntityDetail>;
    /** Read the history of an entity, oldest first. */
    timeline(input: KnowledgeTimelineInput, options?: CallOptions): ListCall<KnowledgeTimelineResult, KnowledgeTimelineItem>;
    /** List the current relationships of an entity. */
    relationships(input: KnowledgeRelationshipsInput, options?: CallOptions): ListCall<KnowledgeRelationshipsResult, EntityRelationship>;
    /** List the facts about an entity, newest first. */
    facts(input: KnowledgeFactsInput, options?: CallOptions): ListCall<KnowledgeFactsResult, Fact>;
    /** Create an entity manually. If the space already has an entity with this name: 409 conflict. */
    create(input: KnowledgeCreateInput, options?: CallOptions): Promise<Entity>;
    /** Correct the name, type or aliases of an entity. */
    update(input: KnowledgeUpdateInput, options?: CallOptions): Promise<Entity>;
    /** Create or correct a fact manually. */
    createFact(input: KnowledgeCreateFactInput, options?: CallOptions): Promise<Fact>;
    /** Invalidate a fact; it stays in the history. */
    removeFact(input: KnowledgeRemoveFactInput, options?: CallOptions): Promise<Fact>;
    /**
     * Extract the entities and facts of a memory now. Extraction runs automatically after a create
     * or a change; this request waits for the result.
     */
    extract(input: KnowledgeExtractInput, options?: CallOptions): Promise<KnowledgeExtractResult>;
    /**
     * Permanently merge an entity into another. The target receives the names, relationships and
     * facts; the id of the source continues to resolve to the target. The types must be equal,
     * unless force is true.
     */
    merge(input: KnowledgeMergeInput, options?: CallOptions): Promise<KnowledgeMergeResult>;
    /** Alias of POST /knowledge/entities/merge. Deprecated: use POST /knowledge/entities/merge. */
    mergeEntities(input: KnowledgeMergeEntitiesInput, options?: CallOptions): Promise<KnowledgeMergeEntitiesResult>;
    /** Read the neighbourhood of an entity. Returns at most 500 nodes, the nearest first. */
    subgraph(input: KnowledgeSubgraphInput, options?: CallOptions): Promise<KnowledgeSubgraphResult>;
    /**
     * Find the shortest path between two entities. Follows current relationships in either
     * direction.
     */
    path(input: KnowledgePathInput, options?: CallOptions): Promise<KnowledgePathResult>;
    /**
     * Read the memories and entities around a memory or an entity. Connects memories to the
     * entities that they mention, entities by facts, and memories by relationships. If the limit
     * cuts the graph, it has the nearest nodes, and of equally near ones those with the strongest
     * edge, where a mention counts half; equal requests have equal responses. Relationships are
     * included if the key has `relationships:read`. Also requires the scope memories:read.
     */
    neighbourhood(input?: KnowledgeNeighbourhoodInput, options?: CallOptions): Promise<Neighbourhood>;
    /**
     * Read the entities and facts that a memory states. As they were extracted last; a new memory
     * has none for some seconds. At most 200 facts, the newest first.
     */
    ofMemory(input: KnowledgeOfMemoryInput, options?: CallOptions): Promise<MemoryKnowledge>;
  };
  readonly clusters: {
    /**
     * Create a cluster. The name is unique in its space, or among account-wide clusters,
     * case-insensitively. A cluster of a space accepts memories of that space, an account-wide
     * cluster memories of any space.
     */
    create(input: ClustersCreateInput, options?: CallOptions): Promise<Cluster>;
    /** List clusters. Paginated by offset, or by cursor, which is stable while others write. */
    list(input?: ClustersListInput, options?: CallOptions): ListCall<ClustersListResult, ClusterWithMore>;
    /**
     * Read a cluster, optionally with its memories. include_memories also requires the scope
     * memories:read.
     */
    get(input: ClustersGetInput, options?: CallOptions): Promise<ClusterDetail>;
    /**
     * Change a cluster; metadata is replaced. An automatic cluster keeps the name for as long as
     * runs keep the cluster.
     */
    update(input: ClustersUpdateInput, options?: CallOptions): Promise<Cluster>;
    /** Delete a cluster; its memories stay. */
    remove(input: ClustersRemoveInput, options?: CallOptions): Promise<void>;
    /**
     * Merge other clusters into this one. The other clusters are deleted. A memory in several
     * clusters keeps its highest confidence and its earliest added_at. A cluster of a space
     * accepts only clusters of that space.
     */
    merge(input: ClustersMergeInput, options?: CallOptions): Promise<Cluster>;
    /** List the memories of a cluster. Also requires the scope memories:read. */
    memories(input: ClustersMemoriesInput, options?: CallOptions): ListCall<ClustersMemoriesResult, ClusteredMemory>;
    /**
     * Add a memory to clusters, all or none. For existing memberships, the confidence is updated.
     * A memory can be added manually to at most 100 clusters.
     */
    associate(input: ClustersAssociateInput, options?: CallOptions): Promise<ClustersAssociateResult>;
    /** List the clusters of a memory, by name. */
    ofMemory(input: ClustersOfMemoryInput, options?: CallOptions): ListCall<ClustersOfMemoryResult, ClusterOfMemory>;
    /** Remove a memory from a cluster. */
    dissociate(input: ClustersDissociateInput, options?: CallOptions): Promise<void>;
    /** Count clusters and their memories. */
    stats(input?: ClustersStatsInput, options?: CallOptions): Promise<ClusterStats>;
    /**
     * Read the quality metrics of a cluster. Computed from the embeddings: silhouette and DBCV
     * relative to the other clusters in its scope, and the mean cosine to the centroid. Null until
     * a run or a request computes them.
     */
    quality(input: ClustersQualityInput, options?: CallOptions): Promise<ClustersQualityResult>;
    /** Read the topics of a cluster. */
    topics(input: ClustersTopicsInput, options?: CallOptions): Promise<ClustersTopicsResult>;
    /** Recompute the quality metrics of a cluster, as a job. */
    refreshMetrics(input: ClustersRefreshMetricsInput, options?: CallOptions): Promise<ClustersRefreshMetricsResult>;
    /**
     * Recompute the centroid of a cluster, as a job. Normally not needed: the service updates the
     * centroid with every change.
     */
    recomputeCentroid(input: ClustersRecomputeCentroidInput, options?: CallOptions): Promise<ClustersRecomputeCentroidResult>;
    /**
     * Read the map of the memories: a place in two dimensions for each. Each full run makes the
     * map of its scope, on which memories with similar texts are close. Memories that are stored
     * or changed later are placed at the weighted mean of their nearest neighbours; the request
     * that counts them in unplaced_count starts that. `Accept: application/octet-stream` answers
     * the same in 26 bytes for each point, in little-endian order: the length of the header in 4
     * bytes, the header (JSON with `map`, `clusters`, `total_count`, `unplaced_count` and `count`,
     * padded with spaces to a multiple of 4 bytes), the ids of 16 bytes, x of all points and then
     * y as 4-byte floats, and the index of the cluster in 2 bytes, 65535 for none.
     */
    map(input?: ClustersMapInput, options?: CallOptions): Promise<ClusterMap>;
    /**
     * Start a full clustering run, as a job. Clusters all memories of the space that are in no
     * manual cluster; without a space, the memories of all spaces, for keys without space limits.
     * Replaces the result of earlier runs in the same scope; a cluster whose members mostly stay
     * keeps its id. The algorithm and the size default to the configuration.
     */
    full(input?: ClustersFullInput, options?: CallOptions): Promise<ClustersFullResult>;
    /**
     * Assign memories to existing automatic clusters, as a job. Assigns each memory to the nearest
     * centroid if their cosine, which becomes the confidence, is 0.6 or more. Other memories stay
     * unassigned.
     */
    incremental(input?: ClustersIncrementalInput, options?: CallOptions): Promise<ClustersIncrementalResult>;
    /** Read the latest run and the totals. */
    status(input?: ClustersStatusInput, options?: CallOptions): Promise<ClustersStatusResult>;
    /** List clustering runs, newest first. */
    runs(input?: ClustersRunsInput, options?: CallOptions): ListCall<ClustersRunsResult, ClusterRun>;
    /** Read the clustering configuration. */
    config(input?: ClustersConfigInput, options?: CallOptions): Promise<ClusterConfig>;
    /**
     * Change the clustering configuration. With auto_enabled, new memories are assigned
     * automatically, and a full run starts when the share of unassigned memories has grown. Keys
     * that are limited to spaces are rejected.
     */
    configure(input: ClustersConfigureInput, options?: CallOptions): Promise<ClusterConfig>;
  };
  readonly search: {
    /**
     * Search memories by meaning and words. Semantic and keyword relevance together rank the
     * memories. A "quoted phrase" must occur in a result; -term excludes results with that term.
     * metadata.<key>=value filters by metadata.
     */
    get(input: SearchGetInput, options?: CallOptions): Promise<SearchGetResult>;
    /** Search memories with a JSON body. */
    post(input: SearchPostInput, options?: CallOptions): Promise<SearchPostResult>;
    /**
     * Build a context for a prompt from relevant memories. Contains the most relevant memories
     * first, then related ones, within max_tokens (o200k). Superseded memories are omitted; a
     * question about the past keeps them, marked as outdated. Memories whose facts have ended are
     * kept, marked as outdated.
     */
    recall(input: SearchRecallInput, options?: CallOptions): Promise<RecallAnswer>;
    /**
     * Run up to 20 searches, each separately. An invalid query returns an error at its position;
     * the others run. Each successful query counts as one search. If the quota is exhausted
     * between them, the remaining queries fail; if no query can run, the whole request fails.
     */
    batch(input: SearchBatchInput, options?: CallOptions): Promise<SearchBatchResult>;
    /**
     * Find memories, clusters and spaces by words. Keyword search only: nothing is embedded, and
     * no search is counted. Quotes and -term work as in a search. The response has every group;
     * groups that were not requested, or whose area the key cannot read, are empty.
     */
    global(input: SearchGlobalInput, options?: CallOptions): Promise<SearchGlobalResult>;
    /**
     * List memories with exactly this tag. Ordered by priority, then newest first. Does not count
     * as a search.
     */
    topic(input: SearchTopicInput, options?: CallOptions): Promise<SearchTopicResult>;
    /**
     * Count search matches by tag, cluster, content type, priority or time. Counts all matches,
     * not only the first results. A memory with several tags counts in each group. The time is
     * occurred_at, or created_at without one.
     */
    aggregate(input: SearchAggregateInput, options?: CallOptions): Promise<SearchAggregateResult>;
    /** List the memories with the most similar embeddings. */
    similar(input: SearchSimilarInput, options?: CallOptions): Promise<SearchSimilarResult>;
    /** List the pipelines of a search: the built-in ones, then the presets by name. */
    listPresets(input?: SearchListPresetsInput, options?: CallOptions): ListCall<SearchListPresetsResult, SearchPreset>;
    /** Read a preset or built-in pipeline. */
    getPreset(input: SearchGetPresetInput, options?: CallOptions): Promise<SearchPreset>;
    /**
     * Create or replace a preset. Searches of the account can use the name as `pipeline`; a limit
     * or threshold in the search overrides that of the preset. A built-in name is 409 conflict.
     * Keys that are limited to spaces are rejected.
     */
    putPreset(input: SearchPutPresetInput, options?: CallOptions): Promise<SearchPreset>;
    /** Delete a preset. */
    removePreset(input: SearchRemovePresetInput, options?: CallOptions): Promise<void>;
  };
  readonly spaces: {
    /** Create a space. */
    create(input: SpacesCreateInput, options?: CallOptions): Promise<Space>;
    /** List spaces, by name. */
    list(input?: SpacesListInput, options?: CallOptions): ListCall<SpacesListResult, Space>;
    /** Read a space. */
    get(input: SpacesGetInput, options?: CallOptions): Promise<Space>;
    /** Change a space. */
    update(input: SpacesUpdateInput, options?: CallOptions): Promise<Space>;
    /** Delete an empty space. */
    remove(input: SpacesRemoveInput, options?: CallOptions): Promise<void>;
  };
  readonly cliSessions: {
    /** Create a session. */
    create(input: CliSessionsCreateInput, options?: CallOptions): Promise<CliSession>;
    /** List sessions; archived ones only with include_archived. */
    list(input?: CliSessionsListInput, options?: CallOptions): ListCall<CliSessionsListResult, CliSession>;
    /** List active sessions, the most recently used first. */
    active(input?: CliSessionsActiveInput, options?: CallOptions): Promise<CliSessionsActiveResult>;
    /** Count sessions by status and type. */
    stats(input?: CliSessionsStatsInput, options?: CallOptions): Promise<CliSessionStats>;
    /** Read a session. */
    get(input: CliSessionsGetInput, options?: CallOptions): Promise<CliSession>;
    /**
     * Change a session; only the summary of a completed one. metadata is merged (RFC 7396: null
     * removes a key); tags are replaced.
     */
    update(input: CliSessionsUpdateInput, options?: CallOptions): Promise<CliSession>;
    /**
     * Permanently delete a session and its memories. A memory with soft protection requires
     * confirm=true; a memory with hard protection blocks the deletion. Everything disappears from
     * reads immediately; a job erases the data.
     */
    remove(input: CliSessionsRemoveInput, options?: CallOptions): Promise<void>;
    /** Pause an active session: it accepts no new memories. */
    pause(input: CliSessionsPauseInput, options?: CallOptions): Promise<CliSession>;
    /** Resume a paused session. */
    resume(input: CliSessionsResumeInput, options?: CallOptions): Promise<CliSession>;
    /** Complete an active or paused session: it becomes read-only. */
    complete(input: CliSessionsCompleteInput, options?: CallOptions): Promise<CliSession>;
    /** Archive a completed session: lists omit it by default. */
    archive(input: CliSessionsArchiveInput, options?: CallOptions): Promise<CliSession>;
    /** List the memories of a session in order. Also requires the scope memories:read. */
    memories(input: CliSessionsMemoriesInput, options?: CallOptions): ListCall<CliSessionsMemoriesResult, Memory>;
    /**
     * Store chat messages as memories of a session, all or none. The role, name and created_at of
     * a message become metadata.role, metadata.speaker and occurred_at. Messages are exempt from
     * the duplicate check.
     */
    postMessages(input: CliSessionsPostMessagesInput, options?: CallOptions): Promise<CliSessionsPostMessagesResult>;
  };
  readonly sessions: {
    /**
     * List activation sessions. An activation session groups the memories that were found
     * together. It starts when a search or recall has session=<key>, and closes after 30 minutes
     * without access.
     */
    list(input?: SessionsListInput, options?: CallOptions): ListCall<SessionsListResult, ActivationSession>;
    /** List open activation sessions, the most recently used first. */
    active(input?: SessionsActiveInput, options?: CallOptions): ListCall<SessionsActiveResult, ActivationSession>;
    /** Read an activation session. */
    get(input: SessionsGetInput, options?: CallOptions): Promise<ActivationSessionDetail>;
    /**
     * List the memories of an activation session in the order of first access. Also requires the
     * scope memories:read.
     */
    memories(input: SessionsMemoriesInput, options?: CallOptions): ListCall<SessionsMemoriesResult, Memory>;
    /**
     * Export an activation session as markdown, json, csv or html. In the json format, `create` of
     * each memory is a body for POST /memories/bulk. Posting them 100 at a time (at most 64 MiB)
     * to an empty space restores all memories with every field of a create; only the vectors are
     * computed again. Chat messages, and repeated contents after the first, have allow_duplicate.
     * The csv has a record for each memory, with the relationships that start at it, and no
     * formulas; the html needs no network. The export is streamed and has no size limit; memories
     * that are deleted before they are sent are omitted. Also requires the scope memories:read.
     */
    export(input: SessionsExportInput & { query: { format: 'json' } }, options?: CallOptions): Promise<ActivationExport>;
    export(input: SessionsExportInput, options?: CallOptions): Promise<SessionsExportResult>;
    /**
     * Report on an activation session. The report is streamed and has no size limit; memories that
     * are deleted before they are sent are omitted. Also requires the scope memories:read.
     */
    report(input: SessionsReportInput, options?: CallOptions): Promise<ActivationReport>;
  };
  readonly account: {
    /** Read the key's account: plan, limits, usage, settings, model. */
    get(input?: AccountGetInput, options?: CallOptions): Promise<Account>;
    /**
     * Change name, contact address or settings. Omitted fields stay unchanged; null restores a
     * default. Keys that are limited to spaces are rejected.
     */
    update(input: AccountUpdateInput, options?: CallOptions): Promise<Account>;
    /**
     * List changes of the account and its keys, newest first. Keys that are limited to spaces are
     * rejected.
     */
    audit(input?: AccountAuditInput, options?: CallOptions): ListCall<AccountAuditResult, AuditEntry>;
  };
  readonly auth: {
    /**
     * Create a session token with the permissions of the key, or of one user. For people and web
     * consoles. The token works on every route that the scopes of its key allow, until expires_at
     * or until the key itself is invalid. Requires an API key: a session token cannot create
     * another one. With user_id, the token sees and writes only memories of that user;
     * `x-user-tokens` says on which routes.
     */
    createToken(input?: AuthCreateTokenInput, options?: CallOptions): Promise<IssuedSessionToken>;
    /**
     * Renew a session token that was created with renewable_for. The token in the body is the
     * credential. The new one has the same id and is valid for as long as the first one was, at
     * most until renewable_until. A token with single_use is replaced by another one and revoked.
     * 401 `expired_token`: the token cannot be renewed, or was revoked. Changes of the key apply:
     * a revoked or rotated key ends its tokens.
     */
    renewToken(input: AuthRenewTokenInput, options?: CallOptions): Promise<IssuedSessionToken>;
    /**
     * List session tokens that are valid or renewable, newest first. Lists the tokens of the
     * calling key; with the scope `admin`, of all keys. A key that is limited to spaces sees only
     * the tokens of keys that have no more access than itself.
     */
    listTokens(input?: AuthListTokensInput, options?: CallOptions): ListCall<AuthListTokensResult, SessionToken>;
    /**
     * Revoke a session token. The token must be one that GET /auth/tokens lists; a session token
     * can revoke itself. A revoked token is 401 `expired_token`: immediately in this process,
     * within 10 s in all others.
     */
    revokeToken(input: AuthRevokeTokenInput, options?: CallOptions): Promise<void>;
  };
  readonly keys: {
    /**
     * Create an API key; the secret is returned once. Without scopes the key gets every scope
     * except operator. A key cannot grant permissions that it lacks.
     */
    create(input: KeysCreateInput, options?: CallOptions): Promise<IssuedApiKey>;
    /**
     * List the keys of the account. A key that is limited to spaces sees only keys that have no
     * more access than itself.
     */
    list(input?: KeysListInput, options?: CallOptions): ListCall<KeysListResult, ApiKey>;
    /** Revoke a key. */
    revoke(input: KeysRevokeInput, options?: CallOptions): Promise<void>;
    /** Rotate the secret of a key. The previous secret stays valid for grace_seconds (default 0). */
    rotate(input: KeysRotateInput, options?: CallOptions): Promise<IssuedApiKey>;
  };
  readonly grants: {
    /**
     * List what OAuth clients were allowed, newest first. A grant is what a person allowed a
     * client on the consent page. A key that is limited to spaces sees only grants that have no
     * more access than itself.
     */
    list(input?: GrantsListInput, options?: CallOptions): ListCall<GrantsListResult, OAuthGrant>;
    /** Revoke a grant: the client loses its access. All its tokens end immediately. */
    revoke(input: GrantsRevokeInput, options?: CallOptions): Promise<void>;
  };
  readonly admin: {
    /** Create an account. */
    createAccount(input: AdminCreateAccountInput, options?: CallOptions): Promise<AccountState>;
    /** List accounts, oldest first. */
    listAccounts(input?: AdminListAccountsInput, options?: CallOptions): ListCall<AdminListAccountsResult, AccountState>;
    /** Read an account. */
    getAccount(input: AdminGetAccountInput, options?: CallOptions): Promise<AccountState>;
    /** Change the plan, name, settings or suspension of an account. */
    updateAccount(input: AdminUpdateAccountInput, options?: CallOptions): Promise<AccountState>;
    /**
     * Delete an account with all its data. Requires confirm=true. The keys stop working
     * immediately; a job erases the data.
     */
    deleteAccount(input: AdminDeleteAccountInput, options?: CallOptions): Promise<void>;
    /** Create an API key for an account. */
    createKey(input: AdminCreateKeyInput, options?: CallOptions): Promise<IssuedApiKey>;
    /**
     * Start a consistency check of derived data and counters. A job runs it in small steps next to
     * live traffic.
     */
    startVerification(input?: AdminStartVerificationInput, options?: CallOptions): Promise<AdminStartVerificationResult>;
    /** Read the progress and findings of a verification, for 7 days. */
    getVerification(input: AdminGetVerificationInput, options?: CallOptions): Promise<Verification>;
    /**
     * Create and download a backup of the installation. One consistent archive of the database and
     * the files, with checksums, created while the service runs. `mneme restore` reads it. It
     * contains the secret key, encrypted, only with MNEME_BACKUP_PASSPHRASE. An interrupted
     * response is not a backup.
     */
    backup(input?: AdminBackupInput, options?: CallOptions): Promise<Response>;
    /** Read the health and the problems of the installation, with remedies. */
    getDiagnosis(input?: AdminGetDiagnosisInput, options?: CallOptions): Promise<Diagnosis>;
    /**
     * Acknowledge findings about the stored data. An acknowledged finding no longer degrades the
     * health. It stays listed.
     */
    acknowledgeFindings(input?: AdminAcknowledgeFindingsInput, options?: CallOptions): Promise<Diagnosis>;
    /**
     * Re-embed all accounts with the current embedding model, or change to another one. A job
     * embeds all memories next to live traffic, account by account. If one is already running, its
     * id is returned. A vector that a caller supplied is replaced by one of the content. A change
     * to another model keeps the former vectors in use until all new ones exist; if it fails or is
     * cancelled, the former model stays.
     */
    startReembedding(input?: AdminStartReembeddingInput, options?: CallOptions): Promise<AdminStartReembeddingResult>;
    /** Read the progress of a re-embedding, for 7 days. */
    getReembedding(input: AdminGetReembeddingInput, options?: CallOptions): Promise<Reembedding>;
    /** List the known and the installed embedding models. */
    listModels(input?: AdminListModelsInput, options?: CallOptions): Promise<EmbeddingModels>;
    /**
     * Remove an installed embedding model from the data folder of the server. A model that is in
     * use is not removed.
     */
    removeModel(input: AdminRemoveModelInput, options?: CallOptions): Promise<AdminRemoveModelResult>;
    /**
     * Compare two embedding models on questions of an account. A job collects questions with known
     * answers: queries of helpful feedback, questions of users in sessions with the reply that
     * follows, and memories that replace older ones. It searches for the answers among at most
     * 2,000 other memories. Nothing is changed.
     */
    startModelTest(input: AdminStartModelTestInput, options?: CallOptions): Promise<AdminStartModelTestResult>;
    /** Read the progress and the result of a comparison of models, for 7 days. */
    getModelTest(input: AdminGetModelTestInput, options?: CallOptions): Promise<ModelTest>;
    /**
     * Pause webhook calls and emails in all processes. Within a second no process starts another
     * call or email; those in progress complete. Events, deliveries and emails are still queued.
     * No effect while deliveries are paused.
     */
    pauseDeliveries(input?: AdminPauseDeliveriesInput, options?: CallOptions): Promise<DeliveryState>;
    /**
     * Resume webhook calls and emails. Due deliveries and emails are sent once, in order; one
     * email of each digest covers all missed periods. A restored service starts with deliveries
     * paused.
     */
    resumeDeliveries(input?: AdminResumeDeliveriesInput, options?: CallOptions): Promise<DeliveryState>;
    /**
     * List permanent erasures, newest first: ids and times, no content. The ledger is replayed
     * after a restore, so that erased data does not reappear. Entries outlive their accounts, for
     * MNEME_ERASURES_KEPT_DAYS.
     */
    listErasures(input?: AdminListErasuresInput, options?: CallOptions): ListCall<AdminListErasuresResult, Erasure>;
    /**
     * Verify an erasure, and report what files still contain. Searches every table for the id.
     * Within a minute of an erasure no row has the content. Copies of the search index lose it
     * within a minute, database files when their tables are vacuumed, older backups when they are
     * deleted.
     */
    getErasure(input: AdminGetErasureInput, options?: CallOptions): Promise<ErasureReport>;
    /** List the jobs of all accounts and of the service, newest first. */
    listJobs(input?: AdminListJobsInput, options?: CallOptions): ListCall<AdminListJobsResult, OperatorJob>;
    /**
     * Run a failed job of any account again. As `POST /jobs/:id/retry` does for a job of the own
     * account.
     */
    retryJob(input: AdminRetryJobInput, options?: CallOptions): Promise<OperatorJob>;
    /**
     * List the job queues with their states. Each process runs one job of a queue at a time.
     * Webhook calls and emails are not jobs: `POST /admin/deliveries/pause` pauses them.
     */
    listQueues(input?: AdminListQueuesInput, options?: CallOptions): Promise<AdminListQueuesResult>;
    /**
     * Pause a job queue in all processes. No process begins another job of the queue; a running
     * job completes. Jobs are still queued. The pause outlives restarts. The `default` queue also
     * erases what was deleted, and makes backups due.
     */
    pauseQueue(input: AdminPauseQueueInput, options?: CallOptions): Promise<AdminPauseQueueResult>;
    /** Resume a job queue. Due jobs begin within about a second. */
    resumeQueue(input: AdminResumeQueueInput, options?: CallOptions): Promise<AdminResumeQueueResult>;
    /** Export one account, or all accounts, as a portable archive. */
    export(input?: AdminExportInput, options?: CallOptions): Promise<Response>;
    /**
     * Import an archive of one or several accounts. Each account of the archive is imported into
     * the account with its id; a missing one is created, without keys.
     */
    import(input: AdminImportInput, options?: CallOptions): Promise<QueuedImport>;
    /** Read the progress and the report of an import of the operator, for 7 days. */
    getImport(input: AdminGetImportInput, options?: CallOptions): Promise<Import>;
  };
  readonly transfers: {
    /**
     * Export the account, a space or a user as a portable archive. A gzip’d tar file of NDJSON
     * files with everything that the key may read: a key that is limited to spaces exports these,
     * a token of one user exports this user, and a kind of record whose scope the key lacks is
     * left out. It has no vectors and no secrets.
     */
    export(input?: TransfersExportInput, options?: CallOptions): Promise<Response>;
    /**
     * Import an archive into the account. The whole archive is checked before the response; 422
     * invalid_archive says what is wrong with it, and then nothing is imported. A job imports it.
     * To import an archive again changes nothing; records of another account get new ids, which
     * depend on the account and the former id. One import of an account runs at a time: 409.
     */
    import(input: TransfersImportInput, options?: CallOptions): Promise<QueuedImport>;
    /** Read the progress and the report of an import, for 7 days. */
    getImport(input: TransfersGetImportInput, options?: CallOptions): Promise<Import>;
  };
  readonly email: {
    /** Read the email address of the account. */
    getAddress(input?: EmailGetAddressInput, options?: CallOptions): Promise<EmailAddress>;
    /**
     * Create the email address of the account. If an address exists: 409 conflict, unless
     * regenerate is true.
     */
    createAddress(input?: EmailCreateAddressInput, options?: CallOptions): Promise<EmailAddress>;
    /** Replace the address; the previous one works for a grace period. */
    rotateAddress(input?: EmailRotateAddressInput, options?: CallOptions): Promise<EmailRotateAddressResult>;
    /** List current and former addresses, newest first. */
    listAddresses(input?: EmailListAddressesInput, options?: CallOptions): ListCall<EmailListAddressesResult, EmailAddress>;
    /** Deactivate the current and all former addresses. */
    deactivateAddress(input?: EmailDeactivateAddressInput, options?: CallOptions): Promise<void>;
    /** List received emails, newest first. */
    listHistory(input?: EmailListHistoryInput, options?: CallOptions): ListCall<EmailListHistoryResult, Mail>;
    /** Read a received email. */
    getHistory(input: EmailGetHistoryInput, options?: CallOptions): Promise<Mail>;
    /** List the attachments of an email in order. */
    listAttachments(input: EmailListAttachmentsInput, options?: CallOptions): ListCall<EmailListAttachmentsResult, Attachment>;
    /** Read the metadata of an attachment. */
    getAttachment(input: EmailGetAttachmentInput, options?: CallOptions): Promise<Attachment>;
    /** Create a signed link to the bytes, which works without a key. */
    downloadAttachment(input: EmailDownloadAttachmentInput, options?: CallOptions): Promise<EmailDownloadAttachmentResult>;
    /**
     * Download an attachment with a signed link. An expired or modified link is 403
     * insufficient_permissions.
     */
    attachmentContent(input: EmailAttachmentContentInput, options?: CallOptions): Promise<Response>;
    /** Delete an attachment and its bytes. A memory that was created from its text stays. */
    removeAttachment(input: EmailRemoveAttachmentInput, options?: CallOptions): Promise<void>;
    /** List sender rules, newest first. */
    listSenders(input?: EmailListSendersInput, options?: CallOptions): ListCall<EmailListSendersResult, SenderRule>;
    /**
     * Allow or block senders. The most specific matching rule applies; among equal ones, block
     * wins. If any allow rule exists, other senders are rejected. Only senders that a rule allows,
     * and whose domain SPF, DKIM or DMARC authenticates, receive replies and run commands other
     * than store. With an owner, the rule allows email of this owner only: what such a sender
     * writes belongs to the owner, and commands reach nothing else. Also requires the scope
     * memories:read.
     */
    addSender(input: EmailAddSenderInput, options?: CallOptions): Promise<SenderRule>;
    /** Check whether email from a sender is accepted. */
    checkSender(input: EmailCheckSenderInput, options?: CallOptions): Promise<EmailCheckSenderResult>;
    /** Delete the rule of a pattern. */
    removeSender(input: EmailRemoveSenderInput, options?: CallOptions): Promise<void>;
    /**
     * Submit a raw MIME message, for relays without SMTP. The message is durable when the response
     * arrives, and processed soon after. Without verified=true the sender counts as authenticated
     * only if DKIM, or SPF for `sender` and `ip`, authenticates the domain of the From field. With
     * an owner, the email becomes a memory of this owner, and its commands reach nothing else; if
     * the rule of its sender names another one, it is rejected. Keys that are limited to spaces
     * are rejected.
     */
    inbound(input: EmailInboundInput, options?: CallOptions): Promise<EmailInboundResult>;
    /** List reactions, newest first. */
    listReactions(input?: EmailListReactionsInput, options?: CallOptions): ListCall<EmailListReactionsResult, Reaction>;
    /** Create a reaction: an email on an event. Also requires the scope memories:read. */
    createReaction(input: EmailCreateReactionInput, options?: CallOptions): Promise<Reaction>;
    /** Change a reaction. Also requires the scope memories:read. */
    updateReaction(input: EmailUpdateReactionInput, options?: CallOptions): Promise<Reaction>;
    /** Delete a reaction. */
    removeReaction(input: EmailRemoveReactionInput, options?: CallOptions): Promise<void>;
    /** List digests, newest first. */
    listDigests(input?: EmailListDigestsInput, options?: CallOptions): ListCall<EmailListDigestsResult, Digest>;
    /**
     * Create a digest: a scheduled email about new memories. Also requires the scope
     * memories:read.
     */
    createDigest(input: EmailCreateDigestInput, options?: CallOptions): Promise<Digest>;
    /** Change a digest. Also requires the scope memories:read. */
    updateDigest(input: EmailUpdateDigestInput, options?: CallOptions): Promise<Digest>;
    /** Delete a digest. */
    removeDigest(input: EmailRemoveDigestInput, options?: CallOptions): Promise<void>;
    /** Send a digest now, in addition to its schedule. Also requires the scope memories:read. */
    sendDigest(input: EmailSendDigestInput, options?: CallOptions): Promise<EmailSendDigestResult>;
    /**
     * List outbound emails and their status, newest first, for 30 days. A key that is limited to
     * spaces sees only emails about its spaces. An email that was not sent after a suspension of
     * the account is `failed`, with the reason in `lastError`.
     */
    listOutbound(input?: EmailListOutboundInput, options?: CallOptions): ListCall<EmailListOutboundResult, OutboundMail>;
    /**
     * Queue a failed outbound email again. The server sends it again at once. 409 conflict unless
     * `isRetryable` is true, and for reactions and digests to an address on the suppression list.
     * Also requires the scope memories:read.
     */
    retryOutbound(input: EmailRetryOutboundInput, options?: CallOptions): Promise<OutboundMail>;
    /** List addresses that receive no reactions and digests, newest first. */
    listSuppressions(input?: EmailListSuppressionsInput, options?: CallOptions): ListCall<EmailListSuppressionsResult, Suppression>;
    /** Allow reactions and digests to an address again. */
    removeSuppression(input: EmailRemoveSuppressionInput, options?: CallOptions): Promise<void>;
    /**
     * Show the unsubscribe page. Reading it changes nothing, because programs follow links in
     * emails.
     */
    unsubscribePage(input: EmailUnsubscribePageInput, options?: CallOptions): Promise<Response>;
    /** Unsubscribe with one click (RFC 8058). */
    unsubscribe(input: EmailUnsubscribeInput, options?: CallOptions): Promise<Response>;
  };
  readonly webhooks: {
    /** List webhooks, newest first. */
    list(input?: WebhooksListInput, options?: CallOptions): ListCall<WebhooksListResult, Webhook>;
    /**
     * Create a webhook. The webhook receives events from now on, each at least once; first
     * attempts are in order of commit. Only this response contains the secret. Also requires the
     * scope memories:read.
     */
    create(input: WebhooksCreateInput, options?: CallOptions): Promise<Webhook>;
    /** Count webhooks and their deliveries. */
    stats(input?: WebhooksStatsInput, options?: CallOptions): Promise<WebhooksStatsResult>;
    /** List the event types of webhooks. */
    eventTypes(input?: WebhooksEventTypesInput, options?: CallOptions): Promise<WebhooksEventTypesResult>;
    /** Create up to 100 webhooks, all or none. Also requires the scope memories:read. */
    bulkCreate(input: WebhooksBulkCreateInput, options?: CallOptions): Promise<WebhooksBulkCreateResult>;
    /** Delete up to 100 webhooks; unknown ids are ignored. */
    bulkDelete(input: WebhooksBulkDeleteInput, options?: CallOptions): Promise<WebhooksBulkDeleteResult>;
    /** Read a webhook. */
    get(input: WebhooksGetInput, options?: CallOptions): Promise<Webhook>;
    /**
     * Change, enable or disable a webhook, or rotate its secret. Only the response to this request
     * contains a new secret; deliveries are also signed with the previous one for 24 hours. Events
     * that occur while a webhook is disabled wait for it, for up to 30 days. Also requires the
     * scope memories:read.
     */
    update(input: WebhooksUpdateInput, options?: CallOptions): Promise<Webhook>;
    /** Delete a webhook and its delivery log. */
    remove(input: WebhooksRemoveInput, options?: CallOptions): Promise<void>;
    /**
     * Send a test event now, and return the response of the endpoint. 409 conflict while the
     * operator has paused deliveries.
     */
    test(input: WebhooksTestInput, options?: CallOptions): Promise<WebhooksTestResult>;
    /**
     * List past and pending deliveries, newest first, for 30 days. A delivery that was not sent
     * after a suspension of the account is `failed`, with the reason in `error` and no attempt.
     * Also requires the scope memories:read.
     */
    listDeliveries(input: WebhooksListDeliveriesInput, options?: CallOptions): ListCall<WebhooksListDeliveriesResult, WebhookDelivery>;
    /** Read a delivery. Also requires the scope memories:read. */
    getDelivery(input: WebhooksGetDeliveryInput, options?: CallOptions): Promise<WebhookDelivery>;
    /**
     * Attempt a failed or retrying delivery now. 409 conflict for a delivery that succeeded or was
     * not attempted yet, and while the operator has paused deliveries. Also requires the scope
     * memories:read.
     */
    retryDelivery(input: WebhooksRetryDeliveryInput, options?: CallOptions): Promise<WebhooksRetryDeliveryResult>;
    /**
     * Send past events again. Creates new deliveries of stored events, up to 30 days old, in their
     * order. The job fails if the account is suspended before it completes. Also requires the
     * scope memories:read.
     */
    replay(input: WebhooksReplayInput, options?: CallOptions): Promise<WebhooksReplayResult>;
  };
  readonly operations: {
    /**
     * Read the health of the service. `checks.deliveries` and `checks.queues` also report what an
     * operator has paused, since when, and how to resume it. A pause does not change `status`.
     * `checks.workers`, of servers with `MNEME_JOBS=off`, fails while no process runs jobs.
     */
    health(input?: OperationsHealthInput, options?: CallOptions): Promise<OperationsHealthResult>;
    /** Check whether a load balancer can send requests. */
    ready(input?: OperationsReadyInput, options?: CallOptions): Promise<OperationsReadyResult>;
    /**
     * Check whether the process responds. Never uses the database: a supervisor that restarts the
     * process when this fails does not restart it because of an outage elsewhere.
     */
    livez(input?: OperationsLivezInput, options?: CallOptions): Promise<OperationsLivezResult>;
    /**
     * Check whether the service can serve requests, with reasons. Checks that the database
     * responds within five seconds, that its schema is the one of this version, and that the
     * process is not about to stop.
     */
    readyz(input?: OperationsReadyzInput, options?: CallOptions): Promise<OperationsReadyzResult>;
    /**
     * Read metrics in the text format of Prometheus. Metrics contain no texts, and no names or ids
     * of accounts and users. MNEME_METRICS_PORT serves the same on a port of its own, without a
     * key.
     */
    metrics(input?: OperationsMetricsInput, options?: CallOptions): Promise<Response>;
    /** Read this contract as OpenAPI 3.1. */
    openapi(input?: OperationsOpenapiInput, options?: CallOptions): Promise<OperationsOpenapiResult>;
  };
  readonly jobs: {
    /**
     * List the jobs of the account, newest first. A key that is limited to spaces sees jobs of
     * such keys and those about its spaces: its pages may have fewer jobs than `limit`. Jobs are
     * kept for a week after their end.
     */
    list(input?: JobsListInput, options?: CallOptions): ListCall<JobsListResult, Job>;
    /** Read a job of the account. */
    get(input: JobsGetInput, options?: CallOptions): Promise<Job>;
    /**
     * Cancel a queued or running clustering run. The previous clusters stay unchanged. Other kinds
     * of jobs cannot be cancelled.
     */
    cancel(input: JobsCancelInput, options?: CallOptions): Promise<Job>;
    /**
     * Run a failed job again. The job gets the whole series of attempts again and keeps its id.
     * 409 `conflict` for a job that has not failed, and for kinds that a request of their own
     * begins again: the message names it.
     */
    retry(input: JobsRetryInput, options?: CallOptions): Promise<Job>;
  };
  readonly events: {
    /**
     * List events in order of commit, oldest first, for 30 days. To follow new events, store
     * next_cursor and repeat the request with it. With an owner as filter, and for a token of one
     * user: only events all of whose memories have this owner. Also requires the scope
     * memories:read.
     */
    list(input?: EventsListInput, options?: CallOptions): ListCall<EventsListResult, EventsListItem>;
  };
}
