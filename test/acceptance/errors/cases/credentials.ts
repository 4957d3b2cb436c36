import type { Client } from '@mneme/sdk';
import { type ErrorCase, prepareRequest, someId } from '../error-case.ts';

const unauthorized = { headers: { 'www-authenticate': 'Bearer' } } as const;
const everySpace = ['*'];
const longAgo = '2020-01-01T00:00:00Z';

/** A key that may use the space `own` alone, beside a space `other`. */
async function createLimitedKey(client: Client) {
  const own = await client.spaces.create({ body: { name: 'own' } });
  const other = await client.spaces.create({ body: { name: 'other' } });
  const { key } = await client.keys.create({ body: { name: 'limited', space_ids: [own.id] } });
  return { key, other: other.id };
}

const unknown: readonly ErrorCase[] = [
  {
    code: 'missing_api_key',
    where: 'there is no Authorization header',
    route: 'memories.list',
    ...unauthorized,
    provoke: async (stage) => prepareRequest(stage, 'GET /memories'),
  },
  {
    code: 'missing_auth',
    where: 'there is no Authorization header where a session token would serve too',
    route: 'cliSessions.list',
    ...unauthorized,
    provoke: async (stage) => prepareRequest(stage, 'GET /cli-sessions'),
  },
  {
    code: 'invalid_api_key',
    where: 'the key is malformed',
    route: 'memories.list',
    ...unauthorized,
    provoke: async (stage) => prepareRequest(stage, 'GET /memories', { key: 'mnk_nonsense' }),
  },
  {
    code: 'invalid_api_key',
    where: 'the header names another scheme',
    route: 'memories.list',
    ...unauthorized,
    provoke: async (stage) =>
      prepareRequest(stage, 'GET /memories', { headers: { authorization: 'Basic eDp5' } }),
  },
  {
    code: 'invalid_api_key',
    where: 'nobody knows the key, well formed as it is',
    route: 'memories.list',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { id, key } = await client.keys.create({ body: { name: 'rotated' } });
      await client.keys.rotate({ params: { id } });
      return prepareRequest(stage, 'GET /memories', { key });
    },
  },
  {
    code: 'invalid_api_key',
    where: 'a session token was signed by somebody else',
    route: 'account.get',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { token } = await client.auth.createToken();
      const [head, payload] = token.split('.');
      return prepareRequest(stage, 'GET /account', { key: `${head}.${payload}.${'A'.repeat(43)}` });
    },
  },
];

const expiredOrRevoked: readonly ErrorCase[] = [
  {
    code: 'expired_api_key',
    where: 'the time of the key is over',
    route: 'memories.list',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const body = { name: 'past', expires_at: longAgo };
      const { key } = await client.keys.create({ body });
      return prepareRequest(stage, 'GET /memories', { key });
    },
  },
  {
    code: 'revoked_api_key',
    where: 'the key was revoked',
    route: 'memories.list',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { id, key } = await client.keys.create({ body: { name: 'revoked' } });
      await client.keys.revoke({ params: { id } });
      return prepareRequest(stage, 'GET /memories', { key });
    },
  },
  {
    code: 'expired_token',
    where: 'the time of the session token is over',
    route: 'account.get',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { token } = await client.auth.createToken({ body: { expires_in: 60 } });
      stage.clock.advance(61_000);
      return prepareRequest(stage, 'GET /account', { key: token });
    },
  },
  {
    code: 'expired_token',
    where: 'the session token was revoked',
    route: 'memories.list',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { id, token } = await client.auth.createToken();
      await client.auth.revokeToken({ params: { id } });
      return prepareRequest(stage, 'GET /memories', { key: token });
    },
  },
  {
    code: 'expired_token',
    where: 'the time of the session token is over on CLI sessions',
    route: 'cliSessions.list',
    ...unauthorized,
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { token } = await client.auth.createToken({ body: { expires_in: 60 } });
      stage.clock.advance(61_000);
      return prepareRequest(stage, 'GET /cli-sessions', { key: token });
    },
  },
];

const forbidden: readonly ErrorCase[] = [
  {
    code: 'insufficient_permissions',
    where: 'a session token is to make another',
    route: 'auth.createToken',
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { token } = await client.auth.createToken();
      return prepareRequest(stage, 'POST /auth/tokens', { key: token });
    },
  },
  {
    code: 'insufficient_permissions',
    where: 'the key lacks the scope',
    route: 'memories.create',
    details: { required_scope: 'memories:write' },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const body = { name: 'reader', scopes: ['memories:read' as const] };
      const { key } = await client.keys.create({ body });
      return prepareRequest(stage, 'POST /memories', { key, body: { content: 'x' } });
    },
  },
  {
    code: 'insufficient_permissions',
    where: 'the account is suspended',
    route: 'memories.list',
    async provoke(stage) {
      const { id, key } = await stage.service.createAccount();
      const operator = stage.service.operator();
      await operator.admin.updateAccount({ params: { id }, body: { suspended: true } });
      return prepareRequest(stage, 'GET /memories', { key });
    },
  },
  {
    code: 'user_access_denied',
    where: 'a token of one user names another one',
    route: 'memories.list',
    details: { user_id: 'ben' },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
      return prepareRequest(stage, 'GET /memories?user_id=ben', { key: token });
    },
  },
  {
    code: 'user_access_denied',
    where: 'a token of one user asks for what is of several',
    route: 'account.get',
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { token } = await client.auth.createToken({ body: { user_id: 'ana' } });
      return prepareRequest(stage, 'GET /account', { key: token });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a key is to give more spaces than it has',
    route: 'keys.create',
    details: { space_ids: everySpace },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key } = await createLimitedKey(client);
      return prepareRequest(stage, 'POST /api-keys', { key, body: { name: 'wider' } });
    },
  },
  {
    code: 'insufficient_permissions',
    where: 'a key that is limited to spaces makes another one',
    route: 'spaces.create',
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key } = await createLimitedKey(client);
      return prepareRequest(stage, 'POST /spaces', { key, body: { name: 'third' } });
    },
  },
  {
    code: 'space_access_denied',
    where: 'the key may not use the space in the path',
    route: 'spaces.get',
    details: { space_id: someId },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key, other } = await createLimitedKey(client);
      return prepareRequest(stage, `GET /spaces/${other}`, { key });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a memory is in a space that the key may not use',
    route: 'memories.get',
    details: { space_id: someId },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key, other } = await createLimitedKey(client);
      const body = { content: 'hidden', space_id: other };
      const { id } = await client.memories.create({ body });
      return prepareRequest(stage, `GET /memories/${id}`, { key });
    },
  },
  {
    code: 'space_access_denied',
    where: 'the key may not write at account level',
    route: 'memories.create',
    details: { space_id: 'default' },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key } = await createLimitedKey(client);
      return prepareRequest(stage, 'POST /memories', { key, body: { content: 'x' } });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a CLI session is in a space that the key may not use',
    route: 'cliSessions.get',
    details: { space_id: someId },
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key, other } = await createLimitedKey(client);
      const { id } = await client.cliSessions.create({ body: { name: 'x', space_id: other } });
      return prepareRequest(stage, `GET /cli-sessions/${id}`, { key });
    },
  },
  {
    code: 'space_access_denied',
    where: 'a key that is limited to spaces changes the account',
    route: 'account.update',
    async provoke(stage) {
      const { client } = await stage.service.createAccount();
      const { key } = await createLimitedKey(client);
      return prepareRequest(stage, 'PATCH /account', { key, body: { name: 'mine' } });
    },
  },
];

export const credentials: readonly ErrorCase[] = [...unknown, ...expiredOrRevoked, ...forbidden];
