import {
  isOfMachine,
  type KnownStatement,
  type Statement,
  statementKinds,
} from '@mneme/extraction';
import { z } from 'zod';
import type { NumberedTurn } from './prompts.ts';
import {
  anyOfThese,
  anyText,
  createResponseFormat,
  type ResponseFormat,
  storable,
  toSingleLine,
} from './response-formats.ts';

const statementsMax = 100;
const contentCharactersMax = 1_000;

const statementsOf = (kind: (names: readonly string[]) => z.ZodType<string>) =>
  z.object({
    statements: z.array(
      z.object({
        content: storable,
        kind: kind(statementKinds),
        turns: z.array(z.number()),
        replaces: z.number(),
      }),
    ),
  });

type WireStatement = z.infer<ReturnType<typeof statementsOf>>['statements'][number];

/** The part of a conversation that one request to the model is about. */
export interface ConversationPart {
  readonly turns: readonly NumberedTurn[];
  readonly known: readonly KnownStatement[];
}

/** Statements that a new turn of a person makes; their turns are indices of the conversation. */
export const statementsFormat: ResponseFormat<readonly Statement[], ConversationPart> =
  createResponseFormat(
    'statements',
    statementsOf(anyOfThese),
    statementsOf(anyText),
    (answer, part: ConversationPart) =>
      answer.statements.slice(0, statementsMax).flatMap((wire) => {
        const statement = readStatement(wire, part);
        return statement ? [statement] : [];
      }),
  );

function readStatement(wire: WireStatement, { turns, known }: ConversationPart): Statement | null {
  const content = toSingleLine(wire.content);
  const kind = statementKinds.find((each) => each === wire.kind);
  const said = turns.filter(({ number }) => wire.turns.includes(number));
  const first = said.find(({ turn }) => !turn.isKnown && !isOfMachine(turn.role));
  if (content === '' || content.length > contentCharactersMax || !kind || !first) return null;
  const { speaker } = first.turn;
  const replaced = known[wire.replaces - 1];
  const isReplacement = replaced?.speaker === speaker && replaced?.content !== content;
  return {
    content,
    kind,
    ...(speaker === undefined ? {} : { speaker }),
    turns: said.map(({ number }) => number - 1),
    ...(replaced && isReplacement ? { replaces: replaced.id } : {}),
  };
}
