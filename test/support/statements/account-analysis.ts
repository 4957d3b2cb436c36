import { placementOf } from '../../../packages/server/src/database/placement.ts';
import { AccountTerms, type Term } from './account-terms.ts';
import {
  accountColumn,
  type Output,
  type Queries,
  type Relation,
  resolveColumn,
  type Scope,
} from './statement-scope.ts';
import {
  conjunctsOf,
  elementsOf,
  equalityOf,
  type Fields,
  joinedSubqueries,
  listOf,
  nodeOf,
  returningOf,
  stringOf,
  withoutCasts,
} from './syntax-tree.ts';

/** A table in one query level of a statement. */
export interface TableUse {
  readonly table: string;
  /** The account of its rows; null: the statement does not say. */
  account: Term | null;
  isLocked: boolean;
}

/**
 * Finds the tables of a statement and what it says about the account of their rows: equalities in
 * WHERE and ON that hold for every row, columns of subqueries and WITH, and the values of inserts.
 */
export class AccountAnalysis {
  readonly uses: TableUse[] = [];
  readonly terms = new AccountTerms();
  /** `insert … select … on conflict … where` with a parameter, which cannot be distributed. */
  hasParameterInConflict = false;
  /** Tables that `insert … select` fills without copying the account from another tenant table. */
  readonly pulled: string[] = [];
  /** An insert in the same statement as other writes. */
  hasInsertBesideWrites = false;
  /** Of the subqueries in expressions. */
  readonly #outputs = new WeakMap<object, Output>();
  /** By table use: the level in whose FROM it stands. */
  readonly #levels = new WeakMap<TableUse, Scope>();

  /** Any statement; one that is no query has no output. */
  analyse(wrapper: unknown, outer: Scope | null = null, queries: Queries = new Map()): Output {
    const select = nodeOf(wrapper, 'SelectStmt');
    if (select) return this.#select(select, outer, queries);
    const insert = nodeOf(wrapper, 'InsertStmt');
    if (insert) return this.#insert(insert, outer, queries);
    const update = nodeOf(wrapper, 'UpdateStmt');
    if (update) return this.#change(update, update.fromClause, outer, queries);
    const deletion = nodeOf(wrapper, 'DeleteStmt');
    if (deletion) return this.#change(deletion, deletion.usingClause, outer, queries);
    const explained = nodeOf(wrapper, 'ExplainStmt');
    if (explained) return this.analyse(explained.query, outer, queries);
    return { ordered: [], named: new Map() };
  }

  #select(select: Fields, outer: Scope | null, given: Queries): Output {
    const queries = this.#with(select.withClause, outer, given);
    if (select.valuesLists !== undefined) return this.#values(select, outer, queries);
    if (select.op !== undefined && select.op !== 'SETOP_NONE') {
      const left = this.#select(select.larg as Fields, outer, queries);
      const right = this.#select(select.rarg as Fields, outer, queries);
      return this.#union(left, right);
    }
    const scope: Scope = { relations: [], outer };
    const first = this.uses.length;
    this.#from(select.fromClause, scope, queries);
    const own = this.uses.slice(first).filter((use) => this.#levels.get(use) === scope);
    if (select.lockingClause !== undefined) for (const use of own) use.isLocked = true;
    const { withClause: _, fromClause: __, ...expressions } = select;
    this.#expressions(expressions, scope, queries, joinedSubqueries(select.whereClause));
    this.#conditions(select.whereClause, scope);
    return this.#targets(listOf(select.targetList), scope);
  }

  #with(clause: unknown, outer: Scope | null, given: Queries): Queries {
    const queries = new Map(given);
    const { ctes, recursive } = (clause ?? {}) as Fields;
    const names = listOf(ctes).map((one) => nodeOf(one, 'CommonTableExpr')?.ctename);
    // A journal is one statement only where the database is not distributed.
    const isJournal = names.includes('place');
    for (const wrapper of listOf(ctes)) {
      const cte = nodeOf(wrapper, 'CommonTableExpr') ?? {};
      const name = String(cte.ctename);
      const columns = listOf(cte.aliascolnames).map((one) => stringOf(one) ?? '');
      if (nodeOf(cte.ctequery, 'InsertStmt') && !isJournal) this.hasInsertBesideWrites = true;
      const start = nodeOf(cte.ctequery, 'SelectStmt')?.larg;
      // The recursive part returns what the first part does.
      if (recursive === true && start !== undefined) {
        const first = this.#select(start as Fields, outer, queries);
        queries.set(name, rename(first, columns));
      }
      queries.set(name, rename(this.analyse(cte.ctequery, outer, queries), columns));
    }
    return queries;
  }

  #values(select: Fields, outer: Scope | null, queries: Queries): Output {
    const scope: Scope = { relations: [], outer };
    this.#expressions(select.valuesLists, scope, queries);
    const rows = listOf(select.valuesLists).map((row) => listOf(nodeOf(row, 'List')?.items));
    const ordered = (rows[0] ?? []).map((_, i) =>
      this.terms.createDerived(rows.map((row) => this.#termOf(row[i], scope))),
    );
    return { ordered, named: new Map(ordered.map((term, i) => [`column${i + 1}`, term])) };
  }

  #union(left: Output, right: Output): Output {
    if (!left.ordered || !right.ordered) return { ordered: undefined, named: new Map() };
    const ordered = left.ordered.map((term, i) =>
      this.terms.createDerived([term, right.ordered?.[i] ?? null]),
    );
    const names = [...left.named].map(
      ([name, term]) => [name, left.ordered?.indexOf(term)] as const,
    );
    const named = names.flatMap(([name, at]) => {
      const term = at === undefined ? undefined : ordered[at];
      return term === undefined ? [] : [[name, term] as const];
    });
    return { ordered, named: new Map(named) };
  }

  #insert(insert: Fields, outer: Scope | null, given: Queries): Output {
    const queries = this.#with(insert.withClause, outer, given);
    const columns = listOf(insert.cols).map((one) => nodeOf(one, 'ResTarget')?.name);
    const source = nodeOf(insert.selectStmt, 'SelectStmt');
    const values = source && this.#select(source, outer, queries);
    const scope: Scope = { relations: [], outer };
    const use = this.#table(insert.relation as Fields, scope, queries);
    const account = values?.ordered?.[columns.indexOf(accountColumn)] ?? null;
    if (use) use.account = account;
    const conflict = insert.onConflictClause as Fields | undefined;
    this.#expressions(conflict, scope, queries);
    const isSelect = source !== undefined && source.valuesLists === undefined;
    const isCopied = this.uses.some((one) => one !== use && one.account === account);
    if (use && isSelect && !isCopied) this.pulled.push(use.table);
    if (listOf((insert.withClause as Fields | undefined)?.ctes).some(isWrite))
      this.hasInsertBesideWrites = true;
    if (isSelect && hasParameter(conflict?.whereClause)) this.hasParameterInConflict = true;
    return this.#returning(insert, scope, queries);
  }

  #change(change: Fields, from: unknown, outer: Scope | null, given: Queries): Output {
    const queries = this.#with(change.withClause, outer, given);
    const scope: Scope = { relations: [], outer };
    this.#table(change.relation as Fields, scope, queries);
    this.#from(from, scope, queries);
    const joined = joinedSubqueries(change.whereClause);
    this.#expressions([change.whereClause, change.targetList], scope, queries, joined);
    this.#conditions(change.whereClause, scope);
    return this.#returning(change, scope, queries);
  }

  #returning(statement: Fields, scope: Scope, queries: Queries): Output {
    const targets = returningOf(statement);
    this.#expressions(targets, scope, queries);
    return this.#targets(targets, scope);
  }

  #from(items: unknown, scope: Scope, queries: Queries): Relation[] {
    return listOf(items).flatMap((item) => this.#fromItem(item, scope, queries));
  }

  /** Returns the relations that the item has added to the scope. */
  #fromItem(item: unknown, scope: Scope, queries: Queries): Relation[] {
    const before = scope.relations.length;
    const table = nodeOf(item, 'RangeVar');
    const subquery = nodeOf(item, 'RangeSubselect');
    const called = nodeOf(item, 'RangeFunction');
    const join = nodeOf(item, 'JoinExpr');
    if (table) this.#table(table, scope, queries);
    if (subquery) {
      // A lateral one must name the account itself, as must subqueries in most expressions.
      const output = this.analyse(subquery.subquery, null, queries);
      const { name, columns } = aliasOf(subquery);
      scope.relations.push({ name, columns: rename(output, columns).named });
    }
    if (called) {
      this.#expressions(called.functions, scope, queries);
      const { name, columns } = aliasOf(called);
      const defined = listOf(called.coldeflist).map((one) => nodeOf(one, 'ColumnDef')?.colname);
      const names = [...columns, ...defined.map(String)];
      scope.relations.push({
        name,
        columns: new Map(names.map((column) => [column, this.terms.create()])),
      });
    }
    if (join) this.#join(join, scope, queries);
    return scope.relations.slice(before);
  }

  #join(join: Fields, scope: Scope, queries: Queries): void {
    const left = this.#fromItem(join.larg, scope, queries);
    const right = this.#fromItem(join.rarg, scope, queries);
    this.#expressions(join.quals, scope, queries);
    this.#conditions(join.quals, scope);
    for (const name of listOf(join.usingClause).map(stringOf)) {
      const same = [left, right].flatMap(
        (relations) => relations.flatMap(({ columns }) => columns.get(name ?? '') ?? [])[0] ?? [],
      );
      if (same.length === 2) this.terms.unite(same[0] as Term, same[1] as Term);
    }
  }

  /** Undefined for a query of WITH and for tables of the system. */
  #table(table: Fields, scope: Scope, queries: Queries): TableUse | undefined {
    const relname = String(table.relname);
    const name = aliasOf(table).name || relname;
    const query = table.schemaname === undefined ? queries.get(relname) : undefined;
    if (query) {
      scope.relations.push({ name, columns: query.named });
      return undefined;
    }
    if (placementOf(relname) === undefined) {
      scope.relations.push({ name, columns: new Map() });
      return undefined;
    }
    const account = this.terms.create();
    // The key of accounts, which tenant tables reference.
    const column = relname === 'accounts' ? 'id' : accountColumn;
    scope.relations.push({ name, columns: new Map([[column, account]]) });
    const use: TableUse = { table: relname, account, isLocked: false };
    this.uses.push(use);
    this.#levels.set(use, scope);
    return use;
  }

  #targets(targets: readonly Fields[], scope: Scope): Output {
    const named = new Map<string, Term>();
    let ordered: (Term | null)[] | undefined = [];
    for (const wrapper of targets) {
      const target = nodeOf(wrapper, 'ResTarget') ?? {};
      const fields = listOf(nodeOf(target.val, 'ColumnRef')?.fields);
      if (fields.some((field) => nodeOf(field, 'A_Star'))) {
        const relation = stringOf(fields[0]);
        for (const { name, columns } of scope.relations) {
          if (relation !== undefined && relation !== name) continue;
          for (const [column, term] of columns) named.set(column, term);
        }
        ordered = undefined;
        continue;
      }
      const term = this.#termOf(target.val, scope);
      ordered?.push(term);
      const name = target.name ?? stringOf(fields.at(-1));
      if (term !== null && name !== undefined) named.set(String(name), term);
    }
    return { ordered, named };
  }

  /** Subqueries in expressions. Only those in `joined` get the account from the outer query. */
  #expressions(
    expression: unknown,
    scope: Scope,
    queries: Queries,
    joined: ReadonlySet<unknown> = new Set(),
  ): void {
    if (Array.isArray(expression)) {
      for (const one of expression) this.#expressions(one, scope, queries, joined);
    } else if (typeof expression === 'object' && expression !== null) {
      const link = nodeOf(expression, 'SubLink');
      if (link) {
        const outer = joined.has(link) ? scope : null;
        this.#outputs.set(link, this.analyse(link.subselect, outer, queries));
        this.#expressions(link.testexpr, scope, queries);
      } else {
        for (const one of Object.values(expression)) {
          this.#expressions(one, scope, queries, joined);
        }
      }
    }
  }

  /** What holds for every row. Call it after the expressions. */
  #conditions(condition: unknown, scope: Scope): void {
    for (const one of conjunctsOf(condition)) {
      const [left, right] = equalityOf(one) ?? [];
      const others = elementsOf(right);
      for (const [i, element] of elementsOf(left).entries()) {
        const terms = [this.#termOf(element, scope), this.#termOf(others[i], scope)] as const;
        if (terms[0] !== null && terms[1] !== null) this.terms.unite(terms[0], terms[1]);
      }
      const link = nodeOf(one, 'SubLink');
      if (link?.subLinkType !== 'ANY_SUBLINK' || link.operName !== undefined) continue;
      const output = this.#outputs.get(link)?.ordered ?? [];
      for (const [i, element] of elementsOf(link.testexpr).entries()) {
        const term = this.#termOf(element, scope);
        if (term !== null) this.terms.derive(term, [output[i] ?? null]);
      }
    }
  }

  #termOf(expression: unknown, scope: Scope): Term | null {
    const value = withoutCasts(expression);
    if (nodeOf(value, 'ParamRef') || nodeOf(value, 'A_Const')) return this.terms.createConstant();
    const names = listOf(nodeOf(value, 'ColumnRef')?.fields).map(stringOf);
    const column = names.at(-1);
    return column === undefined ? null : resolveColumn(scope, column, names.at(-2));
  }
}

const aliasOf = (node: Fields): { name: string; columns: string[] } => {
  const { aliasname = '', colnames } = (node.alias ?? {}) as Fields;
  return { name: String(aliasname), columns: listOf(colnames).map((one) => stringOf(one) ?? '') };
};

const isWrite = (wrapper: unknown): boolean =>
  ['InsertStmt', 'UpdateStmt', 'DeleteStmt'].some(
    (type) => nodeOf(nodeOf(wrapper, 'CommonTableExpr')?.ctequery, type) !== undefined,
  );

/** The output with other names for its first columns. */
function rename({ ordered, named }: Output, names: readonly string[]): Output {
  if (names.length === 0) return { ordered, named };
  const renamed = names.flatMap((name, i) => {
    const term = ordered?.[i] ?? null;
    return term === null ? [] : [[name, term] as const];
  });
  return { ordered, named: new Map(renamed) };
}

function hasParameter(expression: unknown): boolean {
  if (typeof expression !== 'object' || expression === null) return false;
  return (
    nodeOf(expression, 'ParamRef') !== undefined || Object.values(expression).some(hasParameter)
  );
}
