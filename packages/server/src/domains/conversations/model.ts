import type { FromMessagesBody, Owner } from '@mneme/contract';
import type { Statement } from '../../providers/language/index.ts';
import type { NewMemory } from '../memories/index.ts';

export type Message = FromMessagesBody['messages'][number];

/** Where the memories of a request are stored, and whose they are. */
export interface Target extends Owner {
  readonly account_id: string;
  readonly space_id: string | null;
  /** Of the turns. */
  readonly session_id: string | null;
}

/**
 * What makes a message the same as a stored one. Equal messages of one request are told apart by
 * their ordinal among each other.
 */
export function duplicateKeysOf(target: Target, messages: readonly Message[]): string[] {
  const counts = new Map<string, number>();
  const { space_id, session_id, user_id, agent_id, run_id } = target;
  return messages.map(({ role, name, content, occurred_at }) => {
    const at = occurred_at?.toISOString();
    const fields = [user_id, agent_id, run_id, space_id, session_id, role, name, content, at];
    const key = JSON.stringify(fields.map((field) => field ?? null));
    const ordinal = counts.get(key) ?? 0;
    counts.set(key, ordinal + 1);
    return `message ${ordinal} ${key}`;
  });
}

/**
 * Null: the content decides. Equal sentences of several speakers are different statements, because
 * "I" is another person.
 */
export const statementKeyOf = ({ content, speaker }: Statement): string | null =>
  speaker === undefined ? null : `statement ${JSON.stringify([speaker, content])}`;

const placeOf = ({ space_id, user_id, agent_id, run_id }: Target) => ({
  space_id,
  ...(user_id === null ? {} : { user_id }),
  ...(agent_id === null ? {} : { agent_id }),
  ...(run_id === null ? {} : { run_id }),
});

export const toTurnMemory = (
  target: Target,
  { role, name, content, occurred_at }: Message,
  duplicateKey: string,
): NewMemory => ({
  content,
  ...placeOf(target),
  ...(target.session_id === null ? {} : { session_id: target.session_id }),
  metadata: { role, ...(name === undefined ? {} : { speaker: name }) },
  ...(occurred_at === undefined ? {} : { occurred_at }),
  // What it states is compared where that is a memory of its own.
  detect_updates: 'off',
  isMessage: true,
  duplicateKey,
});

/** @param options.isKeyTaken another memory has its duplicate key, and says something else now */
export function toStatementMemory(
  target: Target,
  statement: Statement,
  {
    at,
    supersedes,
    isKeyTaken,
  }: {
    readonly at: Date | undefined;
    readonly supersedes: readonly string[];
    readonly isKeyTaken: boolean;
  },
): NewMemory {
  const { content, kind, speaker } = statement;
  const key = statementKeyOf(statement);
  return {
    content,
    ...placeOf(target),
    tags: [kind],
    metadata: { kind, ...(speaker === undefined ? {} : { speaker }) },
    ...(at === undefined ? {} : { occurred_at: at }),
    ...(supersedes.length === 0 ? {} : { supersedes: [...supersedes] }),
    ...(isKeyTaken ? { allow_duplicate: true } : key === null ? {} : { duplicateKey: key }),
  };
}
