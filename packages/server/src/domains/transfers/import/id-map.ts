import { deriveId } from './derived-ids.ts';

/** The ids here of records of an archive. It keeps only those that differ from the rule. */
export class IdMap {
  readonly #accountId: string;
  readonly #isSameAccount: boolean;
  /** Records that the account had under another id. */
  readonly #others = new Map<string, string>();
  readonly #missing = new Set<string>();

  constructor(sourceAccountId: string, accountId: string) {
    this.#accountId = accountId;
    this.#isSameAccount = sourceAccountId === accountId;
  }

  /** The id that a new record gets. */
  ownId(id: string): string {
    return this.#isSameAccount ? id : deriveId(this.#accountId, id);
  }

  /** Null if the record was not imported. */
  get(id: string): string | null {
    if (this.#missing.has(id)) return null;
    return this.#others.get(id) ?? this.ownId(id);
  }

  /** Whether the account had it under another id. */
  isOther(id: string): boolean {
    return this.#others.has(id);
  }

  set(id: string, target: string | null): void {
    if (target === null) this.#missing.add(id);
    else if (target !== this.ownId(id)) this.#others.set(id, target);
  }
}
