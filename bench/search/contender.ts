import { type Ask, Connections } from '../client.ts';
import {
  type Installation,
  type InstallOptions,
  install,
  type RunningServer,
  type ServerName,
} from '../servers.ts';
import { makeTenants } from '../tenants.ts';
import type { Texts } from '../texts.ts';
import type { Layout, Stage } from './extent.ts';
import { accountAt, type Filled, fill } from './fill.ts';
import { makeQuestion, type Question, type Stock } from './stock.ts';

const neighbourMemories = 200;
const warmCalls = 60;

export interface ContenderOptions extends InstallOptions {
  readonly stage: Stage;
  readonly layout: Layout;
  readonly stock: Stock;
  readonly texts: Texts;
}

/** An account beside those that are searched. */
export interface Neighbour {
  readonly apiKey: string;
  readonly ids: readonly string[];
  readonly questions: readonly Question[];
}

/** A server in which everything is stored. */
export interface Contender {
  readonly name: ServerName;
  readonly installation: Installation;
  /** Of each account that is searched; undefined: the yardstick knows no accounts. */
  readonly apiKeys: readonly (string | undefined)[];
  readonly neighbour: Neighbour | null;
  readonly filled: Filled;
  server: RunningServer;
}

/** Starts a server on an empty place and stores all; it stops with the stack. */
export async function enter(
  name: ServerName,
  options: ContenderOptions,
  open: AsyncDisposableStack,
): Promise<Contender> {
  const { stage, layout, stock, texts } = options;
  const installation = open.use(await install(name, options));
  const running = { server: await installation.start() };
  const contender = { name, installation, ...running };
  open.defer(() => contender.server.stop());
  const { server } = running;
  const isYardstick = name === 'yardstick';
  const count = layout === 'many accounts' ? stage.accounts : 1;
  const apiKeys = isYardstick ? [undefined] : await keysOf(server, count);
  const neighbour = isYardstick ? null : await makeNeighbour(server, texts);
  const filled = await fill(server, apiKeys, layout, stock);
  return Object.assign(contender, { apiKeys, neighbour, filled });
}

/** Started anew: no account is in its memory but the neighbour's, at whose calls it got warm. */
export async function restart(contender: Contender): Promise<void> {
  const { neighbour, installation } = contender;
  // The yardstick forgets all at its end.
  if (!neighbour) return;
  await contender.server.stop();
  contender.server = await installation.start();
  const { apiKey, ids, questions } = neighbour;
  using connection = new Connections(contender.server, 1);
  const asks = Array.from({ length: warmCalls }, (_, i): readonly Ask[] => [
    { method: 'GET', path: `/memories/${ids[i % ids.length]}`, apiKey },
    { method: 'GET', path: questions[i % questions.length]?.path ?? '', apiKey },
  ]);
  await connection.run(asks.flat());
}

export function askFor({ apiKeys, filled }: Contender, { place, path }: Question): Ask {
  const account = accountAt(place, filled.ids.length, apiKeys.length);
  return { method: 'GET', path, apiKey: apiKeys[account] };
}

async function keysOf(server: RunningServer, count: number): Promise<string[]> {
  using operator = new Connections(server, 1);
  const tenants = await makeTenants(operator, 'enterprise', { count, keysEach: 1 });
  return tenants.flatMap(({ keys }) => keys);
}

async function makeNeighbour(server: RunningServer, texts: Texts): Promise<Neighbour> {
  const [apiKey = ''] = await keysOf(server, 1);
  const stock = Array.from({ length: neighbourMemories }, () => texts.memory());
  const { ids } = await fill(server, [apiKey], 'one account', stock);
  const questions = stock.map(() => makeQuestion(stock, texts, 'all'));
  return { apiKey, ids, questions };
}
