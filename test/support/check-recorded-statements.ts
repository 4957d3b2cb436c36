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

const global = globalThis as { mnemeSeenStatements?: Set<string> };
/**
 * Texts, and texts without what varies: numbers of parameters and of rows. Kept for all files of a
 * worker, since each parse takes about a millisecond: the first file that sends a statement fails.
 */
const seen = global.mnemeSeenStatements ?? new Set<string>();
global.mnemeSeenStatements = seen;
const unchecked: Sent[] = [];

const keyOf = ({ text, acrossAccounts }: RecordedStatement): string =>
  `${acrossAccounts?.reason ?? ''} ${text
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
  const problems = unchecked.splice(0).flatMap((sent) => {
    const own = checkStatement(sent);
    // So that a repeated run in the same worker fails again.
    if (own.length > 0) for (const one of [sent.text, keyOf(sent)]) seen.delete(one);
    return own.map((problem) => `${sent.sender} ${problem}:\n${sent.text.trim()}`);
  });
  if (problems.length > 0) {
    throw new Error(`Statements for a distributed database:\n\n${problems.join('\n\n')}`);
  }
});
