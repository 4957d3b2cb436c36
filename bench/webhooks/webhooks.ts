import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient, type ApiRequest } from '../api-client.ts';
import { BackgroundSearcher } from '../background-searcher.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import { nowUs, type ProfileWindow } from '../profile-windows.ts';
import {
  createInstallation,
  type InstallationOptions,
  type RunningServer,
  type ServerName,
  startWebhookReceiver,
} from '../servers.ts';
import { createTextGenerator, readVocabulary, type TextGenerator } from '../text-generator.ts';
import { type WebhookFigures, webhookTable, webhookVerdicts } from './report.ts';

interface WorkloadSize {
  readonly memories: number;
  readonly events: number;
  readonly webhooks: number;
  readonly idleSearches: number;
}

const fullWorkload: WorkloadSize = {
  memories: 5_000,
  events: 1_000,
  webhooks: 10,
  idleSearches: 300,
};
const quickWorkload: WorkloadSize = { memories: 200, events: 50, webhooks: 3, idleSearches: 30 };
const pollMs = 25;
const timeoutSeconds = 300;
const env = { MNEME_WEBHOOK_ALLOW_HTTP: 'true', MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' };

/** How fast webhooks are told, and what searches take meanwhile. */
export async function runWebhooks(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const extent = options.quick ? quickWorkload : fullWorkload;
  say(`\nWebhooks: ${extent.events} events told to ${extent.webhooks} webhooks`);
  const vocabulary = await readVocabulary();
  const all: WebhookFigures[] = [];
  const windows: ProfileWindow[] = [];
  const engines: ServerName[] = [
    'embedded',
    ...(options.databaseUrl ? ['PostgreSQL' as const] : []),
  ];
  const { databaseUrl, profileDir } = options;
  for (const name of engines) {
    const texts = createTextGenerator(vocabulary, 1);
    const installed = { databaseUrl, profileDir, env };
    const { figures, window } = await measure(name, installed, extent, texts);
    all.push(figures);
    windows.push(window);
  }
  say(`\n${webhookTable(all)}\n\n${all.flatMap(webhookVerdicts).join('\n')}`);
  return windows;
}

async function measure(
  name: ServerName,
  options: InstallationOptions,
  extent: WorkloadSize,
  texts: TextGenerator,
): Promise<{ figures: WebhookFigures; window: ProfileWindow }> {
  await using stack = new AsyncDisposableStack();
  const installation = stack.use(await createInstallation(name, options));
  const receiver = await startWebhookReceiver();
  stack.defer(() => receiver.stop());
  const server = await installation.start();
  stack.defer(() => server.stop());
  using caller = new ApiClient(server, 1);
  const known = await fill(caller, extent.memories, texts);
  const searcher = new BackgroundSearcher(server, known, texts);
  stack.use(searcher);
  // A service that has run for a while: what is called often has been compiled.
  await searcher.run(() => searcher.count >= extent.idleSearches / 3);
  const idleMs = await searcher.run(() => searcher.count >= extent.idleSearches);
  const made = await caller.run(createWebhookRequests(receiver, extent.webhooks));
  // What happens while they are switched off waits for them: storing is measured elsewhere.
  await fill(caller, extent.events, texts);
  const deliveries = extent.events * extent.webhooks;
  let told = { received: 0, distinct: 0 };
  const begun = performance.now();
  let ended = begun;
  const telling = (async (): Promise<void> => {
    using counter = new ApiClient(receiver, 1);
    while (told.distinct < deliveries) {
      if (performance.now() - begun > timeoutSeconds * 1_000) throw new Error('it takes too long');
      await wait(pollMs);
      const { responses } = await counter.run([{ method: 'GET', path: '/count' }]);
      told = responses[0] as typeof told;
    }
    ended = performance.now();
  })();
  const fromUs = nowUs();
  await caller.run(enableWebhookRequests(made.responses as { id: string }[]));
  const busyMs = await searcher.run(() => ended > begun);
  await telling;
  const seconds = (ended - begun) / 1_000;
  const repeated = told.received - told.distinct;
  return {
    figures: { server: name, deliveries, duplicates: repeated, seconds, idleMs, busyMs },
    window: { server: name, phase: 'webhooks', fromUs, toUs: nowUs() },
  };
}

/** The contents that were stored. */
async function fill(caller: ApiClient, count: number, texts: TextGenerator): Promise<string[]> {
  const contents = Array.from({ length: count }, () => texts.memory());
  await caller.run(bulkCreateRequests(contents));
  return contents;
}

const createWebhookRequests = ({ url }: RunningServer, count: number): ApiRequest[] =>
  Array.from({ length: count }, (_, i) => ({
    method: 'POST',
    path: '/webhooks',
    body: {
      url: `${url}/v1/hook/${i}`,
      name: `webhook ${i}`,
      events: ['memory.created'],
      is_active: false,
    },
  }));

const enableWebhookRequests = (webhooks: readonly { id: string }[]): ApiRequest[] =>
  webhooks.map(({ id }) => ({
    method: 'PATCH',
    path: `/webhooks/${id}`,
    body: { is_active: true },
  }));
