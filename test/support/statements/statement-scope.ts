import type { Term } from './account-terms.ts';

/** The columns of a query, as far as they may be an account. */
export interface Output {
  /** In the order of the columns; undefined: `*` makes it unknown. */
  readonly ordered: readonly (Term | null)[] | undefined;
  readonly named: ReadonlyMap<string, Term>;
}

/** Something with a name in FROM. */
export interface Relation {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Term>;
}

/** The column that tenant tables are distributed by. */
export const accountColumn = 'account_id';

/** What expressions of one query level can name. */
export interface Scope {
  readonly relations: Relation[];
  readonly outer: Scope | null;
}

/** The queries of WITH by name. */
export type Queries = ReadonlyMap<string, Output>;

/** The column by its name, and that of its relation if it is given. */
export function resolveColumn(scope: Scope | null, name: string, relation?: string): Term | null {
  if (scope === null) return null;
  const known = scope.relations.filter((one) => relation === undefined || one.name === relation);
  const found = known.flatMap(({ columns }) => columns.get(name) ?? [])[0];
  if (found !== undefined) return found;
  // A relation of this level hides those of the same name outside. Of columns without a relation
  // only the account is looked up outside: any other may be one of a table of this level.
  if (relation === undefined ? name !== accountColumn : known.length > 0) return null;
  return resolveColumn(scope.outer, name, relation);
}
