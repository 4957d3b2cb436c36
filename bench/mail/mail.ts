import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { ApiClient } from '../api-client.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import { nowUs, type ProfileWindow } from '../profile-windows.ts';
import { createInstallation, type RunningServer, type ServerName } from '../servers.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';
import { type MailFigures, mailTable, mailVerdicts } from './report.ts';

interface WorkloadSize {
  readonly mails: number;
  readonly largeMails: number;
  readonly largeBytes: number;
}

const fullWorkload: WorkloadSize = { mails: 1_500, largeMails: 4, largeBytes: 18 * 2 ** 20 };
const quickWorkload: WorkloadSize = { mails: 50, largeMails: 2, largeBytes: 2 ** 20 };
const connections = 8;
const bytesMax = 20_000;
const pollMs = 20;

/** How many mails are accepted a second, and what large ones take of memory. */
export async function runMail(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const extent = options.quick ? quickWorkload : fullWorkload;
  say(`\nMail: ${extent.mails} mails of up to ${bytesMax} bytes, over ${connections} connections`);
  const texts = createTextGenerator(await readVocabulary(), 1);
  const all: MailFigures[] = [];
  const windows: ProfileWindow[] = [];
  const names: ServerName[] = ['embedded', ...(options.databaseUrl ? ['PostgreSQL' as const] : [])];
  for (const name of names) {
    const { figures, window } = await measure(name, options, extent, texts);
    all.push(figures);
    windows.push(window);
  }
  say(`\n${mailTable(all)}\n\n${all.flatMap(mailVerdicts).join('\n')}`);
  return windows;
}

async function measure(
  name: ServerName,
  { databaseUrl, profileDir }: BenchmarkOptions,
  extent: WorkloadSize,
  texts: TextGenerator,
): Promise<{ figures: MailFigures; window: ProfileWindow }> {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const env = { MNEME_SMTP_PORT: String(port), MNEME_EMAIL_DOMAIN: 'mail.test' };
  const installation = stack.use(await createInstallation(name, { databaseUrl, profileDir, env }));
  const server = await installation.start();
  stack.defer(() => server.stop());
  using caller = new ApiClient(server, 1);
  const { responses } = await caller.run([{ method: 'POST', path: '/email/address', body: {} }]);
  const to = (responses[0] as { email: string }).email;
  const fromUs = nowUs();
  const begun = performance.now();
  const acceptedMs = await sendMails(port, to, extent.mails, texts);
  const seconds = (performance.now() - begun) / 1_000;
  await waitUntilProcessed(caller);
  const doneSeconds = (performance.now() - begun) / 1_000;
  const raisedMb = await measureLargeMailMemory(server, caller, { port, to, extent });
  return {
    figures: {
      server: name,
      mails: extent.mails,
      seconds,
      acceptedMs,
      processedSeconds: doneSeconds,
      memoryRiseMb: raisedMb,
    },
    window: { server: name, phase: 'mail', fromUs, toUs: nowUs() },
  };
}

async function sendMails(
  port: number,
  to: string,
  count: number,
  texts: TextGenerator,
): Promise<number[]> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  const tookMs: number[] = [];
  let sent = 0;
  const sender = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      let text = `${sent}`;
      while (text.length < (bytesMax * (sent % 10)) / 12) text += `\n${texts.memory()}`;
      const begun = performance.now();
      await transport.sendMail({ from: 'ana@example.com', to, subject: `mail ${sent}`, text });
      tookMs.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  transport.close();
  return tookMs;
}

/** Until nothing that came waits any more. */
async function waitUntilProcessed(caller: ApiClient): Promise<void> {
  for (;;) {
    const { responses } = await caller.run(
      ['received', 'processing'].map((status) => ({
        method: 'GET' as const,
        path: `/email/history?limit=1&status=${status}`,
      })),
    );
    const left = (responses as { pagination: { total: number } }[]).map(
      (one) => one.pagination.total,
    );
    if (left.every((total) => total === 0)) return;
    await wait(pollMs * 10);
  }
}

/** The highest RSS while large mails come in and are read, above that before them. */
async function measureLargeMailMemory(
  server: RunningServer,
  caller: ApiClient,
  { port, to, extent }: { port: number; to: string; extent: WorkloadSize },
): Promise<number> {
  const content = Buffer.alloc(extent.largeBytes, 'large mails are read as they stream by. ');
  const { currentMb: before } = await server.rss();
  let highest = before;
  let isOver = false;
  const watching = (async (): Promise<void> => {
    while (!isOver) {
      highest = Math.max(highest, (await server.rss()).currentMb);
      await wait(pollMs);
    }
  })();
  const transport = createTransport({ host: '127.0.0.1', port });
  await Promise.all(
    Array.from({ length: extent.largeMails }, (_, i) =>
      transport.sendMail({
        from: 'ana@example.com',
        to,
        subject: `large ${i}`,
        attachments: [{ filename: 'large.bin', content, contentType: 'application/octet-stream' }],
      }),
    ),
  );
  await waitUntilProcessed(caller);
  isOver = true;
  await watching;
  return highest - before;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
