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

export const speakerOf = ({ metadata }: MemoryRecord): string | undefined =>
  typeof metadata.speaker === 'string' ? metadata.speaker : undefined;

/** The standing memories of the same owner and space, which statements may repeat or outdate. */
export class KnownMemories {
  readonly #ctx: Ctx;
  readonly #target: Target;
  readonly #found = new Map<string, MemoryRecord>();
  readonly #searches = new Map<string, Promise<MemoryRecord[]>>();

  constructor(ctx: Ctx, target: Target) {
    this.#ctx = ctx;
    this.#target = target;
  }

  /**
   * Those near to a text that a statement may outdate, the nearest first. Throws 500
   * embedding_failed.
   */
  async find(text: string): Promise<KnownStatement[]> {
    const near = await this.#near(text);
    const replaceable = near.filter(({ protection_level: level }) => level === 'none');
    for (const record of replaceable) this.#found.set(record.id, record);
    return replaceable.map((record) => {
      const { id, content } = record;
      const speaker = speakerOf(record);
      return { id, content, ...(speaker === undefined ? {} : { speaker }) };
    });
  }

  /** The id of the one that says the same in the same words; case and punctuation may differ. */
  async findSame({ content, speaker }: Statement): Promise<string | null> {
    const words = wordsOf(content);
    const same = (await this.#near(content)).find(
      (known) => speakerOf(known) === speaker && wordsOf(known.content) === words,
    );
    return same?.id ?? null;
  }

  #near(text: string): Promise<MemoryRecord[]> {
    const searched = this.#searches.get(text) ?? this.#search(text);
    this.#searches.set(text, searched);
    return searched;
  }

  async #search(text: string): Promise<MemoryRecord[]> {
    const { space_id, user_id, agent_id, run_id } = this.#target;
    const exactOwner = { user_id, agent_id, run_id };
    const scope = { space_id, exactOwner, tags_any: [...statementKinds] };
    const near = await findNearMemories(this.#ctx, text, scope, nearMax);
    return near.filter((record) => this.#isStatement(record));
  }

  /** A found memory that is not later than a statement. */
  replaceable(id: string | undefined, isEarlier: (record: MemoryRecord) => boolean): string | null {
    const record = id === undefined ? undefined : this.#found.get(id);
    return record && isEarlier(record) ? record.id : null;
  }

  /** Not a turn, and still of this owner: it may have been moved since it was indexed. */
  #isStatement(record: MemoryRecord): boolean {
    const { user_id, agent_id, run_id } = this.#target;
    return (
      record.user_id === user_id &&
      record.agent_id === agent_id &&
      record.run_id === run_id &&
      record.metadata.role === undefined &&
      !isUnverifiedMail(record)
    );
  }
}
