import { loadModule, parseSync } from 'libpg-query';

/** A node of PostgreSQL's syntax tree, without the wrapper that names its type. */
export type Fields = Readonly<Record<string, unknown>>;

await loadModule();

/** The statements of a text. Throws for a syntax error. */
export const parseStatements = (text: string): Fields[] =>
  ((parseSync(text) as { stmts?: { stmt: Fields }[] }).stmts ?? []).map(({ stmt }) => stmt);

/** The node inside its wrapper `{ <type>: fields }`, if it has this type. */
export function nodeOf(wrapper: unknown, type: string): Fields | undefined {
  const fields = (wrapper as Fields | undefined)?.[type];
  return fields === undefined ? undefined : (fields as Fields);
}

export const listOf = (list: unknown): readonly Fields[] => (list ?? []) as Fields[];

/** The text of a String node. */
export const stringOf = (wrapper: unknown): string | undefined =>
  nodeOf(wrapper, 'String')?.sval as string | undefined;

/** The parts that AND joins. */
export function conjunctsOf(condition: unknown): unknown[] {
  if (condition === undefined) return [];
  const and = nodeOf(condition, 'BoolExpr');
  return and?.boolop === 'AND_EXPR' ? listOf(and.args).flatMap(conjunctsOf) : [condition];
}

/**
 * The subqueries of `exists`, `not exists` and `in` that hold for every row. PostgreSQL plans them
 * as joins, and so knows that their accounts are equal.
 */
export const joinedSubqueries = (condition: unknown): ReadonlySet<unknown> =>
  new Set(
    conjunctsOf(condition).flatMap((one) => {
      const negated = nodeOf(one, 'BoolExpr');
      const isNegation = negated?.boolop === 'NOT_EXPR';
      const link = nodeOf(isNegation ? listOf(negated.args)[0] : one, 'SubLink');
      const types = isNegation ? ['EXISTS_SUBLINK'] : ['EXISTS_SUBLINK', 'ANY_SUBLINK'];
      return link !== undefined && types.includes(String(link.subLinkType)) ? [link] : [];
    }),
  );

/** The value without its casts. */
export function withoutCasts(expression: unknown): unknown {
  const cast = nodeOf(expression, 'TypeCast') ?? nodeOf(expression, 'CollateClause');
  return cast === undefined ? expression : withoutCasts(cast.arg);
}

/** The two sides of `a = b`. */
export function equalityOf(condition: unknown): readonly [unknown, unknown] | null {
  const expression = nodeOf(condition, 'A_Expr');
  if (expression?.kind !== 'AEXPR_OP') return null;
  const [operator] = listOf(expression.name);
  return stringOf(operator) === '=' ? [expression.lexpr, expression.rexpr] : null;
}

/** The elements of a row, or the value alone. */
export function elementsOf(expression: unknown): readonly unknown[] {
  const row = nodeOf(expression, 'RowExpr');
  return row === undefined ? [expression] : listOf(row.args);
}

/** The values that a query returns: the `returning` of a write has two forms. */
export const returningOf = (statement: Fields): readonly Fields[] =>
  listOf((statement.returningClause as Fields | undefined)?.exprs ?? statement.returningList);
