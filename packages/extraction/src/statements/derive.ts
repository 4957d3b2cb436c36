import { isOfMachine } from '../roles.ts';
import type { Conversation, Statement } from '../types.ts';
import { attributeOf } from './attribute.ts';
import type { FoundStatement } from './find-statements.ts';

const statementsMax = 200;

/** A statement, and the attribute of its speaker that it gives a value. */
interface SpokenStatement {
  readonly statement: Statement;
  readonly attribute: string | null;
}

/**
 * What the users of a conversation state, sentence by sentence, in their words. A statement
 * replaces a known one of the same speaker that gives another value to the same attribute; of
 * several in one conversation the last one counts.
 * @param find what a text states
 */
export async function deriveStatements(
  { turns, findKnown }: Conversation,
  find: (text: string) => Promise<readonly FoundStatement[]>,
): Promise<Statement[]> {
  const byContent = new Map<string, SpokenStatement>();
  for (const [index, { role, speaker, text, isKnown }] of turns.entries()) {
    if (isKnown || isOfMachine(role)) continue;
    for (const { content, kind, attribute } of await find(text)) {
      const key = JSON.stringify([speaker ?? null, content]);
      const said = byContent.get(key)?.statement.turns ?? [];
      const statement = { content, kind, turns: [...new Set([...said, index])] };
      byContent.delete(key);
      byContent.set(key, {
        statement: speaker ? { ...statement, speaker } : statement,
        attribute,
      });
    }
  }
  const statements = withoutOutdated([...byContent.values()])
    .sort(({ statement: a }, { statement: b }) => (a.turns[0] ?? 0) - (b.turns[0] ?? 0))
    .slice(0, statementsMax);
  const withReplacements: Statement[] = [];
  for (const statement of statements) {
    withReplacements.push(await withReplaced(statement, findKnown));
  }
  return withReplacements;
}

/** Of statements on one attribute the last one. */
function withoutOutdated(statements: readonly SpokenStatement[]): SpokenStatement[] {
  const keyOf = ({ statement: { speaker }, attribute }: SpokenStatement): string | null =>
    attribute && JSON.stringify([speaker ?? null, attribute]);
  const last = new Map(statements.map((one) => [keyOf(one), one]));
  return statements.filter((one) => one.attribute === null || last.get(keyOf(one)) === one);
}

async function withReplaced(
  { statement, attribute }: SpokenStatement,
  findKnown: Conversation['findKnown'],
): Promise<Statement> {
  if (attribute === null) return statement;
  const replaced = (await findKnown(statement.content)).find(
    ({ content, speaker }) =>
      speaker === statement.speaker &&
      content !== statement.content &&
      attributeOf(content) === attribute,
  );
  return replaced ? { ...statement, replaces: replaced.id } : statement;
}
