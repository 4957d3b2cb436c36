import type { Webhook, WebhookDelivery } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { expect } from 'vitest';
import type { Actor, ExpectedResponse } from './model.ts';

interface ApiActor extends Actor {
  readonly client: Client;
}

/** A webhook as the model has it. */
interface ModelWebhook {
  readonly id: string;
  readonly account: string;
  /** Spaces whose events it is told, `default` for account level; null: all. */
  readonly spaces: ReadonlySet<string> | null;
  space: string | null;
  name: string;
  isRemoved: boolean;
}

/** What somebody does with webhooks; numbers pick from what there is. */
interface WebhookOperation {
  readonly memories: readonly number[];
  readonly word: number;
  readonly flag: boolean;
}

/** What a run has met, such as `403 space_access_denied`. */
type RecordCoverage = (met: string) => void;

const missing: ExpectedResponse = { status: 404, code: 'not_found' };
const denied: ExpectedResponse = { status: 403, code: 'space_access_denied' };
/** Told at once that it may not be reached, so that nothing leaves the machine. */
const url = 'https://127.0.0.1:9/hook';

/** Webhooks of all players, and the model beside them. */
export class WebhookHarness {
  readonly #told: ModelWebhook[] = [];
  readonly #named: (actor: Actor, space: string | null) => ExpectedResponse;
  readonly #met: RecordCoverage;
  #next = 0;

  /** @param named what is answered where a space is named */
  constructor(
    named: (actor: Actor, space: string | null) => ExpectedResponse,
    met: RecordCoverage,
  ) {
    this.#named = named;
    this.#met = met;
  }

  async perform(
    player: ApiActor,
    act: WebhookOperation,
    space: string | null,
    say: string,
  ): Promise<void> {
    if (act.word === 0 || this.#told.length === 0) return this.#create(player, space, say);
    const told = this.#told[(act.memories[0] ?? 0) % this.#told.length] as ModelWebhook;
    if (act.word === 1) return this.#remove(player, told, say);
    if (act.word === 2) return this.#patch(player, told, act.flag ? space : undefined, say);
    await this.#get(player, told, say);
    await this.#list(player, say);
  }

  /** What a player sees of webhooks and of what was delivered to them. */
  async compareAll(player: ApiActor, say: string): Promise<void> {
    const query = { limit: 100 };
    for (const told of await this.#list(player, say)) {
      const params = { webhookId: told.id };
      const { data } = await player.client.webhooks.listDeliveries({ params, query });
      for (const delivery of data) this.#mayBeTold(player, told, delivery, say);
    }
  }

  /** Those that are told of no more than the player may see itself. */
  async #list(player: ApiActor, say: string): Promise<ModelWebhook[]> {
    const wanted = this.#told.filter((told) => this.#reach(player, told).status === 200);
    const query = { limit: 100 };
    const { data, total } = await player.client.webhooks.list({ query });
    expect(data.map(({ id }) => id).toSorted(), say).toEqual(wanted.map(({ id }) => id).toSorted());
    expect(total, say).toBe(wanted.length);
    expect((await player.client.webhooks.stats()).total_webhooks, say).toBe(wanted.length);
    return wanted;
  }

  /** What was delivered is of the account, and of a space that the webhook may be told of. */
  #mayBeTold(
    player: ApiActor,
    { spaces }: ModelWebhook,
    { payload }: WebhookDelivery,
    say: string,
  ): void {
    this.#met('a delivery');
    const { space_id: space } = payload as { space_id: string | null };
    const owner = { ...player, spaces: null };
    if (space !== null) expect(this.#named(owner, space).status, say).toBe(200);
    expect(spaces === null || spaces.has(space ?? 'default'), say).toBe(true);
  }

  #reach(actor: Actor, { account, spaces, isRemoved }: ModelWebhook): ExpectedResponse {
    if (account !== actor.account || isRemoved) return missing;
    if (actor.spaces === null) return { status: 200 };
    const seen = actor.spaces;
    return spaces !== null && [...spaces].every((one) => seen.has(one)) ? { status: 200 } : denied;
  }

  #check({ status, body }: RawResponse, expected: ExpectedResponse, say: string): boolean {
    const code = (body as { error?: string } | undefined)?.error;
    expect({ status, code }, say).toEqual({ status: expected.status, code: expected.code });
    this.#met(code === undefined ? String(status) : `${status} ${code}`);
    return status < 300;
  }

  /** No space is named by null: it is told of all that its key may see. */
  #nameable = (actor: Actor, space: string | null | undefined): ExpectedResponse =>
    space ? this.#named(actor, space) : { status: 200 };

  async #create(player: ApiActor, space: string | null, say: string): Promise<void> {
    this.#next += 1;
    const name = `number ${this.#next}`;
    const events = ['memory.created', 'memory.updated'];
    const body = { url, events, name, space_id: space, max_retries: 0 };
    const answer = await player.client.request({ method: 'POST', path: '/webhooks', body });
    const usable = this.#nameable(player, space);
    const expected = usable.status === 200 ? { status: 201 } : usable;
    if (!this.#check(answer, expected, say)) return;
    const { id } = answer.body as Webhook;
    this.#told.push({
      id,
      account: player.account,
      spaces: player.spaces,
      space,
      name,
      isRemoved: false,
    });
  }

  async #get(player: ApiActor, told: ModelWebhook, say: string): Promise<void> {
    const answer = await player.client.request({ method: 'GET', path: `/webhooks/${told.id}` });
    if (!this.#check(answer, this.#reach(player, told), say)) return;
    const { id, space: space_id, name } = told;
    expect(answer.body, say).toMatchObject({ id, space_id, name });
  }

  async #patch(
    player: ApiActor,
    told: ModelWebhook,
    space: string | null | undefined,
    say: string,
  ): Promise<void> {
    this.#next += 1;
    const name = `number ${this.#next}`;
    const body = { name, ...(space === undefined ? {} : { space_id: space }) };
    const path = `/webhooks/${told.id}`;
    const answer = await player.client.request({ method: 'PATCH', path, body });
    if (!this.#check(answer, this.#changed(player, told, space), say)) return;
    Object.assign(told, { name, ...(space === undefined ? {} : { space }) });
  }

  #changed(
    player: ApiActor,
    told: ModelWebhook,
    space: string | null | undefined,
  ): ExpectedResponse {
    const reached = this.#reach(player, told);
    if (reached.status !== 200 || !space || space === told.space) return reached;
    const usable = this.#nameable(player, space);
    if (usable.status !== 200) return usable;
    return told.spaces === null || told.spaces.has(space) ? usable : denied;
  }

  async #remove(player: ApiActor, told: ModelWebhook, say: string): Promise<void> {
    const path = `/webhooks/${told.id}`;
    const answer = await player.client.request({ method: 'DELETE', path });
    const reached = this.#reach(player, told);
    const expected = reached.status === 200 ? { status: 204 } : reached;
    if (this.#check(answer, expected, say)) told.isRemoved = true;
  }
}
