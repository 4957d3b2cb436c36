/** What the service is to be, as plainly as it can be said: who sees what, and what is refused. */

export interface Actor {
  readonly name: string;
  readonly account: string;
  /** Spaces the key is limited to, `default` for account level; null: all. */
  readonly spaces: ReadonlySet<string> | null;
}

export interface ModelMemory {
  readonly id: string;
  readonly account: string;
  content: string;
  space: string | null;
  tags: string[];
  priority: number;
  deleted: boolean;
}

export interface ExpectedResponse {
  readonly status: number;
  readonly code?: string;
}

const ok: ExpectedResponse = { status: 200 };
const notFound: ExpectedResponse = { status: 404, code: 'memory_not_found' };
const denied: ExpectedResponse = { status: 403, code: 'space_access_denied' };
const noSpace: ExpectedResponse = { status: 404, code: 'space_not_found' };
const duplicate: ExpectedResponse = { status: 409, code: 'duplicate_memory' };
const conflict: ExpectedResponse = { status: 409, code: 'conflict' };

export interface Patch {
  readonly content?: string;
  readonly space_id?: string | null;
  readonly tags?: string[];
  readonly priority?: number;
}

export class Model {
  /** In order of creation. */
  readonly memories = new Map<string, ModelMemory>();
  /** Account of each space. */
  readonly spaces: ReadonlyMap<string, string>;
  readonly #spaceNames: ReadonlyMap<string, string>;
  /** memory.created in order, with the space at that time. */
  readonly created: {
    account: string;
    space: string | null;
    id: string;
    /** It came from this space: who sees it too was told of the move. */
    from?: string | null;
  }[] = [];
  /** Every content that was ever stored, and by whom. */
  readonly contents = new Map<string, Set<string>>();

  /** Accounts and names of spaces by id. */
  constructor(spaces: ReadonlyMap<string, string>, names: ReadonlyMap<string, string>) {
    this.spaces = spaces;
    this.#spaceNames = names;
  }

  /** The space that a name means to somebody; a name that is hidden means none. */
  findSpace(actor: Actor, name: string): string | undefined {
    return [...this.#spaceNames.keys()].find(
      (id) =>
        this.#spaceNames.get(id) === name &&
        this.spaces.get(id) === actor.account &&
        this.canSee(actor, id),
    );
  }

  canSee(actor: Actor, space: string | null): boolean {
    return actor.spaces === null || actor.spaces.has(space ?? 'default');
  }

  /** For a space that is named in a query or a body. */
  checkSpace(actor: Actor, space: string | null): ExpectedResponse {
    if (space !== null && this.spaces.get(space) !== actor.account) return noSpace;
    return this.canSee(actor, space) ? ok : denied;
  }

  checkMemory(actor: Actor, id: string): ExpectedResponse {
    const memory = this.memories.get(id);
    if (memory?.account !== actor.account) return notFound;
    return this.canSee(actor, memory.space) ? ok : denied;
  }

  create(actor: Actor, content: string, space: string | null): ExpectedResponse {
    const usable = this.checkSpace(actor, space);
    if (usable.status !== 200) return usable;
    return this.#taken(actor.account, space, content, '') ? duplicate : { status: 201 };
  }

  recordCreated(actor: Actor, memory: Omit<ModelMemory, 'account' | 'deleted'>): void {
    const { account } = actor;
    this.memories.set(memory.id, { ...memory, account, deleted: false });
    this.created.push({ account, space: memory.space, id: memory.id });
    this.#remember(account, memory.content);
  }

  #remember(account: string, content: string): void {
    this.contents.set(content, (this.contents.get(content) ?? new Set()).add(account));
  }

  #taken(account: string, space: string | null, content: string, but: string): boolean {
    return [...this.memories.values()].some(
      (other) =>
        other.account === account &&
        other.space === space &&
        other.content === content &&
        !other.deleted &&
        other.id !== but,
    );
  }

  patch(actor: Actor, id: string, patch: Patch): ExpectedResponse {
    const target = patch.space_id === undefined ? ok : this.checkSpace(actor, patch.space_id);
    if (target.status !== 200) return target;
    const reached = this.checkMemory(actor, id);
    if (reached.status !== 200) return reached;
    return this.#change(this.memories.get(id) as ModelMemory, patch);
  }

  #change(memory: ModelMemory, patch: Patch): ExpectedResponse {
    if (memory.deleted) return conflict;
    const space = patch.space_id === undefined ? memory.space : patch.space_id;
    const content = patch.content ?? memory.content;
    if (this.#taken(memory.account, space, content, memory.id)) return duplicate;
    if (space !== memory.space) {
      const { account, id, space: from } = memory;
      this.created.push({ account, space, id, from });
    }
    Object.assign(memory, {
      space,
      content,
      tags: patch.tags ?? memory.tags,
      priority: patch.priority ?? memory.priority,
    });
    this.#remember(memory.account, content);
    return ok;
  }

  remove(actor: Actor, id: string, soft: boolean): ExpectedResponse {
    const reached = this.checkMemory(actor, id);
    if (reached.status !== 200) return reached;
    if (soft) (this.memories.get(id) as ModelMemory).deleted = true;
    else this.memories.delete(id);
    return { status: soft ? 200 : 204 };
  }

  restore(actor: Actor, id: string): ExpectedResponse {
    const reached = this.checkMemory(actor, id);
    if (reached.status !== 200) return reached;
    const memory = this.memories.get(id) as ModelMemory;
    if (!memory.deleted) return ok;
    if (this.#taken(memory.account, memory.space, memory.content, id)) return duplicate;
    memory.deleted = false;
    return ok;
  }

  /** Each id on its own, the first mention counts; the codes of those that fail by index. */
  applyEach(
    ids: readonly string[],
    change: (id: string) => ExpectedResponse,
  ): (readonly [number, string])[] {
    const failed: [number, string][] = [];
    for (const [index, id] of ids.entries()) {
      if (ids.indexOf(id) < index) continue;
      const { code } = change(id);
      if (code !== undefined) failed.push([index, code]);
    }
    return failed;
  }

  addTag(actor: Actor, id: string, tag: string): ExpectedResponse {
    const reached = this.checkMemory(actor, id);
    if (reached.status !== 200) return reached;
    const memory = this.memories.get(id) as ModelMemory;
    return this.#change(memory, { tags: [...new Set([...memory.tags, tag])] });
  }

  /** Newest first; `space` undefined means all that may be seen. */
  visible(actor: Actor, space: string | null | undefined, withDeleted: boolean): ModelMemory[] {
    return [...this.memories.values()]
      .filter(
        (memory) =>
          memory.account === actor.account &&
          this.canSee(actor, memory.space) &&
          (space === undefined || memory.space === space) &&
          (withDeleted || !memory.deleted),
      )
      .reverse();
  }
}
