import { type KnownStatement, statementKinds } from '../../providers/language/index.ts';
import type { Ctx } from '../ctx.ts';
import { isUnverifiedMail, type MemoryRecord } from '../memories/index.ts';
import { findNearMemories } from '../search/index.ts';
import type { Target } from './model.ts';

const nearMax = 20;

/** The standing memories of the same owner and space, which statements may repeat or outdate. */
export class KnownMemories {
  readonly #ctx: Ctx;
  readonly #target: Target;
  readonly #found = new Map<string, MemoryRecord>();

  constructor(ctx: Ctx, target: Target) {
    this.#ctx = ctx;
    this.#target = target;
  }

  /** Those near to a text, the nearest first. Throws 500 embedding_failed. */
  async find(text: string): Promise<KnownStatement[]> {
    const { space_id, user_id, agent_id, run_id } = this.#target;
    const owner = {
      user_id: user_id ?? undefined,
      agent_id: agent_id ?? undefined,
      run_id: run_id ?? undefined,
    };
    const scope = { space_id, ...owner, tags_any: [...statementKinds] };
    const near = await findNearMemories(this.#ctx, text, scope, nearMax);
    const known = near.filter((record) => this.#isReplaceable(record));
    for (const record of known) this.#found.set(record.id, record);
    return known.map(({ id, content, metadata: { speaker } }) => ({
      id,
      content,
      ...(typeof speaker === 'string' ? { speaker } : {}),
    }));
  }

  /** A found memory that is not later than a statement. */
  replaceable(id: string | undefined, isEarlier: (record: MemoryRecord) => boolean): string | null {
    const record = id === undefined ? undefined : this.#found.get(id);
    return record && isEarlier(record) ? record.id : null;
  }

  /** Filters of a search name some ids of an owner; these are the memories of exactly this one. */
  #isReplaceable(record: MemoryRecord): boolean {
    const { user_id, agent_id, run_id } = this.#target;
    return (
      record.user_id === user_id &&
      record.agent_id === agent_id &&
      record.run_id === run_id &&
      record.protection_level === 'none' &&
      record.metadata.role === undefined &&
      !isUnverifiedMail(record)
    );
  }
}
