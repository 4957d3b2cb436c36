import {
  type Conversation,
  isOfMachine,
  type KnownStatement,
  type Statement,
} from '@mneme/extraction';
import { truncateText } from '@mneme/text';
import type { NumberedTurn } from './prompts.ts';
import type { ConversationPart } from './statement-format.ts';

const charactersMax = 20_000;
const turnsMax = 60;
/** Turns before those of a request, which explain them. */
const contextTurnsMax = 6;
const searchesMax = 20;
const knownMax = 40;

/** Asks a model what turns state that is new. */
type AskModel = (part: ConversationPart) => Promise<readonly Statement[]>;

/**
 * What a conversation states, by one request to a model for each part of up to 20,000 characters
 * and 60 turns, with the turns before it as context. Of equal statements the last one counts, with
 * the turns of all. A turn of over 20,000 characters is cut.
 */
export async function readConversation(
  { turns, findKnown }: Conversation,
  ask: AskModel,
): Promise<Statement[]> {
  const numbered = turns.map((turn, i): NumberedTurn => {
    return { number: i + 1, turn: { ...turn, text: truncateText(turn.text) } };
  });
  const found = new Map<string, Statement>();
  for (const part of partsOf(numbered)) {
    const said = part.filter(({ turn }) => !turn.isKnown && !isOfMachine(turn.role));
    if (said.length === 0) continue;
    const known = await collectKnown(said, findKnown);
    for (const statement of await ask({ turns: part, known })) {
      const key = JSON.stringify([statement.speaker ?? null, statement.content]);
      const earlier = found.get(key)?.turns ?? [];
      const all = [...new Set([...earlier, ...statement.turns])].sort((a, b) => a - b);
      found.set(key, { ...statement, turns: all });
    }
  }
  return [...found.values()];
}

/** Turns of one request; those that an earlier part contains are marked as known. */
function partsOf(turns: readonly NumberedTurn[]): NumberedTurn[][] {
  const parts: NumberedTurn[][] = [];
  let current: NumberedTurn[] = [];
  let characters = 0;
  for (const one of turns) {
    const { length } = one.turn.text;
    if (current.length >= turnsMax || (current.length > 0 && characters + length > charactersMax)) {
      parts.push(current);
      current = contextOf(current);
      characters = current.reduce((sum, { turn }) => sum + turn.text.length, 0);
    }
    current.push(one);
    characters += length;
  }
  return [...parts, current];
}

/** The last turns of a part that fill no more than a quarter of the next one. */
function contextOf(part: readonly NumberedTurn[]): NumberedTurn[] {
  const context: NumberedTurn[] = [];
  let characters = 0;
  for (const { number, turn } of part.slice(-contextTurnsMax).toReversed()) {
    characters += turn.text.length;
    if (characters > charactersMax / 4) break;
    context.unshift({ number, turn: { ...turn, isKnown: true } });
  }
  return context;
}

async function collectKnown(
  turns: readonly NumberedTurn[],
  findKnown: Conversation['findKnown'],
): Promise<KnownStatement[]> {
  const known = new Map<string, KnownStatement>();
  for (const { turn } of turns.slice(-searchesMax)) {
    for (const one of await findKnown(turn.text)) {
      if (known.size < knownMax) known.set(one.id, one);
    }
  }
  return [...known.values()];
}
