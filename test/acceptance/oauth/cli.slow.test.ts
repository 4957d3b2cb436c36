import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/run-cli.ts';
import { postMessage } from '../mcp/mcp-clients.ts';
import { type OAuthService, obtainTokens, startOAuthService } from './oauth-service.ts';

let service: OAuthService;
beforeAll(async () => {
  service = await startOAuthService('embedded');
});
afterAll(() => service?.stop());

it('mneme grants lists what was allowed, and revokes it', async () => {
  const { key } = await service.createAccount();
  const { access_token } = await obtainTokens(service, key);
  const mneme = (...args: string[]) => runCli(args, { MNEME_URL: service.url, MNEME_API_KEY: key });
  const people = await mneme('grants', 'list');
  expect([people.code, people.stdout]).toEqual([0, expect.stringContaining('Test client')]);
  const listed = await mneme('grants', 'list', '--json');
  const [grant] = JSON.parse(listed.stdout) as { id: string }[];
  expect((await mneme('grants', 'revoke', grant?.id ?? '', '--yes')).code).toBe(0);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const { status } = await postMessage({ url: `${service.url}/mcp`, key: access_token }, message);
  expect(status).toBe(401);
  expect(JSON.parse((await mneme('grants', 'list', '--json')).stdout)).toEqual([]);
});
