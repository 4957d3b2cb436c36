import {
  allRoutes,
  errorFormatOf,
  grantableScopes,
  type Route,
  type RouteAccess,
  type Scope,
} from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';

/** A stream is not read to its end; test/acceptance/events asks for its scope. */
const guarded = allRoutes.filter(({ access, eventStream }) => access !== 'public' && !eventStream);
const scoped = guarded.filter(({ access }) => access !== 'any');
const named = (routes: readonly Route[]) =>
  routes.map((route) => ({ ...route, says: `${route.method} ${route.path}` }));

/** Every scope that does not give the one asked for. */
const without = (access: RouteAccess): Scope[] =>
  grantableScopes.filter(
    (scope) => scope !== access && (scope !== 'admin' || access === 'operator'),
  );

describe.each(oneEngine)('the rights of keys on %s', (engine) => {
  let service: Service;
  let account: Awaited<ReturnType<Service['createAccount']>>;
  const keys = new Map<RouteAccess, string>();

  beforeAll(async () => {
    service = await startService(engine);
    account = await service.createAccount();
    for (const access of new Set(scoped.map((route) => route.access))) {
      const body = { name: `all but ${access}`, scopes: without(access) as never[] };
      keys.set(access, (await account.client.keys.create({ body })).key);
    }
  });
  afterAll(() => service.stop());

  /** The route's own example, so that nothing but the key can be at fault. */
  const send = async (route: Route, key: string | undefined, headers = {}) => {
    const { params = {}, body } = route.example;
    const path = route.path.replaceAll(/:(\w+)/g, (_whole, name: string) => params[name] ?? '');
    const response = await fetch(`${service.url}/v1${path}`, {
      method: route.method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { response, body: (await response.json()) as Record<string, unknown> };
  };

  it('there are routes to check', () => {
    expect(scoped.length).toBeGreaterThan(20);
    expect(new Set(scoped.map(({ access }) => access)).size).toBeGreaterThan(5);
  });

  it.each(named(guarded))('$says without a key is 401', async (route) => {
    const { response, body } = await send(route, undefined);
    const flat = errorFormatOf(route.path) === 'flat';
    const code = route.path.startsWith('/cli-sessions') ? 'missing_auth' : 'missing_api_key';
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(body).toMatchObject({ error: flat ? 'unauthorized' : { code } });
  });

  it.each(named(scoped))('$says with every scope but $access is 403', async (route) => {
    const { response, body } = await send(route, keys.get(route.access));
    const flat = errorFormatOf(route.path) === 'flat';
    expect(response.status).toBe(403);
    expect(body).toMatchObject({
      error: flat
        ? 'insufficient_permissions'
        : { code: 'insufficient_permissions', details: { required_scope: route.access } },
    });
  });

  const withContent = allRoutes.filter((route) => route.requiresContentScope);
  it.each(named(withContent))('$says without memories:read is 403', async (route) => {
    const scopes = without('memories:read') as never[];
    const { key } = await account.client.keys.create({ body: { name: 'no content', scopes } });
    const { response, body } = await send(route, key);
    const flat = errorFormatOf(route.path) === 'flat';
    expect(response.status).toBe(403);
    expect(body).toMatchObject({
      error: flat
        ? 'insufficient_permissions'
        : { code: 'insufficient_permissions', details: { required_scope: 'memories:read' } },
    });
  });

  it('a cluster is read without memories:read, its memories are not', async () => {
    const { client } = account;
    const { id } = await client.clusters.create({ body: { name: 'Drinks' } });
    const scopes = ['clusters:read' as const];
    const { key } = await client.keys.create({ body: { name: 'no content', scopes } });
    const get = (query: object) =>
      service.client(key).clusters.get({ params: { clusterId: id }, query });
    expect((await get({})).name).toBe('Drinks');
    await expect(get({ include_memories: true })).rejects.toMatchObject({
      status: 403,
      details: { required_scope: 'memories:read' },
    });
  });

  it('a missing right is told before a faulty body, and before a body is read', async () => {
    const client = service.client(keys.get('memories:write'));
    const answer = await client.request({
      method: 'POST',
      path: '/memories',
      body: '{"content": nonsense',
    });
    expect(answer).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_permissions' } },
    });
  });

  it('a missing right is told before whether the resource exists', async () => {
    const client = service.client(keys.get('memories:read'));
    for (const id of ['nonsense', '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e']) {
      await expect(client.memories.get({ params: { id } })).rejects.toMatchObject({ status: 403 });
    }
  });

  it('write does not give read, nor read write', async () => {
    const keyWith = async (scope: 'memories:read' | 'memories:write') => {
      const body = { name: scope, scopes: [scope] };
      return service.client((await account.client.keys.create({ body })).key);
    };
    const [reader, writer] = [await keyWith('memories:read'), await keyWith('memories:write')];
    const body = { content: 'Ana prefers tea.' };
    const { id } = await writer.memories.create({ body });
    expect((await reader.memories.get({ params: { id } })).id).toBe(id);
    const refused = { status: 403, code: 'insufficient_permissions' };
    await expect(writer.memories.get({ params: { id } })).rejects.toMatchObject(refused);
    await expect(reader.memories.create({ body })).rejects.toMatchObject(refused);
  });

  it('admin gives every scope but operator', async () => {
    const { key } = await account.client.keys.create({ body: { name: 'a', scopes: ['admin'] } });
    const admin = service.client(key);
    await admin.memories.list();
    await admin.spaces.create({ body: { name: 'made by admin' } });
    await admin.keys.list();
    const { scopes } = await admin.keys.create({ body: { name: 'all' } });
    expect(scopes).toContain('webhooks:write');
    await expect(admin.admin.listAccounts()).rejects.toMatchObject({ status: 403 });
  });

  it('any key reads a job, whatever its scopes', async () => {
    const { key } = await account.client.keys.create({
      body: { name: 'j', scopes: ['email:read'] },
    });
    const params = { id: '019b8d1c-3a44-7d85-8f40-5b6c7d8e9fa0' };
    await expect(service.client(key).jobs.get({ params })).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    });
  });
});
