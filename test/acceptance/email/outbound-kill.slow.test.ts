import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startMailReceiver } from '../../support/mail-receiver.ts';
import { runCount } from '../../support/run-count.ts';
import { createDataLocation, startServerProcess } from '../../support/server-process.ts';

const rounds = runCount(2, 3);
const perRound = 8;
const timeoutMs = 60_000;

/** Only embedded: it releases leases at start; on PostgreSQL, the lease must expire first. */
describe('mail that leaves a process that is killed on embedded', () => {
  it('leaves all the same, and what was said twice has the same Message-ID', async () => {
    await using receiver = await startMailReceiver();
    const location = await createDataLocation('embedded');
    const env = { MNEME_SMTP_URL: receiver.url, MNEME_EMBEDDING_PROVIDER: 'static' };
    const contents: string[] = [];
    const recipient = 'ana@example.com';
    let server = await startServerProcess(location, { env });
    try {
      const reaction = {
        name: 'told',
        triggerType: 'memory_created',
        emailSubjectTemplate: '{{content}}',
        emailBodyTemplate: '{{content}}',
        recipients: [recipient],
        maxPerDay: 1_000,
      };
      await server.client().email.createReaction({ body: reaction });
      for (let round = 0; round < rounds; round += 1) {
        const before = receiver.received.length;
        for (let i = 0; i < perRound; i += 1) {
          const content = `round ${round}, memory ${i}`;
          await server.client().memories.create({ body: { content } });
          contents.push(content);
        }
        // During the deliveries, at a different time in each round.
        await eventually(
          async () => receiver.received.length,
          (count) => count >= before + 1 + 2 * round,
          timeoutMs,
        );
        await server.kill('SIGKILL');
        server = await startServerProcess(location, { env });
      }
      const subjects = () => receiver.received.map(({ mail }) => mail.subject ?? '');
      await eventually(
        async () => contents.filter((content) => !subjects().includes(content)),
        (missing) => missing.length === 0,
        timeoutMs,
      );
      const ids = (content: string) =>
        receiver.received
          .filter(({ mail }) => mail.subject === content)
          .map(({ mail }) => mail.messageId);
      for (const content of contents) expect(new Set(ids(content)).size, content).toBe(1);
    } finally {
      await server.kill('SIGKILL');
      await location.remove();
    }
  }, 300_000);
});
