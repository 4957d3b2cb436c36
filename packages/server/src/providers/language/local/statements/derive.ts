import { splitSentences } from '../../../../text/sentences.ts';
import { truncateText } from '../../../../text/truncate-text.ts';
import { isOfMachine } from '../../roles.ts';
import type { Conversation, Statement, Turn } from '../../text-analyzer.ts';
import { attributeOf } from './attribute.ts';
import { classifySentence } from './classify.ts';
import { cleanSentence, isCode, withoutQuotations } from './clean.ts';

const statementsMax = 200;

/**
 * What the users of a conversation state, sentence by sentence, in their words. A statement
 * replaces a known one of the same speaker that gives another value to the same attribute; of
 * several in one conversation the last one counts.
 */
export async function deriveStatements({ turns, findKnown }: Conversation): Promise<Statement[]> {
  const byContent = new Map<string, Statement>();
  for (const [index, turn] of turns.entries()) {
    if (turn.isKnown || isOfMachine(turn.role)) continue;
    for (const statement of statementsOf(turn, index)) {
      const key = JSON.stringify([statement.speaker ?? null, statement.content]);
      const said = byContent.get(key)?.turns ?? [];
      byContent.delete(key);
      byContent.set(key, { ...statement, turns: [...new Set([...said, index])] });
    }
  }
  const statements = withoutOutdated([...byContent.values()])
    .sort(({ turns: [a = 0] }, { turns: [b = 0] }) => a - b)
    .slice(0, statementsMax);
  const withReplacements: Statement[] = [];
  for (const statement of statements) {
    withReplacements.push(await withReplaced(statement, findKnown));
  }
  return withReplacements;
}

function statementsOf({ text, speaker }: Turn, index: number): Statement[] {
  return splitSentences(withoutQuotations(truncateText(text))).flatMap((sentence): Statement[] => {
    if (isCode(sentence.text)) return [];
    const content = cleanSentence(sentence.text);
    const kind = classifySentence(content);
    return kind ? [{ content, kind, ...(speaker ? { speaker } : {}), turns: [index] }] : [];
  });
}

/** Of statements on one attribute the last one. */
function withoutOutdated(statements: readonly Statement[]): Statement[] {
  const last = new Map<string, Statement>();
  const keyOf = ({ content, speaker }: Statement): string | null => {
    const attribute = attributeOf(content);
    return attribute && JSON.stringify([speaker ?? null, attribute]);
  };
  for (const statement of statements) {
    const key = keyOf(statement);
    if (key !== null) last.set(key, statement);
  }
  return statements.filter((statement) => {
    const key = keyOf(statement);
    return key === null || last.get(key) === statement;
  });
}

async function withReplaced(
  statement: Statement,
  findKnown: Conversation['findKnown'],
): Promise<Statement> {
  const attribute = attributeOf(statement.content);
  if (attribute === null) return statement;
  const replaced = (await findKnown(statement.content)).find(
    ({ content, speaker }) =>
      speaker === statement.speaker &&
      content !== statement.content &&
      attributeOf(content) === attribute,
  );
  return replaced ? { ...statement, replaces: replaced.id } : statement;
}
