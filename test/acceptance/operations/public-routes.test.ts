import { allRoutes } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines, type Service, startService } from '../../support/service.ts';

describe.each(engines)('what needs no key on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}${path}`, { headers });
    return { status: response.status, type: response.headers.get('content-type'), response };
  };

  it.each(['/health', '/v1/health'])(
    'GET %s tells status, uptime, version and time',
    async (path) => {
      const before = Date.now();
      const { status, response } = await ask(path);
      expect(status).toBe(200);
      const body = (await response.json()) as { uptime: number; timestamp: string };
      expect(body).toEqual({
        status: 'ok',
        uptime: expect.any(Number),
        version: '0.0.0-test',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        checks: expect.objectContaining({ database: { ok: true } }),
      });
      expect(Number.isInteger(body.uptime) && body.uptime >= 0).toBe(true);
      expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before - 1);
    },
  );

  it.each(['/ready', '/v1/ready'])('GET %s says that requests may come', async (path) => {
    const { status, response } = await ask(path);
    expect(status).toBe(200);
    expect(await response.json()).toEqual({ ready: true });
  });

  it('a key does no harm where none is needed, not even a bad one', async () => {
    for (const path of ['/health', '/ready', '/v1/openapi.json']) {
      expect((await ask(path, { authorization: 'Bearer nonsense' })).status).toBe(200);
    }
  });

  it('GET /v1/openapi.json is an OpenAPI 3.1 document of every route', async () => {
    const { status, type, response } = await ask('/v1/openapi.json');
    expect(status).toBe(200);
    expect(type).toMatch(/^application\/json/);
    const document = (await response.json()) as {
      openapi: string;
      info: { version: string };
      paths: Record<string, Record<string, { operationId: string; responses: object }>>;
    };
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info.version).toBe('0.0.0-test');
    const said = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => ['get', 'post', 'patch', 'put', 'delete'].includes(method))
        .map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
    );
    const real = allRoutes.map(
      ({ method, path, id }) =>
        `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${id}`,
    );
    const below = said.map((line) => line.replace(' /v1/', ' /'));
    expect(below.toSorted()).toEqual(real.toSorted());
  });

  it('GET /docs is a page, with all it loads from this host', async () => {
    const { status, type, response } = await ask('/docs');
    expect(status).toBe(200);
    expect(type).toMatch(/^text\/html/);
    const page = await response.text();
    expect(page).toContain('/v1/openapi.json');
    const loaded = [
      ...page.matchAll(/<(?:script|link|img|iframe)\b[^>]*?(?:src|href)="([^"]+)"/g),
    ].map(([, url = '']) => new URL(url, response.url));
    expect(loaded.length).toBeGreaterThan(0);
    for (const url of loaded) {
      expect(url.origin).toBe(service.url);
      expect((await fetch(url)).status).toBe(200);
    }
    expect(page.match(/https?:\/\/[^\s"'<]+/g) ?? []).toEqual([]);
  });

  it('/ leads to the console, and HEAD answers as GET without a body', async () => {
    for (const method of ['GET', 'HEAD']) {
      const root = await fetch(service.url, { method, redirect: 'manual' });
      expect(root.status).toBe(302);
      expect(root.headers.get('location')).toBe('/console');
    }
    for (const method of ['POST', 'DELETE', 'OPTIONS']) {
      expect((await fetch(service.url, { method })).status).toBe(404);
    }
    const [page, head] = await Promise.all([
      fetch(`${service.url}/docs/`),
      fetch(`${service.url}/docs/`, { method: 'HEAD' }),
    ]);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'content-security-policy']) {
      expect(head.headers.get(name)).toBe(page.headers.get(name));
    }
  });
});

describe.each(engines)('stopping on %s', (engine) => {
  it('the last answers are whole, then nothing listens', async () => {
    const service = await startService(engine, { isExclusive: true });
    const { client } = await service.createAccount();
    const writes = Promise.allSettled(
      Array.from({ length: 10 }, (_, i) => client.memories.create({ body: { content: `n ${i}` } })),
    );
    await client.memories.list();
    await service.stop();
    for (const write of await writes) {
      if (write.status === 'fulfilled') expect(write.value.id).toMatch(/^[0-9a-f-]{36}$/);
    }
    await expect(fetch(`${service.url}/health`)).rejects.toThrow();
  });
});
