import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  emptyDns,
  getOrCreateAddress,
  postInboundMail,
  sendMail,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import {
  bodyMails,
  charsetMails,
  headerMails,
  ruleMails,
  type UnusualMail,
} from './unusual-mails.ts';

const records: Readonly<Record<string, string>> = {
  'strict.example': 'v=spf1 -all',
  '_dmarc.strict.example': 'v=DMARC1; p=reject',
  'lax.example': 'v=spf1 -all',
  '_dmarc.lax.example': 'v=DMARC1; p=none',
};

async function dns(name: string, type: string): Promise<string[][]> {
  const record = type === 'TXT' ? records[name] : undefined;
  return record === undefined ? emptyDns(name) : [[record]];
}

const all = [...charsetMails, ...headerMails, ...bodyMails, ...ruleMails];
const listOf = (text: string | readonly string[] = []): readonly string[] =>
  typeof text === 'string' ? [text] : text;

describe.each(engines)('an awkward mail on %s', (engine) => {
  let service: Service;
  let client: ReturnType<Service['client']>;
  let to: string;
  beforeAll(async () => {
    service = await startService(engine, {
      env: { MNEME_SMTP_PORT: '0', MNEME_EMAIL_DOMAIN: 'mail.test' },
      overrides: { resolveName: dns },
    });
    ({ client } = await service.createAccount());
    to = await getOrCreateAddress(client);
    // All at once, since each would wait for the next poll of the worker.
    for (const awkward of all) answers.set(awkward, await handInOne(awkward));
  });
  afterAll(() => service.stop());

  const answers = new Map<UnusualMail, Awaited<ReturnType<typeof postInboundMail>>>();
  const handInOne = ({ raw, query = 'recipient' }: UnusualMail) =>
    postInboundMail(client, raw(to), `?${query.replace('recipient', `recipient=${to}`)}`);

  const known = async (id: string) =>
    eventually(
      () => client.email.getHistory({ params: { id } }),
      ({ status }) => !['received', 'processing'].includes(status),
      60_000,
    );

  async function expectContent(awkward: UnusualMail, memoryId: string | null): Promise<void> {
    if (awkward.contains === undefined) return;
    const { content } = await client.memories.get({ params: { id: memoryId ?? 'none' } });
    for (const expected of listOf(awkward.contains)) expect(content).toContain(expected);
    for (const expected of listOf(awkward.excludes)) expect(content).not.toContain(expected);
    expect(content).not.toContain('\0');
  }

  it.each(all.map((one) => [one.name, one] as const))('with %s', async (_name, awkward) => {
    const answer = answers.get(awkward);
    if (awkward.rejectedWith !== undefined)
      return expect(answer?.status).toBe(awkward.rejectedWith);
    expect(answer?.status).toBe(202);
    const mail = await known(
      (answer?.body as { history_id: string } | undefined)?.history_id ?? '',
    );
    expect(mail).toMatchObject(awkward.mail ?? {});
    expect(mail.subject).not.toMatch(/[\r\n\0]/);
    await expectContent(awkward, mail.responseMemoryId);
    const { data } = await client.email.listAttachments({ params: { id: mail.id } });
    for (const [i, wanted] of (awkward.attachments ?? []).entries()) {
      const { memoryId, ...fields } = wanted;
      expect(data[i]).toMatchObject(fields);
      if (memoryId !== undefined) expect(data[i]?.memoryId).not.toBeNull();
    }
  });

  it('leaves the service as it was: the next one is taken', async () => {
    const id = await sendMail(service, { from: 'ana@example.com', to, subject: 'after all that' });
    expect((await waitForProcessedMail(client, id)).status).toBe('completed');
  });
});

it('there are at least 40 awkward mails', () => {
  expect(all.length).toBeGreaterThanOrEqual(40);
});
