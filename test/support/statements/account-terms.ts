/** A value that may be the account of rows: a column, a parameter, the output of a subquery. */
export type Term = number;

/** Which of the values in a statement are equal, and which of them are one constant. */
export class AccountTerms {
  readonly #parents: Term[] = [];
  readonly #constants = new Set<Term>();
  /** A term that is constant if all the others are: a column of a union, or `x in (select …)`. */
  readonly #derived: { readonly term: Term; readonly from: readonly (Term | null)[] }[] = [];

  create(): Term {
    this.#parents.push(this.#parents.length);
    return this.#parents.length - 1;
  }

  createConstant(): Term {
    const term = this.create();
    this.#constants.add(term);
    return term;
  }

  createDerived(from: readonly (Term | null)[]): Term {
    const term = this.create();
    this.derive(term, from);
    return term;
  }

  derive(term: Term, from: readonly (Term | null)[]): void {
    this.#derived.push({ term, from });
  }

  unite(one: Term, other: Term): void {
    this.#parents[this.#rootOf(one)] = this.#rootOf(other);
  }

  /** The terms that are constant, after all equalities of the statement are known. */
  solve(): (term: Term | null) => boolean {
    const roots = new Set([...this.#constants].map((term) => this.#rootOf(term)));
    const isConstant = (term: Term | null): boolean =>
      term !== null && roots.has(this.#rootOf(term));
    for (let before = -1; before !== roots.size; ) {
      before = roots.size;
      for (const { term, from } of this.#derived)
        if (from.every(isConstant)) roots.add(this.#rootOf(term));
    }
    return isConstant;
  }

  #rootOf(term: Term): Term {
    const parent = this.#parents[term] ?? term;
    return parent === term ? term : this.#rootOf(parent);
  }
}
