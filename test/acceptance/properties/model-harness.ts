import type { Memory } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { expect } from 'vitest';
import type { Service } from '../../support/service.ts';
import { listEvents } from '../memories/memory-requests.ts';
import { ClusterHarness } from './cluster-harness.ts';
import { type Actor, type ExpectedResponse, Model, type ModelMemory, type Patch } from './model.ts';
import { RecordHarness } from './record-harness.ts';
import { WebhookHarness } from './webhook-harness.ts';

export const operationKinds = [
  'create',
  'create many',
  'get',
  'list',
  'patch',
  'remove',
  'restore',
  'search',
  'tag many',
  'patch many',
  'remove many',
  'spaces',
  'events',
  'webhooks',
  'mail',
  'clusters',
  'cluster members',
  // Twice as often: most removals are soft, or of what others own.
  'remove',
  // And few of the memories and clusters of a run meet.
  'cluster members',
] as const;

/** One thing somebody does; numbers pick from what there is. */
export interface MemoryOperation {
  readonly actor: number;
  readonly kind: (typeof operationKinds)[number];
  readonly memories: readonly number[];
  readonly space: number;
  readonly word: number;
  /** Takes a content that is there already. */
  readonly copy: boolean;
  readonly flag: boolean;
  /** The space goes by its name. */
  readonly named: boolean;
}

/** A space as a request gives it, and the id that it means to who asks. */
interface Place {
  readonly fields: { readonly space_id: string | null } | { readonly space: string };
  readonly id: string | null;
}

const words = ['quokka', 'zeppelin', 'marzipan', 'obsidian', 'trombone'];
const absentId = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';

interface ApiActor extends Actor {
  readonly client: Client;
}

/** A space that a list is narrowed to. */
interface Filter {
  readonly fields: { readonly space_id: string } | { readonly space: string };
  readonly id: string | null;
}

/** Two accounts with four keys on a real service, and the model beside them. */
export class ModelHarness {
  readonly #players: readonly ApiActor[];
  readonly #model: Model;
  readonly #spaces: readonly string[];
  readonly #spaceNames: ReadonlyMap<string, string>;
  readonly #statuses: Map<string, number>;
  readonly #webhooks: WebhookHarness;
  readonly #clusters: ClusterHarness;
  readonly #records: RecordHarness;
  /** Every id that ever was, and one that never was. */
  readonly #ids: string[] = [absentId];
  #next = 0;

  private constructor(
    service: Service,
    players: readonly ApiActor[],
    spaces: ReadonlyMap<string, string>,
    names: ReadonlyMap<string, string>,
    statuses: Map<string, number>,
  ) {
    this.#players = players;
    this.#model = new Model(spaces, names);
    this.#spaces = [...spaces.keys(), absentId];
    this.#spaceNames = new Map([...names, [absentId, 'nowhere']]);
    this.#statuses = statuses;
    this.#webhooks = new WebhookHarness(
      (actor, space) => this.#model.checkSpace(actor, space),
      (met) => this.#meet(met),
    );
    const check = (answer: RawResponse, expected: ExpectedResponse, say: string): boolean =>
      this.#check(answer, expected, say);
    this.#clusters = new ClusterHarness(this.#model, check);
    this.#records = new RecordHarness(service, this.#model, {
      check,
      met: (met) => this.#meet(met),
    });
  }

  static async make(service: Service, statuses: Map<string, number>): Promise<ModelHarness> {
    const [a, b] = [await service.createAccount(), await service.createAccount()];
    const space = async (owner: typeof a, name: string) =>
      (await owner.client.spaces.create({ body: { name } })).id;
    const [own, other, theirs] = [
      await space(a, 'own'),
      await space(a, 'other'),
      await space(b, 'own'),
    ];
    const limited = async (name: string, ids: string[]): Promise<ApiActor> => {
      const { key } = await a.client.keys.create({ body: { name, space_ids: ids } });
      return { name, account: a.id, spaces: new Set(ids), client: service.client(key) };
    };
    const players: ApiActor[] = [
      { name: 'whole', account: a.id, spaces: null, client: a.client },
      await limited('one space', [own]),
      await limited('one space and default', [own, 'default']),
      { name: 'stranger', account: b.id, spaces: null, client: b.client },
    ];
    const owners = new Map([
      [own, a.id],
      [other, a.id],
      [theirs, b.id],
    ]);
    const names = new Map([
      [own, 'own'],
      [other, 'other'],
      [theirs, 'own'],
    ]);
    const world = new ModelHarness(service, players, owners, names, statuses);
    for (const [player, home] of [
      [players[0], own],
      [players[3], theirs],
    ] as const) {
      if (!player) continue;
      await world.#clusters.createInitialClusters(player, home);
      await world.#records.enableMail(player);
    }
    return world;
  }

  #player = (act: MemoryOperation): ApiActor => this.#players[act.actor] as ApiActor;
  #id = (n = 0): string => this.#ids[n % this.#ids.length] ?? absentId;
  /** Account level or a space of anybody; undefined stands for not naming one. */
  #space = (n: number): string | null =>
    n < this.#spaces.length ? (this.#spaces[n] ?? null) : null;

  #place(player: ApiActor, n: number, named: boolean): Place {
    const id = this.#space(n);
    const space = this.#spaceNames.get(id ?? '');
    if (!named || space === undefined) return { fields: { space_id: id }, id };
    const found = this.#model.findSpace(player, space);
    this.#meet(found === undefined ? 'a name of no space or a hidden one' : 'a name of a space');
    return { fields: { space }, id: found ?? absentId };
  }

  /** The same of those who may leave it out, in a query. */
  #filter(player: ApiActor, { flag, space, named }: MemoryOperation): Filter | undefined {
    if (!flag) return undefined;
    const { fields, id } = this.#place(player, space, named);
    return { fields: 'space' in fields ? fields : { space_id: id ?? 'null' }, id };
  }

  #content({ word, copy, memories }: MemoryOperation, shift = 0): string {
    const taken = [...this.#model.contents.keys()];
    if (copy && taken.length > 0) return taken[((memories[0] ?? 0) + shift) % taken.length] ?? '';
    this.#next += 1;
    return `The ${words[word]} has number ${this.#next}.`;
  }

  async perform(act: MemoryOperation): Promise<void> {
    await this.#perform(act);
    this.#clusters.dropRemovedMembers();
  }

  async #perform(act: MemoryOperation): Promise<void> {
    const player = this.#player(act);
    const say = `${player.name}: ${JSON.stringify(act)}`;
    switch (act.kind) {
      case 'create':
        return this.#create(player, act, say);
      case 'create many':
        return this.#createMany(player, act, say);
      case 'get':
        return this.#get(player, this.#id(act.memories[0]), say);
      case 'list':
        return this.#list(player, this.#filter(player, act), act.copy, say);
      case 'patch':
        return this.#patch(player, act, say);
      case 'remove':
        return this.#remove(player, act, say);
      case 'restore':
        return this.#restore(player, act, say);
      case 'search':
        return this.#search(player, act.word, this.#filter(player, act), say);
      case 'tag many':
      case 'patch many':
      case 'remove many':
        return this.#many(player, act, say);
      case 'spaces':
        return this.#listSpaces(player, act, say);
      case 'events':
        return this.#events(player, say);
      case 'webhooks':
        return this.#webhooks.perform(player, act, this.#space(act.space), say);
      case 'mail':
        return this.#mail(player, this.#space(act.space), say);
      case 'clusters':
        return this.#clusters.perform(player, act, this.#space(act.space), say);
      case 'cluster members':
        return this.#clusters.performOnMembership(player, act, this.#id(act.memories[0]), say);
    }
  }

  /** Everybody looks at everything: what one of them changed must not have touched another. */
  async compareAll(): Promise<void> {
    for (const player of this.#players) {
      for (const id of this.#ids) await this.#get(player, id, `${player.name} looks at ${id}`);
      await this.#list(player, undefined, true, `${player.name} lists`);
      for (const word of words.keys()) {
        await this.#search(player, word, undefined, `${player.name} searches ${words[word]}`);
      }
      await this.#events(player, `${player.name} reads events`);
      await this.#clusters.compareAll(player, `${player.name} looks at clusters`);
      await this.#webhooks.compareAll(player, `${player.name} looks at webhooks`);
      await this.#records.compareAll(player, `${player.name} looks at records`);
    }
  }

  #check({ status, body }: RawResponse, expected: ExpectedResponse, say: string): boolean {
    const error = (body as { error?: string | { code: string } } | undefined)?.error;
    // Routes of mail answer in the flat form.
    const code = typeof error === 'string' ? error : error?.code;
    expect({ status, code }, say).toEqual({ status: expected.status, code: expected.code });
    this.#meet(code === undefined ? String(status) : `${status} ${code}`);
    return status < 300;
  }

  #meet(met: string): void {
    this.#statuses.set(met, (this.#statuses.get(met) ?? 0) + 1);
  }

  #same(memory: Memory, stored: ModelMemory | undefined, say: string): void {
    const { id, content, space_id, tags, priority, is_deleted } = memory;
    expect({ id, content, space: space_id, tags, priority, deleted: is_deleted }, say).toEqual({
      id: stored?.id,
      content: stored?.content,
      space: stored?.space,
      tags: stored?.tags,
      priority: stored?.priority,
      deleted: stored?.deleted,
    });
  }

  #keep(player: ApiActor, { id, content, space_id, tags, priority }: Memory): void {
    this.#ids.push(id);
    this.#model.recordCreated(player, { id, content, space: space_id, tags, priority });
  }

  async #create(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const content = this.#content(act);
    const { fields, id } = this.#place(player, act.space, act.named);
    const expected = this.#model.create(player, content, id);
    const body = { content, ...fields, priority: act.word, tags: act.flag ? ['first'] : [] };
    const answer = await player.client.request({ method: 'POST', path: '/memories', body });
    if (!this.#check(answer, expected, say)) return;
    this.#keep(player, answer.body as Memory);
    this.#same(answer.body as Memory, this.#model.memories.get(this.#ids.at(-1) ?? ''), say);
  }

  async #createMany(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const items = act.memories.map((n, i) => ({
      content: this.#content(act, i),
      place: this.#place(player, (act.space + n) % 7, act.named === (i % 2 === 0)),
    }));
    const memories = items.map(({ content, place }) => ({ content, ...place.fields }));
    const answer = await player.client.memories.bulkCreate({ body: { memories } });
    let stored = 0;
    const failed: unknown[] = [];
    for (const [index, { content, place }] of items.entries()) {
      const space_id = place.id;
      const { status, code } = this.#model.create(player, content, space_id);
      if (status !== 201) {
        failed.push([index, code]);
        this.#meet(`${status} ${code}`);
        continue;
      }
      const memory = answer.memories[stored];
      expect(memory, say).toMatchObject({ content, space_id });
      if (memory) this.#keep(player, memory);
      stored += 1;
    }
    expect(
      answer.failed.map(({ index, error }) => [index, error.code]),
      say,
    ).toEqual(failed);
    expect(answer.created, say).toBe(stored);
  }

  async #get(player: ApiActor, id: string, say: string): Promise<void> {
    const answer = await player.client.request({ method: 'GET', path: `/memories/${id}` });
    if (!this.#check(answer, this.#model.checkMemory(player, id), say)) return;
    this.#same(answer.body as Memory, this.#model.memories.get(id), say);
  }

  async #list(
    player: ApiActor,
    filter: Filter | undefined,
    deleted: boolean,
    say: string,
  ): Promise<void> {
    const query = { ...filter?.fields, include_deleted: deleted, limit: 100 };
    const answer = await player.client.request({ method: 'GET', path: '/memories', query });
    const usable = filter ? this.#model.checkSpace(player, filter.id) : { status: 200 };
    if (!this.#check(answer, usable, say)) return;
    const { data } = answer.body as { data: Memory[] };
    const wanted = this.#model.visible(player, filter?.id, deleted).slice(0, 100);
    expect(
      data.map(({ id }) => id),
      say,
    ).toEqual(wanted.map(({ id }) => id));
    for (const [i, memory] of data.entries()) this.#same(memory, wanted[i], say);
  }

  async #search(
    player: ApiActor,
    word: number,
    filter: Filter | undefined,
    say: string,
  ): Promise<void> {
    // A phrase must occur in each result: the set is known, whatever the ranking.
    const query = { q: `"${words[word]}"`, ...filter?.fields, limit: 100 };
    const answer = await player.client.request({ method: 'GET', path: '/search', query });
    const usable = filter ? this.#model.checkSpace(player, filter.id) : { status: 200 };
    if (!this.#check(answer, usable, say)) return;
    const { results, facets } = answer.body as {
      results: { id: string; content: string }[];
      facets: { memories: number };
    };
    const wanted = this.#model
      .visible(player, filter?.id, false)
      .filter(({ content }) => content.includes(words[word] ?? ''));
    const texts = (list: readonly { id: string; content: string }[]): string[] =>
      list.map(({ id, content }) => `${id} ${content}`).toSorted();
    expect(texts(results), say).toEqual(texts(wanted));
    expect(facets.memories, say).toBe(wanted.length);
  }

  async #patch(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const id = this.#id(act.memories[0]);
    const place = act.flag ? this.#place(player, act.space, act.named) : undefined;
    const change = act.word > 1 ? { content: this.#content(act, 1) } : { priority: act.word };
    const body = { ...change, ...place?.fields };
    const patch: Patch = { ...change, ...(place && { space_id: place.id }) };
    const answer = await player.client.request({ method: 'PATCH', path: `/memories/${id}`, body });
    if (!this.#check(answer, this.#model.patch(player, id, patch), say)) return;
    this.#same(answer.body as Memory, this.#model.memories.get(id), say);
  }

  async #remove(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const id = this.#id(act.memories[0]);
    const query = { soft: act.flag || act.copy };
    const request = { method: 'DELETE', path: `/memories/${id}`, query };
    const answer = await player.client.request(request);
    this.#check(answer, this.#model.remove(player, id, query.soft), say);
  }

  async #restore(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const id = this.#id(act.memories[0]);
    const path = `/memories/${id}/restore`;
    const answer = await player.client.request({ method: 'POST', path });
    this.#check(answer, this.#model.restore(player, id), say);
  }

  async #many(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const ids = act.memories.map((n) => this.#id(n));
    const { client } = player;
    if (act.kind === 'tag many') {
      const { failed, updated } = await client.memories.bulkTags({ body: { ids, add: ['t'] } });
      const wrong = this.#model.applyEach(ids, (id) => this.#model.addTag(player, id, 't'));
      return this.#compare(ids, updated, failed, wrong, say);
    }
    if (act.kind === 'patch many') {
      const set = { priority: act.word };
      const { failed, updated } = await client.memories.bulkUpdate({ body: { ids, set } });
      const wrong = this.#model.applyEach(ids, (id) => this.#model.patch(player, id, set));
      return this.#compare(ids, updated, failed, wrong, say);
    }
    const soft = act.flag || act.copy;
    const { failed, deleted, job_id } = await client.memories.bulkDelete({ body: { ids, soft } });
    if (job_id !== null) this.#records.addJob(player, job_id);
    const wrong = this.#model.applyEach(ids, (id) => this.#model.remove(player, id, soft));
    this.#compare(ids, deleted, failed, wrong, say);
  }

  #compare(
    ids: readonly string[],
    done: number,
    failed: readonly { index: number; error: { code: string } }[],
    wrong: readonly (readonly [number, string])[],
    say: string,
  ): void {
    expect(
      failed.map(({ index, error }) => [index, error.code]),
      say,
    ).toEqual(wrong);
    expect(done, say).toBe(new Set(ids).size - wrong.length);
  }

  async #listSpaces(player: ApiActor, act: MemoryOperation, say: string): Promise<void> {
    const { data, pagination } = await player.client.spaces.list();
    const wanted = [...this.#model.spaces]
      .filter(([id, account]) => account === player.account && this.#model.canSee(player, id))
      .map(([id]) => id);
    expect(data.map(({ id }) => id).toSorted(), say).toEqual(wanted.toSorted());
    expect(pagination.total, say).toBe(wanted.length);
    const id = this.#space(act.space) ?? absentId;
    const answer = await player.client.request({ method: 'GET', path: `/spaces/${id}` });
    this.#check(answer, this.#model.checkSpace(player, id), say);
  }

  /** In a space that its account has, or none. */
  async #mail(player: ApiActor, space: string | null, say: string): Promise<void> {
    const isOwn = space !== null && this.#model.spaces.get(space) === player.account;
    const name = this.#spaces.indexOf(space ?? '') === 1 ? 'other' : 'own';
    await this.#records.mail(player, isOwn ? space : null, name, say);
  }

  async #events(player: ApiActor, say: string): Promise<void> {
    const seen = await listEvents(player.client);
    for (const told of seen) {
      const { space_id, data } = told;
      this.#clusters.expectEventVisible(player, told, say);
      expect(this.#model.canSee(player, space_id), say).toBe(true);
      const owners = this.#model.contents.get(String(data.content));
      if (data.content !== undefined) expect(owners?.has(player.account), say).toBe(true);
    }
    const created = seen.filter(({ type }) => type === 'memory.created').map(({ data }) => data.id);
    const wanted = this.#model.created.filter(
      ({ account, space, from }) =>
        account === player.account &&
        this.#model.canSee(player, space) &&
        (from === undefined || !this.#model.canSee(player, from)),
    );
    expect(created, say).toEqual(wanted.map(({ id }) => id));
  }
}
