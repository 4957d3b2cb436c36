import type { SpeakerFact } from '../../providers/language/index.ts';
import { isOfMachine } from '../../providers/language/index.ts';
import type { MemoryRecord } from '../memories/index.ts';
import type { GraphEntity, GraphExtraction, GraphFact } from './record-extractions.ts';

/** Whoever says "I" in a memory. */
export interface Speaker {
  /** Null: a person who is known by name alone. */
  readonly key: string | null;
  readonly name: string;
}

const accountSpeaker = 'account';
const userPrefix = 'user:';
/** The name of the account's own speaker. */
const accountName = 'user';

/** The key of whoever a user's, or nobody's, memories are about. */
export const speakerKeyOf = (userId: string | null): string =>
  userId === null ? accountSpeaker : `${userPrefix}${userId}`;

/** The name of a speaker that no memory names. */
export const defaultNameOf = (key: string): string =>
  key.startsWith(userPrefix) ? key.slice(userPrefix.length) : accountName;

/** The type under which names of a speaker are stored: no name in a text has it. */
export const nameTypeOf = (key: string): string => `speaker ${key}`;

/**
 * Whoever speaks in a memory: its user, else the speaker that it names, else the account's user.
 * Null: a machine, or the author of a mail.
 */
export function speakerOf({ metadata, user_id: userId }: MemoryRecord): Speaker | null {
  const { role, source, speaker } = metadata;
  if (source === 'email' || (typeof role === 'string' && isOfMachine(role))) return null;
  const named = typeof speaker === 'string' && speaker.trim() !== '' ? speaker.trim() : null;
  if (userId === null && named !== null) return { key: null, name: named };
  const key = speakerKeyOf(userId);
  return { key, name: named ?? defaultNameOf(key) };
}

/** An extraction with what the speaker says of themselves. */
export function withSpeaker(
  extraction: GraphExtraction,
  speaker: Speaker,
  stated: readonly SpeakerFact[],
  observedAt: Date,
): GraphExtraction {
  if (stated.length === 0) return extraction;
  const entities: GraphEntity[] = [...extraction.entities];
  const addEntity = (entity: GraphEntity, isSame: (one: GraphEntity) => boolean): number => {
    const known = entities.findIndex(isSame);
    if (known >= 0) return known;
    entities.push(entity);
    return entities.length - 1;
  };
  const { key, name } = speaker;
  const subject = addEntity(
    {
      name,
      type: 'person',
      mentions: [],
      confidence: 0.95,
      ...(key === null ? {} : { speakerKey: key }),
    },
    (one) => key === null && one.type === 'person' && one.name === name,
  );
  // A former fact ends before what the same text says of now.
  const endedAt = new Date(observedAt.getTime() - 1);
  const facts = stated.map(({ predicate, object, objectType, statement, confidence, isEnded }) => {
    const type = objectType;
    const place =
      type === null
        ? null
        : addEntity({ name: object, type, mentions: [object], confidence }, (one) => {
            return one.name === object && one.speakerKey === undefined && one.type !== 'date';
          });
    return {
      subject,
      predicate,
      object: place,
      statement,
      confidence,
      ...(place === null ? { value: object } : {}),
      ...(isEnded ? { endedAt } : {}),
    } satisfies GraphFact;
  });
  return { entities, facts: [...extraction.facts, ...facts] };
}
