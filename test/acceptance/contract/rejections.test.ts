import { allRoutes, buildOpenApi, type Route } from '@mneme/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';

interface Schema {
  readonly properties: { readonly error: { readonly type: 'object' | 'string' } };
}
interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, Refusal> }>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}
interface Refusal {
  readonly description: string;
  readonly content: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

const document = buildOpenApi(allRoutes, '1.0.0') as unknown as Document;

/** What the document says of a status of a route: its codes, and what `error` is. */
function documented({ path, method }: Route, status: number) {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const refusal = operation?.responses[status];
  const name = refusal?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
  return {
    description: refusal?.description ?? '',
    type: document.components.schemas[name]?.properties.error.type,
  };
}

const byId = allRoutes.map((route) => [route.id, route] as const);

describe.each(oneEngine)('a refusal on %s is documented as it is', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true });
  });
  afterAll(() => service.stop());

  async function refused(route: Route, apiKey: string | null, query = '') {
    const path = route.path.replaceAll(/:\w+/g, '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e');
    const response = await fetch(`${service.url}/v1${path}${query}`, {
      method: route.method,
      headers: {
        ...route.fixedHeaders,
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
    });
    const { error } = (await response.json()) as { error: string | { code: string } };
    const code = typeof error === 'string' ? error : error.code;
    return { status: response.status, type: typeof error, code: `\`${code}\`` };
  }

  const guarded = byId.filter(([, { access }]) => access !== 'public');
  it.each(guarded)('%s without a key', async (_id, route) => {
    const { status, type, code } = await refused(route, null);
    expect(status).toBe(401);
    expect(documented(route, status)).toEqual({ type, description: expect.stringContaining(code) });
  });

  const reading = byId.filter(([, { method }]) => method === 'GET');
  it.each(reading)('%s with a field that it does not know', async (_id, route) => {
    const { status, type, code } = await refused(route, service.adminKey, '?colour=red');
    expect([400, 422]).toContain(status);
    expect(documented(route, status)).toEqual({ type, description: expect.stringContaining(code) });
  });
});
