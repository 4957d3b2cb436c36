import { type RawBuilder, sql } from 'kysely';
import type { Scene } from './scene.ts';

/** What can be wrong in one account, and how a verification names it. */
export interface Damage {
  readonly what: string;
  readonly done: (scene: Scene) => RawBuilder<unknown>;
  readonly found: (scene: Scene) => string;
  /** Whether a repair mends it. */
  readonly isMended?: boolean;
  /** Whether it needs a mail. */
  readonly isOfMail?: boolean;
}

/** The row of a document, by its account and id. */
export const ofDocument = ({ account }: Scene, id: string) =>
  sql`account_id = ${account}::uuid and id = ${id}::uuid`;
/** The row of a vector. */
export const ofVector = ({ account }: Scene, id: string) =>
  sql`account_id = ${account}::uuid and document_id = ${id}::uuid`;

const ofSubject = ({ account, entity }: Scene) =>
  sql`account_id = ${account}::uuid and subject_id = ${entity}::uuid`;

/** A suggestion that a memory outdates the note, which its document may name. */
export const suggest = ({ account, note }: Scene, newer: string, isNamed: boolean) => sql`
  with suggested as (
    insert into update_suggestions
      (account_id, newer_id, older_id, confidence, reason, status, created_at)
    values (${account}::uuid, ${newer}::uuid, ${note}::uuid, 0.8, 'replaced', 'open', now())
  )
  update documents set likely_superseded_by = ${isNamed ? [newer] : []}::uuid[]
  where account_id = ${account}::uuid and id = ${note}::uuid`;

export const damages: readonly Damage[] = [
  {
    what: 'a document that is lost',
    done: (s) => sql`delete from documents where ${ofDocument(s, s.note)}`,
    found: (s) => `documents: document_missing ${s.note}`,
    isMended: true,
  },
  {
    what: 'the lost document of a soft-deleted memory',
    done: (s) => sql`delete from documents where ${ofDocument(s, s.hidden)}`,
    found: (s) => `documents: document_missing ${s.hidden}`,
    isMended: true,
  },
  ...[
    ['tags', sql`tags = '{other}'`],
    ['pinned', sql`pinned = not pinned`],
    ['hidden', sql`hidden = not hidden`],
    ['priority', sql`priority = priority + 1`],
    ['speaker', sql`speaker = 'Nobody'`],
    ['role', sql`role = null`],
    ['sessionOrdinal', sql`session_ordinal = 99`],
    ['sessionId', sql`session_id = null`],
    ['spaceId', sql`space_id = ${'019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e'}::uuid`],
    ['userId', sql`user_id = 'nobody'`],
    ['agentId', sql`agent_id = 'nobody'`],
    ['runId', sql`run_id = 'nobody'`],
    ['occurredAt', sql`occurred_at = occurred_at + interval '1 second'`],
  ].map(
    ([name, change]): Damage => ({
      what: `a document with another ${name}`,
      done: (s) => sql`update documents set ${change} where ${ofDocument(s, s.turn)}`,
      found: (s) => `documents: document_differs ${s.turn}`,
      isMended: true,
    }),
  ),
  {
    what: 'terms of another text',
    done: (s) => sql`update documents set terms = '@ ' || chr(10) || '1:0:5 wrong 1'
      where ${ofDocument(s, s.note)}`,
    found: (s) => `documents: terms_differ ${s.note}`,
    isMended: true,
  },
  {
    what: 'terms that are lost',
    done: (s) => sql`update documents set terms = null where ${ofDocument(s, s.note)}`,
    found: (s) => `documents: terms_differ ${s.note}`,
    isMended: true,
  },
  {
    what: 'a vector that is lost',
    done: (s) => sql`delete from vectors where ${ofVector(s, s.turn)}`,
    found: (s) => `documents: vector_missing ${s.turn}`,
    isMended: true,
  },
  {
    what: 'a vector of another model alone',
    done: (s) => sql`update vectors set model = 'another' where ${ofVector(s, s.turn)}`,
    found: (s) => `documents: vector_missing ${s.turn}`,
    isMended: true,
  },
  {
    what: 'a vector that is cut',
    done: (s) =>
      sql`update vectors set vector = substr(vector, 1, 10) where ${ofVector(s, s.note)}`,
    found: (s) => `documents: vector_malformed ${s.note}`,
    isMended: true,
  },
  {
    what: 'vectors of passages that the memory does not have',
    done: (s) => sql`update vectors set passages = vector || vector where ${ofVector(s, s.note)}`,
    found: (s) => `documents: passages_malformed ${s.note}`,
    isMended: true,
  },
  {
    what: 'a tombstone of a memory that is there',
    done: (s) => sql`with lost as (delete from vectors where ${ofVector(s, s.note)})
      update documents set terms = null, deleted_at = now() where ${ofDocument(s, s.note)}`,
    found: (s) => `documents: document_buried ${s.note}`,
    isMended: true,
  },
  {
    what: 'a document without a memory',
    done: (s) => sql`update documents set deleted_at = null where ${ofDocument(s, s.gone)}`,
    found: (s) => `strays: document_stray ${s.gone}`,
    isMended: true,
  },
  {
    what: 'a tombstone that still tells what was said',
    done: (s) => sql`update documents set terms = '@' where ${ofDocument(s, s.gone)}`,
    found: (s) => `tombstones: tombstone_not_empty ${s.gone}`,
    isMended: true,
  },
  {
    what: 'positions past the account',
    done: (s) => sql`update account_positions set position = 1, index_position = 1
      where account_id = ${s.account}::uuid`,
    found: () => 'positions: position_ahead',
  },
  ...(['memories', 'spaces', 'api_keys'] as const).map(
    (metric): Damage => ({
      what: `a counter of ${metric} that is wrong`,
      done: (s) => sql`update usage_counters set used = used + 1
        where account_id = ${s.account}::uuid and metric = ${metric}`,
      found: () => `${metric === 'api_keys' ? 'accounts' : metric}: counter_differs`,
    }),
  ),
  {
    what: 'a counter below zero',
    done: (s) => sql`update usage_counters set used = -1
      where account_id = ${s.account}::uuid and metric = 'memories_created'`,
    found: () => 'accounts: counter_negative',
  },
  {
    what: 'a session that counts wrong',
    done: (s) => sql`update cli_sessions set memory_count = 7 where ${ofDocument(s, s.session)}`,
    found: (s) => `sessions: memory_count_differs ${s.session}`,
  },
  {
    what: 'a session that gives a place twice',
    done: (s) => sql`update cli_sessions set next_ordinal = 1 where ${ofDocument(s, s.session)}`,
    found: (s) => `sessions: next_place_taken ${s.session}`,
  },
  {
    what: 'a session that is lost',
    done: (s) => sql`delete from cli_sessions where ${ofDocument(s, s.session)}`,
    found: (s) => `session names: session_missing ${s.session}`,
  },
  {
    what: 'a fact that is lost',
    done: (s) => sql`delete from facts where ${ofSubject(s)}`,
    found: (s) => `facts: facts_differ ${s.entity}`,
    isMended: true,
  },
  {
    what: 'a fact that holds for another time',
    done: (s) => sql`update facts set valid_to = now() where ${ofSubject(s)}`,
    found: (s) => `facts: facts_differ ${s.entity}`,
    isMended: true,
  },
  {
    what: 'a fact that nobody says',
    done: (s) => sql`delete from assertions where ${ofSubject(s)}`,
    found: (s) => `facts: facts_differ ${s.entity}`,
    isMended: true,
  },
  {
    what: 'a statement that has ended by no other',
    done: (s) => sql`update assertions set ended_at = now(), ended_by = array[memory_id]
      where ${ofSubject(s)}`,
    found: (s) => `facts: ends_differ ${s.entity}`,
    isMended: true,
  },
  {
    what: 'a document of a memory whose facts have ended by no other',
    done: (s) => sql`update documents set facts_ended_at = now()
      where account_id = ${s.account}::uuid and id in (
        select memory_id from assertions where ${ofSubject(s)})`,
    found: (s) => `facts: ends_differ ${s.entity}`,
    isMended: true,
  },
  {
    what: 'a document whose facts have ended, of a memory without any',
    done: (s) => sql`update documents set facts_ended_at = now() where ${ofDocument(s, s.note)}`,
    found: (s) => `ended_facts: ends_differ ${s.note}`,
    isMended: true,
  },
  {
    what: 'what is said of an entity that is lost',
    done: (s) => sql`delete from entities where ${ofDocument(s, s.entity)}`,
    found: (s) => `facts: entity_missing ${s.entity}`,
  },
  {
    what: 'a relationship that takes too many memories for pinned',
    done: (s) => sql`update relationships set pinned_memory_count = 2
      where ${ofDocument(s, s.relationship)}`,
    found: (s) => `relationships: pins_differ ${s.relationship}`,
  },
  {
    what: 'a document that does not know what supersedes it',
    done: (s) => sql`update documents set superseded_by = '{}' where ${ofDocument(s, s.stale)}`,
    found: (s) => `successors: successors_differ ${s.stale}`,
    isMended: true,
  },
  {
    what: 'a document that something else supersedes',
    done: (s) => sql`update documents set superseded_by = superseded_by || ${s.note}::uuid
      where ${ofDocument(s, s.stale)}`,
    found: (s) => `successors: successors_differ ${s.stale}`,
    isMended: true,
  },
  {
    what: 'a document that may be outdated by what no suggestion names',
    done: (s) => sql`update documents set likely_superseded_by = array[${s.turn}::uuid]
      where ${ofDocument(s, s.note)}`,
    found: (s) => `likely_successors: likely_successors_differ ${s.note}`,
    isMended: true,
  },
  {
    what: 'a suggestion about memories of two owners',
    done: (s) => suggest(s, s.owned, true),
    found: (s) => `likely_successors: owner_differs ${s.note}`,
    isMended: true,
  },
  {
    what: 'an entity of a user without memories',
    done: (s) => sql`
      insert into entities
        (account_id, id, name, type, is_retained, speaker, created_at, updated_at)
      values (${s.account}::uuid, ${s.gone}::uuid, 'nobody', 'person', false, 'user:nobody', now(),
        now())`,
    found: (s) => `speakers: speaker_without_memories ${s.gone}`,
    isMended: true,
  },
  {
    what: 'a mail of another owner than its memories',
    done: (s) => sql`update inbound_mails set user_id = 'ben' where ${ofDocument(s, s.mail)}`,
    found: (s) => `mail_owners: owner_differs ${s.mail}`,
    isMended: true,
    isOfMail: true,
  },
  {
    what: 'an attachment that is a memory of another owner',
    done: (s) => sql`update email_attachments set memory_id = ${s.note}::uuid
      where account_id = ${s.account}::uuid`,
    found: (s) => `mail_owners: owner_differs ${s.mail}`,
    isOfMail: true,
  },
  {
    what: 'a command that acted on a memory of another owner',
    done: (s) => sql`update inbound_mails set response_memory_id = ${s.note}::uuid,
      parsed_intent = jsonb_set(parsed_intent, '{command}', '"forget"')
      where ${ofDocument(s, s.mail)}`,
    found: (s) => `mail_owners: owner_exceeded ${s.mail}`,
    isOfMail: true,
  },
  {
    what: 'a rule that blocks and has an owner',
    done: (s) => sql`update email_sender_rules set rule_type = 'block'
      where ${ofDocument(s, s.rule)}`,
    found: (s) => `sender_rules: owner_of_block ${s.rule}`,
    isMended: true,
    isOfMail: true,
  },
  {
    what: 'a cluster that counts memories that are not in it',
    done: (s) => sql`update clusters set memory_count = 2 where ${ofDocument(s, s.cluster)}`,
    found: (s) => `clusters: memory_count_differs ${s.cluster}`,
  },
  {
    what: 'a cluster of a space that has a memory of another one',
    done: (s) => sql`update clusters set space_id = ${s.other}::uuid
      where ${ofDocument(s, s.cluster)}`,
    found: (s) => `clusters: space_differs ${s.cluster}`,
  },
];
