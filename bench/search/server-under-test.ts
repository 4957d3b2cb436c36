import { ApiClient, type ApiRequest } from '../api-client.ts';
import {
  createInstallation,
  type Installation,
  type InstallationOptions,
  type RunningServer,
  type ServerName,
} from '../servers.ts';
import { createTenants } from '../tenants.ts';
import type { TextGenerator } from '../text-generator.ts';
import { type Corpus, createQuestion, type SearchQuestion } from './corpus.ts';
import { accountIndexOf, type FillResult, fillServer } from './fill.ts';
import type { MemoryLayout, WorkloadStage } from './workload.ts';

const neighbourMemories = 200;
const warmCalls = 60;

export interface ServerUnderTestOptions extends InstallationOptions {
  readonly stage: WorkloadStage;
  readonly layout: MemoryLayout;
  readonly stock: Corpus;
  readonly texts: TextGenerator;
}

/** An account beside those that are searched. */
export interface NeighbourAccount {
  readonly apiKey: string;
  readonly ids: readonly string[];
  readonly questions: readonly SearchQuestion[];
}

/** A server in which everything is stored. */
export interface ServerUnderTest {
  readonly name: ServerName;
  readonly installation: Installation;
  /** Of each account that is searched; undefined: the yardstick knows no accounts. */
  readonly apiKeys: readonly (string | undefined)[];
  readonly neighbour: NeighbourAccount | null;
  readonly fillResult: FillResult;
  server: RunningServer;
}

/** Starts a server on an empty place and stores all; it stops with the stack. */
export async function setUpServer(
  name: ServerName,
  options: ServerUnderTestOptions,
  open: AsyncDisposableStack,
): Promise<ServerUnderTest> {
  const { stage, layout, stock, texts } = options;
  const installation = open.use(await createInstallation(name, options));
  const running = { server: await installation.start() };
  const contender = { name, installation, ...running };
  open.defer(() => contender.server.stop());
  const { server } = running;
  const isYardstick = name === 'yardstick';
  const count = layout === 'many accounts' ? stage.accounts : 1;
  const apiKeys = isYardstick ? [undefined] : await createApiKeys(server, count);
  const neighbour = isYardstick ? null : await createNeighbour(server, texts);
  const fillResult = await fillServer(server, apiKeys, layout, stock);
  return Object.assign(contender, { apiKeys, neighbour, fillResult });
}

/** Started anew: no account is in its memory but the neighbour's, at whose calls it got warm. */
export async function restartServer(contender: ServerUnderTest): Promise<void> {
  const { neighbour, installation } = contender;
  // The yardstick forgets all at its end.
  if (!neighbour) return;
  await contender.server.stop();
  contender.server = await installation.start();
  const { apiKey, ids, questions } = neighbour;
  using connection = new ApiClient(contender.server, 1);
  const asks = Array.from({ length: warmCalls }, (_, i): readonly ApiRequest[] => [
    { method: 'GET', path: `/memories/${ids[i % ids.length]}`, apiKey },
    { method: 'GET', path: questions[i % questions.length]?.path ?? '', apiKey },
  ]);
  await connection.run(asks.flat());
}

export function toSearchRequest(
  { apiKeys, fillResult }: ServerUnderTest,
  { position, path }: SearchQuestion,
): ApiRequest {
  const account = accountIndexOf(position, fillResult.ids.length, apiKeys.length);
  return { method: 'GET', path, apiKey: apiKeys[account] };
}

async function createApiKeys(server: RunningServer, count: number): Promise<string[]> {
  using operator = new ApiClient(server, 1);
  const tenants = await createTenants(operator, 'enterprise', { count, keysEach: 1 });
  return tenants.flatMap(({ keys }) => keys);
}

async function createNeighbour(
  server: RunningServer,
  texts: TextGenerator,
): Promise<NeighbourAccount> {
  const [apiKey = ''] = await createApiKeys(server, 1);
  const stock = Array.from({ length: neighbourMemories }, () => texts.memory());
  const { ids } = await fillServer(server, [apiKey], 'one account', stock);
  const questions = stock.map(() => createQuestion(stock, texts, 'all'));
  return { apiKey, ids, questions };
}
