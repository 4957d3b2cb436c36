import { fileURLToPath } from 'node:url';
import { isAvailable } from '../test/support/requirements.ts';
import { type LaunchedProcess, launchServer } from '../test/support/server-process.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const typescript = [process.execPath, fileOf('webhook-receiver-ts/receiver.ts')];
const python = ['python3', fileOf('webhook-receiver-python/receiver.py')];

/** The receivers that this machine can run, with their commands. */
export const receivers: readonly (readonly [name: string, command: readonly string[]])[] = [
  ['TypeScript', typescript],
  ...(isAvailable('python') ? [['Python', python] as const] : []),
];

export interface Receiver extends LaunchedProcess {
  readonly url: string;
}

/** Starts one on a free port and waits until it listens. */
export async function startReceiver(command: readonly string[], secret: string): Promise<Receiver> {
  const nowhere = { dataDir: '', databaseUrl: null, remove: async () => {} };
  const env = { WEBHOOK_SECRET: secret, PORT: '0' };
  const launched = launchServer(nowhere, { command, env });
  const [, url = ''] = await launched.waitForOutput(/^Listening on (http:\S+)$/m);
  return { ...launched, url };
}
