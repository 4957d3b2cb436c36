import { afterAll } from 'vitest';
import {
  type RecordedStatement,
  recordStatements,
} from '../../packages/server/src/database/record-statements.ts';
import { checkStatement } from './statements/check-statement.ts';

/**
 * A setup file: a test file fails if a statement that the server has sent during it could not run
 * on a distributed database. Statements of the tests themselves are not checked.
 */

interface Sent extends RecordedStatement {
  /** The line of the store. */
  readonly sender: string;
}

/** Texts, and texts without what varies: numbers of parameters and of rows. */
const seen = new Set<string>();
const unchecked: Sent[] = [];

const keyOf = ({ text, acrossAccounts }: RecordedStatement): string =>
  `${acrossAccounts ?? ''} ${text
    .replaceAll(/\d+/g, '0')
    .replaceAll(/(?:\$0(?:::\w+)?, )+/g, '$$0, ')
    .replaceAll(/(\([^()]*\))(?:, \1)+/g, '$1')}`;

recordStatements((statement) => {
  if (seen.has(statement.text)) return;
  const sender = findSender();
  if (sender === null) return;
  seen.add(statement.text);
  const key = keyOf(statement);
  if (seen.has(key)) return;
  seen.add(key);
  unchecked.push({ ...statement, sender });
});

/** The line of the server that sends a statement; null: a test does. */
function findSender(): string | null {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = limit;
  const frames = stack
    .split('\n')
    .slice(1)
    .filter((line) => !/node_modules|node:|record-statements|check-recorded/.test(line));
  const [first = ''] = frames;
  // Migrations change the rows of all accounts.
  if (/\.test\.ts|testing\.ts|database\/migrate\.ts|\/fixtures\/|\/test\/|\/bench\//.test(first))
    return null;
  const store = frames.find((line) => /\/(?:store|events|jobs|instance)\//.test(line)) ?? first;
  return store.replace(/^.*\/packages\/server\/src\//, '').replace(/\)$/, '');
}

afterAll(() => {
  const problems = unchecked
    .splice(0)
    .flatMap((sent) =>
      checkStatement(sent).map((problem) => `${sent.sender} ${problem}:\n${sent.text.trim()}`),
    );
  if (problems.length > 0) {
    throw new Error(`Statements for a distributed database:\n\n${problems.join('\n\n')}`);
  }
});
