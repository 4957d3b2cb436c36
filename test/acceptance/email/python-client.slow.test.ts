import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  getOrCreateAddress,
  mailServiceOptions,
  smtpPortOf,
  waitForProcessedMail,
} from '../../support/mail.ts';
import { isAvailable } from '../../support/requirements.ts';
import { type Service, startService } from '../../support/service.ts';

const script = fileURLToPath(new URL('../../fixtures/send-mail.py', import.meta.url));
const run = promisify(execFile);

describe.runIf(isAvailable('python'))('a mail that Python sends', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('embedded', mailServiceOptions);
  });
  afterAll(() => service.stop());

  it('is taken, with its dots, its umlauts and its attachment', async () => {
    const { client } = await service.createAccount();
    const to = await getOrCreateAddress(client);
    const port = String(smtpPortOf(service));
    await run('python3', [script, '127.0.0.1', port, 'ana@example.com', to, 'py-1@example.com']);
    const mail = await waitForProcessedMail(client, 'py-1@example.com');
    expect(mail).toMatchObject({
      status: 'completed',
      bodyPlain: 'Zeile eins.\n.begins with a dot\nLast line: ☂',
      parsedIntent: { metadata: { tags: ['python'], priority: 3 } },
    });
    expect(mail.parsedIntent?.content).toContain('Grüße from Python');
    const { data } = await client.email.listAttachments({ params: { id: mail.id } });
    expect(data).toMatchObject([{ filename: 'words.txt', memoryId: expect.any(String) }]);
  });

  it('to an address that nobody has ends its script with an error', async () => {
    const port = String(smtpPortOf(service));
    const sent = run('python3', [script, '127.0.0.1', port, 'a@b.example', 'x@mail.test', 'n@x']);
    await expect(sent).rejects.toThrow(/550/);
  });
});
