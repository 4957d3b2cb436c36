import type { AuditEntry, Mail } from '@mneme/contract';
import type { Client, RawResponse } from '@mneme/sdk';
import { expect } from 'vitest';
import { allowSenders, getOrCreateAddress, postInboundMail } from '../../support/mail.ts';
import type { Service } from '../../support/service.ts';
import type { Actor, ExpectedResponse, Model } from './model.ts';

interface ApiActor extends Actor {
  readonly client: Client;
}

interface KnownJob extends Pick<Actor, 'account' | 'spaces'> {
  readonly id: string;
}

interface KnownMail {
  readonly id: string;
  readonly account: string;
  readonly space: string | null;
}

const missing: ExpectedResponse = { status: 404, code: 'not_found' };
const denied: ExpectedResponse = { status: 403, code: 'space_access_denied' };
const ok: ExpectedResponse = { status: 200 };

/** What a run has met, such as `a job of another account`. */
type RecordCoverage = (met: string) => void;
type Check = (answer: RawResponse, expected: ExpectedResponse, say: string) => boolean;

/** Jobs, mails and the audit log of all players, and what the model says of them. */
export class RecordHarness {
  readonly #service: Service;
  readonly #model: Model;
  readonly #check: Check;
  readonly #met: RecordCoverage;
  readonly #jobs: KnownJob[] = [];
  readonly #mails: KnownMail[] = [];
  readonly #addresses = new Map<string, string>();
  /** By account, ids of audit entries that were seen. */
  readonly #audited = new Map<string, Set<string>>();
  #next = 0;

  constructor(
    service: Service,
    model: Model,
    { check, met }: { check: Check; met: RecordCoverage },
  ) {
    this.#service = service;
    this.#model = model;
    this.#check = check;
    this.#met = met;
  }

  /** The player's account takes mail from here on. */
  async enableMail({ account, client }: ApiActor): Promise<void> {
    await allowSenders(client);
    this.#addresses.set(account, await getOrCreateAddress(client));
  }

  addJob({ account, spaces }: ApiActor, id: string): void {
    this.#jobs.push({ id, account, spaces });
  }

  /** Hands in a mail that searches a space by its name, and stores nothing. */
  async mail(player: ApiActor, space: string | null, name: string, say: string): Promise<void> {
    this.#next += 1;
    const to = this.#addresses.get(player.account) ?? '';
    const lines = [
      'From: bo@example.com',
      `To: ${to}`,
      `Message-ID: <${this.#next}.${player.account}@example.com>`,
      `Subject: search: quokka${space === null ? '' : ` @${name}`}`,
      '',
      '',
    ];
    const answer = await postInboundMail(
      player.client,
      lines.join('\r\n'),
      `?recipient=${to}&verified=true`,
    );
    const expected = player.spaces === null ? { status: answer.status } : denied;
    if (!this.#check(answer, expected, say)) return;
    await this.#service.running.context.worker.drain();
    const { history_id: id } = answer.body as { history_id: string };
    this.#mails.push({ id, account: player.account, space });
  }

  async compareAll(player: ApiActor, say: string): Promise<void> {
    for (const job of this.#jobs) await this.#lookAtJob(player, job, say);
    await this.#lookAtMails(player, say);
    await this.#lookAtAudit(player, say);
  }

  async #lookAtJob(player: ApiActor, job: KnownJob, say: string): Promise<void> {
    const answer = await player.client.request({ method: 'GET', path: `/jobs/${job.id}` });
    const isSeen = this.#seesJob(player, job);
    this.#check(answer, isSeen ? ok : missing, `${say}: job ${job.id}`);
    this.#met(isSeen ? 'a job' : 'a hidden job');
  }

  /** A limited key sees what keys within its spaces have caused. */
  #seesJob(player: Actor, { account, spaces }: KnownJob): boolean {
    if (account !== player.account) return false;
    const seen = player.spaces;
    if (seen === null) return true;
    return spaces !== null && [...spaces].every((one) => seen.has(one));
  }

  async #lookAtMails(player: ApiActor, say: string): Promise<void> {
    const { client } = player;
    const query = { limit: 100 };
    const listed = await client.request({ method: 'GET', path: '/email/history', query });
    if (!this.#check(listed, this.#model.canSee(player, null) ? ok : denied, say)) return;
    const wanted = this.#mails.filter(
      ({ account, space }) => account === player.account && this.#model.canSee(player, space),
    );
    const { data } = listed.body as { data: Mail[] };
    expect(data.map(({ id }) => id).toSorted(), say).toEqual(wanted.map(({ id }) => id).toSorted());
    for (const { id, account, space } of this.#mails) {
      const answer = await client.request({ method: 'GET', path: `/email/history/${id}` });
      const own = this.#model.canSee(player, space) ? ok : denied;
      this.#check(answer, account === player.account ? own : missing, `${say}: mail ${id}`);
      this.#met(account === player.account && own === ok ? 'a mail' : 'a hidden mail');
    }
  }

  /** Limited keys see none of it, and nobody sees an entry of another account. */
  async #lookAtAudit({ account, spaces, client }: ApiActor, say: string): Promise<void> {
    const query = { limit: 100 };
    const answer = await client.request({ method: 'GET', path: '/account/audit', query });
    if (!this.#check(answer, spaces === null ? ok : denied, say)) return;
    const { data } = answer.body as { data: AuditEntry[] };
    expect(data.length, say).toBeGreaterThan(0);
    this.#audited.set(account, new Set(data.map(({ id }) => id)));
    for (const [other, ids] of this.#audited) {
      if (other === account) continue;
      expect(
        data.filter(({ id }) => ids.has(id)),
        say,
      ).toEqual([]);
      expect(JSON.stringify(data), say).not.toContain(other);
      this.#met('an audit log of another account');
    }
  }
}
