import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildConsole } from '../../support/built-console.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: number;
}

/** Without the decompression of fetch. */
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<RawAnswer>((resolve, reject) => {
    request(url, { headers, method }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
      );
    })
      .on('error', reject)
      .end();
  });

describe.each(oneEngine)('the files of the console on %s', (engine) => {
  let service: Service;
  let page = '';
  let assets: string[];
  beforeAll(async () => {
    buildConsole();
    service = await startService(engine);
    page = await (await fetch(`${service.url}/console`)).text();
    assets = [...page.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => path,
    );
  });
  afterAll(() => service.stop());

  it('are one page at every path below /console, and / leads there', async () => {
    const root = await fetch(service.url, { redirect: 'manual' });
    expect([root.status, root.headers.get('location')]).toEqual([302, '/console']);
    for (const path of ['/console', '/console/', '/console/memories', '/console/a/b']) {
      const response = await fetch(service.url + path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(await response.text()).toBe(page);
    }
  });

  it('are cached for good if their name has a hash; the page is checked each time', async () => {
    expect(assets.length).toBeGreaterThan(1);
    for (const path of assets) {
      expect(path).toMatch(/-[\w-]{8}\.(?:js|css|svg)$/);
      const { status, headers } = await ask(service.url + path);
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
    const { headers } = await ask(`${service.url}/console`);
    expect(headers['cache-control']).toBe('no-cache');
    const again = await ask(`${service.url}/console`, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.bytes]).toEqual([304, 0]);
  });

  it('are compressed as the client accepts', async () => {
    const script = service.url + (assets.find((path) => path.endsWith('.js')) ?? '');
    const sizes = new Map<string | undefined, number>();
    for (const accepted of ['br', 'gzip', 'identity', 'gzip, deflate, br', 'br;q=0, gzip']) {
      const { headers, bytes } = await ask(script, { 'accept-encoding': accepted });
      expect(headers.vary).toContain('Accept-Encoding');
      sizes.set(headers['content-encoding'] as string | undefined, bytes);
    }
    const [br = 0, gzip = 0, plain = 0] = ['br', 'gzip', undefined].map((name) => sizes.get(name));
    expect(br).toBeGreaterThan(10_000);
    expect(br).toBeLessThan(gzip);
    expect(gzip).toBeLessThan(plain / 2);
  });

  it('allow no inline script or style, no other host, no frame and no cookie', async () => {
    expect(page).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\son\w+=|\sstyle=/i);
    expect(page.match(/https?:\/\//g)).toBeNull();
    const { headers } = await ask(`${service.url}/console`);
    const policy = String(headers['content-security-policy']);
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy.split('; ')).toContain(part);
    }
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  it('are only those that were built', async () => {
    for (const name of ['none.js', '..%2Findex.html', '..%2f..%2fpackage.json', 'a.txt', '.js']) {
      expect((await ask(`${service.url}/console/assets/${name}`)).status).toBe(404);
    }
    expect((await ask(`${service.url}/console`, {}, 'POST')).status).toBe(404);
    const head = await ask(`${service.url}/console`, {}, 'HEAD');
    expect([head.status, head.bytes]).toEqual([200, 0]);
  });

  it('are for no other host name', async () => {
    const { status } = await ask(`${service.url}/console`, { host: 'rebound.example.com' });
    expect(status).toBe(421);
  });
});

describe.each(oneEngine)('MNEME_CONSOLE=off on %s', (engine) => {
  it('serves no console, and / leads to the API reference', async () => {
    const service = await startService(engine, { env: { MNEME_CONSOLE: 'off' } });
    try {
      const root = await fetch(service.url, { redirect: 'manual' });
      expect(root.headers.get('location')).toBe('/docs');
      expect((await fetch(`${service.url}/console`)).status).toBe(404);
    } finally {
      await service.stop();
    }
  });
});
