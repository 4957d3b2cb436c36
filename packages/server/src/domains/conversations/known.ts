import {
  type KnownStatement,
  type Statement,
  statementKinds,
} from '../../providers/language/index.ts';
import type { Ctx } from '../ctx.ts';
import { isUnverifiedMail, type MemoryRecord } from '../memories/index.ts';
import { findNearMemories } from '../search/index.ts';
import type { Target } from './model.ts';

const nearMax = 20;

const wordsOf = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}\p{M}'’+#]+/gu) ?? []).join(' ');

/** The standing memories of the same owner and space, which statements may repeat or outdate. */
export class KnownMemories {
  readonly #ctx: Ctx;
  readonly #target: Target;
  readonly #found = new Map<string, MemoryRecord>();
  readonly #searches = new Map<string, Promise<KnownStatement[]>>();

  constructor(ctx: Ctx, target: Target) {
    this.#ctx = ctx;
    this.#target = target;
  }

  /** Those near to a text, the nearest first. Throws 500 embedding_failed. */
  find(text: string): Promise<KnownStatement[]> {
    const searched = this.#searches.get(text) ?? this.#search(text);
    this.#searches.set(text, searched);
    return searched;
  }

  /** The id of the one that says the same in the same words; case and punctuation may differ. */
  async findSame({ content, speaker }: Statement): Promise<string | null> {
    const words = wordsOf(content);
    const same = (await this.find(content)).find(
      (known) => known.speaker === speaker && wordsOf(known.content) === words,
    );
    return same?.id ?? null;
  }

  async #search(text: string): Promise<KnownStatement[]> {
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
