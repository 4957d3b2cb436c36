import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataLocation, type DataLocation } from '../../support/server-process.ts';
import { type StartedService, startServiceAt } from '../reembed/started-service.ts';
import { TinyEmbedder } from '../reembed/tiny-embedder.ts';
import { runCli } from './run-cli.ts';

let place: DataLocation;
let service: StartedService;
beforeAll(async () => {
  place = await createDataLocation('embedded');
  const first = await startServiceAt(place);
  for (let n = 0; n < 5; n += 1) {
    await first.client.memories.create({ body: { content: `Note ${n}` } });
  }
  await first[Symbol.asyncDispose]();
  service = await startServiceAt(place, { embedder: new TinyEmbedder() });
});
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await place?.remove();
});

const mneme = (...args: string[]) =>
  runCli(args, { MNEME_URL: service.running.url, MNEME_DATA_DIR: place.dataDir });

describe('mneme reembed', () => {
  it('changes to the configured model and shows how far it is', async () => {
    const ran = await mneme('reembed');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toMatch(/^model +tiny@1\ndimensions +40\naccounts +1\nembedded +5\n/);
    expect(ran.stderr).toMatch(/\[=+\] 100 % {2}1 account done, 5 embedded\n$/);
  });

  it('finds nothing to do after that, and prints one JSON value', async () => {
    const { code, stdout, stderr } = await mneme('reembed', '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', embedded: 0, erased: 0 });
  });
});
