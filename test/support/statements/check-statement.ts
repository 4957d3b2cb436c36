import { type Placement, placementOf } from '../../../packages/server/src/database/placement.ts';
import type { RecordedStatement } from '../../../packages/server/src/database/record-statements.ts';
import { AccountAnalysis } from './account-analysis.ts';
import { parseStatements } from './syntax-tree.ts';

const isPlaced = (table: string, placements: readonly Placement[]): boolean =>
  placements.some((placement) => placementOf(table) === placement);

const IS_SIMPLE = /^\s*(?:select|delete from|update)\b/i;
const RETURNS_CHANGES = /^\s*(?:delete|update)\b.*\breturning\b/is;

/**
 * What prevents a distributed database from running the statement, or from running it on the node
 * of one account. Empty for a statement that is fine.
 */
export const checkStatement = ({ text, acrossAccounts }: RecordedStatement): string[] =>
  parseStatements(text).flatMap((statement) => {
    const analysis = new AccountAnalysis();
    analysis.analyse(statement);
    const isConstant = analysis.terms.solve();
    const tablesOf = (...placements: readonly Placement[]): string[] => [
      ...new Set(analysis.uses.flatMap(({ table }) => (isPlaced(table, placements) ? table : []))),
    ];
    const tenants = analysis.uses.filter(({ table }) => placementOf(table) === 'tenant');
    const unnamed = tenants.filter(({ account }) => !isConstant(account));
    const problems = unnamed.flatMap(({ table, isLocked }) => {
      if (isLocked) return `locks rows of ${table} without the account as a constant`;
      return acrossAccounts === null ? `does not name the account of ${table} as a constant` : [];
    });
    const locals = tablesOf('local', 'known-local');
    if (tenants.length > 0 && locals.length > 0) {
      problems.push(`joins ${tablesOf('tenant').join(', ')} with the local ${locals.join(', ')}`);
    }
    const [unknown, references] = [tablesOf('local'), tablesOf('reference')];
    if (unknown.length > 0 && references.length > 0) {
      problems.push(
        `joins ${references.join(', ')} with ${unknown.join(', ')}: place it known-local`,
      );
    }
    for (const { table, isLocked } of analysis.uses) {
      if (isLocked && placementOf(table) === 'reference')
        problems.push(`locks rows of the reference table ${table}: use an advisory lock`);
    }
    if (tenants.length > 0 && analysis.hasParameterInConflict) {
      problems.push('has a parameter in ON CONFLICT … WHERE of INSERT … SELECT: use VALUES');
    }
    for (const table of analysis.pulled) {
      if (placementOf(table) === 'tenant')
        problems.push(`inserts into ${table} with the account as a parameter: use accountRow`);
    }
    if (tenants.length > 0 && analysis.hasInsertBesideWrites) {
      problems.push('inserts beside other writes: send two statements');
    }
    if (acrossAccounts !== null && tenants.length > 0 && unnamed.length === 0) {
      problems.push('names the account and needs no acrossAccounts');
    }
    if (acrossAccounts?.isPartial && (!IS_SIMPLE.test(text) || RETURNS_CHANGES.test(text))) {
      problems.push('cannot run on some nodes only: use SELECT, or a change that returns no rows');
    }
    return [...new Set(problems)];
  });
