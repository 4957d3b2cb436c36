import { allRoutes, errorFormatOf } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';

const paths = [...new Set(allRoutes.map(({ path }) => path))];
const example = (path: string): string =>
  path.replaceAll(/:\w+/g, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e');
const own = (path: string): string[] => {
  const methods = allRoutes.filter((route) => route.path === path).map(({ method }) => method);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
};
/** In the form of its area. */
const refusal = (path: string): object =>
  errorFormatOf(path) === 'flat'
    ? { error: 'method_not_allowed' }
    : { error: { code: 'method_not_allowed' } };
const allowed = (headers: Headers): string[] => (headers.get('allow') ?? '').split(', ').sort();

describe.each(oneEngine)('methods and paths on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** Without any key: what there is at all is no secret. */
  const ask = (method: string, path: string) => fetch(`${service.url}${path}`, { method });

  it.each(paths)('OPTIONS %s answers with Allow and no body', async (path) => {
    const response = await ask('OPTIONS', `/v1${example(path)}`);
    // Some clients of tus take nothing but 200.
    expect(response.status).toBe(path.startsWith('/media/uploads') ? 200 : 204);
    expect(allowed(response.headers)).toEqual(own(path));
    expect(await response.text()).toBe('');
  });

  it.each(paths)('another method of %s is 405 method_not_allowed with Allow', async (path) => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'];
    for (const method of others.filter((one) => !own(path).includes(one))) {
      const response = await ask(method, `/v1${example(path)}?x=1`);
      expect(`${method} ${response.status}`).toBe(`${method} 405`);
      expect(allowed(response.headers)).toEqual(own(path));
      if (method === 'HEAD') continue;
      expect(await response.json()).toMatchObject(refusal(path));
    }
  });

  it('is told before a body is read', async () => {
    const response = await fetch(`${service.url}/v1/memories`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(405);
  });

  it.each([
    '/v1',
    '/v1/',
    '/v1/nope',
    '/v1/memory',
    '/v1/memories/a/b/c',
    '/v2/memories',
    '/memories',
    '/v1/health/x',
    '/v1/MEMORIES',
    '/v1//memories',
  ])('an unknown path is 404 not_found, whatever the method: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      const response = await ask(method, path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: 'not_found' } });
    }
    expect((await ask('HEAD', path)).status).toBe(404);
  });

  it.each(['/memories', '/spaces', '/api-keys', '/health', '/openapi.json', '/events'])(
    'HEAD %s answers as GET does, without the body',
    async (path) => {
      const client = service.client();
      const head = await client.request({ method: 'HEAD', path });
      const get = await client.request({ method: 'GET', path });
      expect(head.status).toBe(get.status);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.body).toBeUndefined();
    },
  );

  it('HEAD is guarded as GET is', async () => {
    expect((await ask('HEAD', '/v1/memories')).status).toBe(401);
    const { client } = await service.createAccount();
    const path = '/memories/019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';
    expect((await client.request({ method: 'HEAD', path })).status).toBe(404);
  });
});
