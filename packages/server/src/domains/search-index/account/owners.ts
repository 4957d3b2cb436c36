import type { Owner } from '@mneme/contract';

/** Ids of which the given ones must be equal; null: there must be none. */
export type OwnerFilter = { readonly [name in keyof Owner]?: string | null | undefined };

/** Maps owners to small integers. */
export class Owners {
  readonly #numbers = new Map<string, number>();
  readonly #owners: Owner[] = [];

  intern({ user_id, agent_id, run_id }: Owner): number {
    const key = JSON.stringify([user_id, agent_id, run_id]);
    const existing = this.#numbers.get(key);
    if (existing !== undefined) return existing;
    this.#numbers.set(key, this.#owners.length);
    return this.#owners.push({ user_id, agent_id, run_id }) - 1;
  }

  /** By number. */
  get all(): readonly Owner[] {
    return this.#owners;
  }

  /** Numbers of the owners that match; null: all do. */
  matching({ user_id, agent_id, run_id }: OwnerFilter = {}): ReadonlySet<number> | null {
    if (user_id === undefined && agent_id === undefined && run_id === undefined) return null;
    const numbers = new Set<number>();
    for (const [number, owner] of this.#owners.entries()) {
      if (user_id !== undefined && owner.user_id !== user_id) continue;
      if (agent_id !== undefined && owner.agent_id !== agent_id) continue;
      if (run_id !== undefined && owner.run_id !== run_id) continue;
      numbers.add(number);
    }
    return numbers;
  }
}
