import type { Cluster, Memory } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { expect } from 'vitest';
import type { AnyEvent } from '../memories/memory-requests.ts';
import type { Actor, ExpectedResponse, Model, ModelMemory } from './model.ts';

interface ApiActor extends Actor {
  readonly client: Client;
}

/** A cluster as the model has it. */
interface ModelCluster {
  readonly id: string;
  readonly account: string;
  readonly space: string | null;
  name: string;
  /** Softly deleted memories too. */
  members: Set<string>;
  isRemoved: boolean;
}

/** What somebody does with clusters; numbers pick from what there is. */
interface ClusterOperation {
  readonly memories: readonly number[];
  readonly word: number;
  readonly copy: boolean;
  readonly flag: boolean;
}

const ok: ExpectedResponse = { status: 200 };
const missing: ExpectedResponse = { status: 404, code: 'cluster_not_found' };
const denied: ExpectedResponse = { status: 403, code: 'space_access_denied' };
const conflict: ExpectedResponse = { status: 409, code: 'conflict' };
const invalid: ExpectedResponse = { status: 422, code: 'validation_error' };
const nobody = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';

/** The first refusal, or what is answered without one. */
const firstRejection = (
  steps: readonly (() => ExpectedResponse)[],
  done: ExpectedResponse,
): ExpectedResponse => {
  for (const step of steps) {
    const expected = step();
    if (expected.status >= 300) return expected;
  }
  return done;
};

/** Clusters of all players, and the model beside them. */
export class ClusterHarness {
  readonly #clusters: ModelCluster[] = [];
  readonly #model: Model;
  readonly #check: (answer: RawResponse, expected: ExpectedResponse, say: string) => boolean;
  #next = 0;

  constructor(
    model: Model,
    check: (answer: RawResponse, expected: ExpectedResponse, say: string) => boolean,
  ) {
    this.#model = model;
    this.#check = check;
  }

  /** Makes clusters of the account and of a space, so that there is something to act on. */
  async createInitialClusters(player: ApiActor, space: string): Promise<void> {
    for (const place of [null, null, space]) {
      await this.#create(player, place, false, `${player.name} begins`);
    }
  }

  async perform(
    player: ApiActor,
    act: ClusterOperation,
    space: string | null,
    say: string,
  ): Promise<void> {
    const [n = 0, m = n + 1] = act.memories;
    const one = this.#pick(player, n, act.copy);
    const taking = this.#find(one)?.space ?? null;
    const other = this.#pick(player, m, act.copy, ({ space }) => [null, space].includes(taking));
    if (act.word === 0) return this.#create(player, space, act.copy, say);
    if (act.word === 1) return this.#patch(player, one, act.copy, say);
    if (act.word === 2) return this.#merge(player, one, [other], say);
    if (act.word === 3 && act.flag) return this.#remove(player, one, say);
    await this.#get(player, one, say);
    await this.#list(player, say);
  }

  /** Puts a memory in clusters, takes it out of one, or looks where it is. */
  async performOnMembership(
    player: ApiActor,
    act: ClusterOperation,
    any: string,
    say: string,
  ): Promise<void> {
    const [n = 0, ...others] = act.memories;
    const own = this.#model.visible(player, undefined, act.flag);
    const memoryId = act.copy ? any : (own[n % Math.max(1, own.length)]?.id ?? any);
    const at = this.#model.memories.get(memoryId)?.space ?? null;
    const ids = [n, ...others].map((one) =>
      this.#pick(player, one, act.copy, ({ space }) => space === null || space === at),
    );
    const [first = nobody] = ids;
    if (act.word === 1) return this.#ofMemory(player, memoryId, say);
    if (act.word > 1) return this.#put(player, memoryId, ids.slice(0, act.word - 1), say);
    const home = this.#visible(player).find(({ members }) => members.has(memoryId));
    return this.#takeOut(player, memoryId, home && !act.flag ? home.id : first, say);
  }

  /** What is deleted for good, or is in another space by now, has left. */
  dropRemovedMembers(): void {
    for (const cluster of this.#clusters) {
      for (const id of cluster.members) {
        const memory = this.#model.memories.get(id);
        const stays = memory && (cluster.space === null || cluster.space === memory.space);
        if (!stays) cluster.members.delete(id);
      }
    }
  }

  async compareAll(player: ApiActor, say: string): Promise<void> {
    for (const { id } of await this.#list(player, say)) await this.#get(player, id, say);
  }

  /** Told is who sees the cluster: nobody else, and of no other account's. */
  expectEventVisible(player: ApiActor, { type, data }: AnyEvent, say: string): void {
    if (!type.startsWith('cluster.')) return;
    const id = data.cluster_id ?? data.id;
    const cluster = this.#clusters.find((one) => one.id === id);
    expect(cluster?.account, say).toBe(player.account);
    if (cluster) expect(this.#model.canSee(player, cluster.space), say).toBe(true);
  }

  /** Mostly one that fits and that the player sees; anybody's where `any` is told. */
  #pick(
    player: ApiActor,
    n: number,
    any: boolean,
    fits = (_: ModelCluster): boolean => true,
  ): string {
    const some = any ? this.#clusters : this.#visible(player).filter(fits);
    return some[n % Math.max(1, some.length)]?.id ?? nobody;
  }

  #find = (id: string): ModelCluster | undefined =>
    this.#clusters.find((cluster) => cluster.id === id);

  #reach(actor: Actor, id: string): ExpectedResponse {
    const cluster = this.#find(id);
    if (cluster?.account !== actor.account || cluster.isRemoved) return missing;
    return this.#model.canSee(actor, cluster.space) ? ok : denied;
  }

  #active = ({ members }: ModelCluster): ModelMemory[] =>
    [...members].flatMap((id) => {
      const memory = this.#model.memories.get(id);
      return memory && !memory.deleted ? [memory] : [];
    });

  #same({ id, name, space_id, memory_count }: Cluster, say: string): void {
    const kept = this.#find(id);
    expect({ id, name, space: space_id, count: memory_count }, say).toEqual({
      id: kept?.id,
      name: kept?.name,
      space: kept?.space,
      count: kept && this.#active(kept).length,
    });
  }

  /** A name of its own, or another cluster's in other letters. */
  #name(copy: boolean): string {
    this.#next += 1;
    const taken = this.#clusters[this.#next % Math.max(1, this.#clusters.length)];
    return copy && taken ? taken.name.toUpperCase() : `number ${this.#next}`;
  }

  #named(account: string, space: string | null, name: string, but: string): ExpectedResponse {
    const isTaken = this.#clusters.some(
      (other) =>
        !other.isRemoved &&
        other.account === account &&
        other.space === space &&
        other.id !== but &&
        other.name.toLowerCase() === name.toLowerCase(),
    );
    return isTaken ? conflict : ok;
  }

  async #create(player: ApiActor, space: string | null, copy: boolean, say: string): Promise<void> {
    const [name, { account }] = [this.#name(copy), player];
    const body = { name, space_id: space };
    const answer = await player.client.request({ method: 'POST', path: '/clusters', body });
    const expected = firstRejection(
      [() => this.#model.checkSpace(player, space), () => this.#named(account, space, name, '')],
      { status: 201 },
    );
    if (!this.#check(answer, expected, say)) return;
    const cluster = answer.body as Cluster;
    const { id } = cluster;
    this.#clusters.push({ id, account, space, name, members: new Set(), isRemoved: false });
    this.#same(cluster, say);
  }

  async #patch(player: ApiActor, id: string, copy: boolean, say: string): Promise<void> {
    const name = this.#name(copy);
    const kept = this.#find(id);
    const path = `/clusters/${id}`;
    const answer = await player.client.request({ method: 'PATCH', path, body: { name } });
    const free = (): ExpectedResponse => this.#named(player.account, kept?.space ?? null, name, id);
    const expected = firstRejection([() => this.#reach(player, id), free], ok);
    if (!this.#check(answer, expected, say) || !kept) return;
    kept.name = name;
    this.#same(answer.body as Cluster, say);
  }

  async #remove(player: ApiActor, id: string, say: string): Promise<void> {
    const answer = await player.client.request({ method: 'DELETE', path: `/clusters/${id}` });
    const expected = firstRejection([() => this.#reach(player, id)], { status: 204 });
    if (this.#check(answer, expected, say))
      Object.assign(this.#find(id) ?? {}, { isRemoved: true });
  }

  async #merge(
    player: ApiActor,
    id: string,
    source_ids: readonly string[],
    say: string,
  ): Promise<void> {
    const path = `/clusters/${id}/merge`;
    const answer = await player.client.request({ method: 'POST', path, body: { source_ids } });
    const target = this.#find(id);
    const sources = source_ids.flatMap((source) => this.#find(source) ?? []);
    const fits = sources.every(
      (source) => source !== target && (!target?.space || target.space === source.space),
    );
    const expected = firstRejection(
      [
        () => this.#reach(player, id),
        ...source_ids.map((source) => () => this.#reach(player, source)),
        () => (fits ? ok : invalid),
      ],
      ok,
    );
    if (!this.#check(answer, expected, say) || !target) return;
    for (const source of sources) {
      for (const member of source.members) target.members.add(member);
      source.isRemoved = true;
    }
    this.#same(answer.body as Cluster, say);
  }

  async #put(
    player: ApiActor,
    memoryId: string,
    cluster_ids: readonly string[],
    say: string,
  ): Promise<void> {
    const path = `/memories/${memoryId}/clusters`;
    const answer = await player.client.request({ method: 'POST', path, body: { cluster_ids } });
    const memory = this.#model.memories.get(memoryId);
    const clusters = cluster_ids.flatMap((id) => this.#find(id) ?? []);
    const fits = clusters.every(({ space }) => space === null || space === memory?.space);
    const expected = firstRejection(
      [
        () => this.#model.checkMemory(player, memoryId),
        () => (memory?.deleted ? conflict : ok),
        ...cluster_ids.map((id) => () => this.#reach(player, id)),
        () => (fits ? ok : invalid),
      ],
      { status: 201 },
    );
    if (!this.#check(answer, expected, say)) return;
    for (const { members } of clusters) members.add(memoryId);
  }

  async #takeOut(player: ApiActor, memoryId: string, id: string, say: string): Promise<void> {
    const path = `/memories/${memoryId}/clusters/${id}`;
    const answer = await player.client.request({ method: 'DELETE', path });
    const cluster = this.#find(id);
    const expected = firstRejection(
      [
        () => this.#reach(player, id),
        () => this.#model.checkMemory(player, memoryId),
        () => (cluster?.members.has(memoryId) ? ok : missing),
      ],
      { status: 204 },
    );
    if (this.#check(answer, expected, say)) cluster?.members.delete(memoryId);
  }

  async #ofMemory(player: ApiActor, memoryId: string, say: string): Promise<void> {
    const [path, query] = [`/memories/${memoryId}/clusters`, { limit: 100 }];
    const answer = await player.client.request({ method: 'GET', path, query });
    if (!this.#check(answer, this.#model.checkMemory(player, memoryId), say)) return;
    const { data } = answer.body as { data: Cluster[] };
    const wanted = this.#visible(player).filter(({ members }) => members.has(memoryId));
    this.#alike(data, wanted, say);
  }

  /** With its memories: of an account-wide one those that the player may see itself. */
  async #get(player: ApiActor, id: string, say: string): Promise<void> {
    const path = `/clusters/${id}`;
    const query = { include_memories: true, limit: 100 };
    const answer = await player.client.request({ method: 'GET', path, query });
    if (!this.#check(answer, this.#reach(player, id), say)) return;
    const cluster = answer.body as Cluster & { memories: Memory[] };
    this.#same(cluster, say);
    const kept = this.#find(id);
    const wanted = kept ? this.#active(kept) : [];
    const texts = (list: readonly { id: string; content: string }[]): string[] =>
      list.map((memory) => `${memory.id} ${memory.content}`).toSorted();
    expect(texts(cluster.memories), say).toEqual(
      texts(wanted.filter(({ space }) => this.#model.canSee(player, space))),
    );
  }

  async #list(player: ApiActor, say: string): Promise<ModelCluster[]> {
    const { data, pagination } = await player.client.clusters.list({ query: { limit: 100 } });
    const wanted = this.#visible(player);
    this.#alike(data, wanted, say);
    expect(pagination.total, say).toBe(wanted.length);
    expect((await player.client.clusters.stats()).total, say).toBe(wanted.length);
    return wanted;
  }

  #visible = (player: ApiActor): ModelCluster[] =>
    this.#clusters.filter(({ id }) => this.#reach(player, id).status === 200);

  #alike(clusters: readonly Cluster[], wanted: readonly ModelCluster[], say: string): void {
    expect(clusters.map(({ id }) => id).toSorted(), say).toEqual(
      wanted.map(({ id }) => id).toSorted(),
    );
    for (const cluster of clusters) this.#same(cluster, say);
  }
}
