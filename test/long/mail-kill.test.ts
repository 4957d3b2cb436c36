import type { Client, Mail } from '@mneme/sdk';
import { createTransport } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createDataLocation, startServerProcess } from '../support/server-process.ts';
import { engines } from '../support/service.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
const senders = 4;

describe.each(engines)(`${rounds} kills while mails pour in on %s`, (engine) => {
  it('lose no mail that was acknowledged, and do what it asks for once', async () => {
    const place = await createDataLocation(engine);
    const env = {
      MNEME_PORT: '0',
      MNEME_SMTP_PORT: '0',
      MNEME_DATA_DIR: place.dataDir,
      MNEME_EMAIL_DOMAIN: 'mail.test',
      ...(place.databaseUrl === null ? {} : { MNEME_DATABASE_URL: place.databaseUrl }),
    };
    const accepted = new Set<string>();
    let number = 0;
    let to = '';
    try {
      for (let round = 0; round < rounds; round += 1) {
        const server = await startServerProcess(place, { env });
        if (to === '') to = (await server.client().email.createAddress({ body: {} })).email;
        const [, port = ''] = await server.waitForOutput(/SMTP server listens on port (\d+)/);
        const pouring = Array.from({ length: senders }, async () => {
          const transport = createTransport({ host: '127.0.0.1', port: Number(port), pool: true });
          for (;;) {
            number += 1;
            const id = `kill-${number}@example.com`;
            const subject = `store: fact number ${number}`;
            const mail = { from: 'ana@example.com', to, subject, messageId: `<${id}>` };
            const isTaken = await transport.sendMail(mail).then(
              () => true,
              () => false,
            );
            if (!isTaken) return transport.close();
            accepted.add(id);
          }
        });
        const enough = accepted.size + 5 + ((round * 7) % 20);
        await eventually(
          async () => accepted.size,
          (size) => size >= enough,
          60_000,
        );
        await server.kill('SIGKILL', 'group');
        await Promise.all(pouring);
      }
      await using server = await startServerProcess(place, { env });
      const client = server.client();
      const waiting = (): Promise<number> => countWaiting(client);
      await eventually(waiting, (count) => count === 0, 600_000);
      const mails: Mail[] = [];
      for await (const mail of client.email.listHistory({ query: { limit: 100 } })) {
        mails.push(mail);
      }
      expect(mails.filter(({ status }) => status !== 'completed')).toEqual([]);
      const ids = mails.map(({ messageId }) => messageId ?? '');
      expect(new Set(ids).size).toBe(ids.length);
      expect([...accepted].filter((id) => !ids.includes(id))).toEqual([]);
      const contents: string[] = [];
      for await (const memory of client.memories.list({ query: { limit: 100 } })) {
        contents.push(memory.content);
      }
      const wanted = ids.map((id) => `fact number ${/\d+/.exec(id)?.[0]}`);
      expect(contents.toSorted()).toEqual(wanted.toSorted());
      process.stdout.write(`${engine}: ${accepted.size} acknowledged, ${ids.length} kept\n`);
      await server.kill('SIGTERM');
    } finally {
      await place.remove();
    }
  });
});

/** Mails that came and are not done. */
async function countWaiting(client: Client): Promise<number> {
  const pages = (['received', 'processing'] as const).map((status) =>
    client.email.listHistory({ query: { status, limit: 1 } }),
  );
  return (await Promise.all(pages)).reduce((sum, { pagination }) => sum + pagination.total, 0);
}
