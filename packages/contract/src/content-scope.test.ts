import { describe, expect, it } from 'vitest';
import { allRoutes, buildOpenApi, contentScope, type Route } from './index.ts';

type Json = Readonly<Record<string, unknown>>;
const document = buildOpenApi(allRoutes, '0') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Json };
};

/** Whether a part of the document, or a schema that it references, has a field of this name. */
function hasField(part: unknown, name: string, seen = new Set<unknown>()): boolean {
  if (typeof part !== 'object' || part === null || seen.has(part)) return false;
  seen.add(part);
  const { $ref, properties, examples: _, example: __, ...others } = part as Json;
  if (typeof $ref === 'string') {
    const [, schema = ''] = /^#\/components\/schemas\/(.+)$/.exec($ref) ?? [];
    return hasField(document.components.schemas[schema], name, seen);
  }
  if (Object.hasOwn(Object(properties), name)) return true;
  return [...Object.values(Object(properties) as Json), ...Object.values(others)].some((value) =>
    hasField(value, name, seen),
  );
}

const responsesOf = ({ method, path }: Route): unknown[] => {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const entries = Object.entries((operation?.responses ?? {}) as Json);
  return entries.flatMap(([status, response]) => (Number(status) < 300 ? [response] : []));
};

const isOfMemories = ({ access }: Route): boolean =>
  /^(?:memories|search):/.test(access) || access === 'public' || access === 'operator';

/** Routes whose `content` is an email, the caller’s own text, or omitted without the scope. */
const exceptions = [
  'email.listHistory',
  'email.getHistory',
  'cliSessions.postMessages',
  'clusters.get',
];

describe('the text of memories', () => {
  it(`is in responses of memories and search; other routes require ${contentScope}`, () => {
    const withText = allRoutes.filter((route) =>
      responsesOf(route).some(
        (response) => hasField(response, 'content') || hasField(response, 'payload'),
      ),
    );
    expect(withText.length).toBeGreaterThan(20);
    const open = withText.filter((route) => !isOfMemories(route) && !route.requiresContentScope);
    expect(open.map(({ id }) => id).sort()).toEqual([...exceptions, 'webhooks.test'].sort());
  });

  it('requires the scope where it is sent to an address or an endpoint', () => {
    const mail = /^email\.(?:retryOutbound|(?:create|update|send)(?:Digest|Reaction))$/;
    const webhook = /^webhooks\.(?:create|update|bulkCreate|replay|retryDelivery)$/;
    const routes = allRoutes.filter(({ id }) => mail.test(id) || webhook.test(id));
    expect(routes).toHaveLength(11);
    for (const { id, requiresContentScope } of routes)
      expect([id, requiresContentScope]).toEqual([id, true]);
  });

  it('is documented for each such route in the OpenAPI document', () => {
    const text = JSON.stringify(document);
    const count = allRoutes.filter(({ requiresContentScope }) => requiresContentScope).length;
    expect(text.split(`Also requires the scope ${contentScope}.`)).toHaveLength(count + 1);
    expect(text.split(`"x-also-access":"${contentScope}"`)).toHaveLength(count + 1);
  });
});
