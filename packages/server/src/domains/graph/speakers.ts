import type { SpeakerFact } from '../../providers/language/index.ts';
import { isOfMachine } from '../../providers/language/index.ts';
import type { MemoryRecord } from '../memories/index.ts';
import type { GraphEntity, GraphExtraction, GraphFact } from './graph-extraction.ts';

/** Whoever says "I" in a memory. */
interface Speaker {
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

/** Contents that somebody writes or says: not pages, pictures and videos, which others made. */
const spokenTypes: ReadonlySet<string> = new Set(['text', 'markdown', 'audio']);

/** Whom a memory may tell something of. */
export interface Speakers {
  /** Whoever says "I". Null: a machine, or the author of a mail or a page. */
  readonly author: Speaker | null;
  /** Whom texts call "the user". */
  readonly user: Speaker;
}

/** "I" is the user of the memory, else the speaker that it names, else the account's user. */
export function speakersOf({ metadata, content_type, user_id: userId }: MemoryRecord): Speakers {
  const { role, source, speaker } = metadata;
  const key = speakerKeyOf(userId);
  const user = { key, name: defaultNameOf(key) };
  const isMachine = typeof role === 'string' && isOfMachine(role);
  if (source === 'email' || isMachine || !spokenTypes.has(content_type)) {
    return { author: null, user };
  }
  const named = typeof speaker === 'string' && speaker.trim() !== '' ? speaker.trim() : null;
  if (named === null) return { author: user, user };
  return { author: { key: userId === null ? null : key, name: named }, user };
}

/** An extraction with what the memory says of its speakers. */
export function withSpeakerFacts(
  extraction: GraphExtraction,
  { author, user }: Speakers,
  stated: readonly SpeakerFact[],
  observedAt: Date,
): GraphExtraction {
  const added: Additions = { entities: [...extraction.entities], facts: [...extraction.facts] };
  for (const fact of stated) {
    const speaker = fact.about === 'user' ? user : author;
    if (speaker !== null) addFact(added, speaker, fact, observedAt);
  }
  return added;
}

interface Additions {
  readonly entities: GraphEntity[];
  readonly facts: GraphFact[];
}

function addFact(
  { entities, facts }: Additions,
  { key, name }: Speaker,
  { predicate, object, objectType: type, statement, confidence, isEnded }: SpeakerFact,
  observedAt: Date,
): void {
  const indexOf = (entity: GraphEntity, isSame: (one: GraphEntity) => boolean): number => {
    const known = entities.findIndex(isSame);
    return known >= 0 ? known : entities.push(entity) - 1;
  };
  const subject = indexOf(
    {
      name,
      type: 'person',
      mentions: [],
      confidence: 0.95,
      ...(key === null ? {} : { speakerKey: key }),
    },
    (one) => (key === null ? isNamed(one, name) && one.type === 'person' : one.speakerKey === key),
  );
  const objectIndex =
    type === null
      ? null
      : indexOf({ name: object, type, mentions: [object], confidence }, (one) => {
          return isNamed(one, object) && one.type !== 'date';
        });
  facts.push({
    subject,
    predicate,
    object: objectIndex,
    statement,
    confidence,
    ...(objectIndex === null ? { value: object } : {}),
    // A former fact ends before what the same text says of now.
    ...(isEnded ? { endedAt: new Date(observedAt.getTime() - 1) } : {}),
  });
}

const isNamed = (one: GraphEntity, name: string): boolean =>
  one.speakerKey === undefined && one.name === name;
