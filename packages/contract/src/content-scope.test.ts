import { describe, expect, it } from 'vitest';
import { allRoutes, buildOpenApi, contentScope, type Route } from './index.ts';

type Json = Readonly<Record<string, unknown>>;
const document = buildOpenApi(allRoutes, '0') as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly components: { readonly schemas: Json };
};

/** Whether a part of the document, or what it refers to, has a field of this name. */
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

const answersOf = ({ method, path }: Route): unknown[] => {
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const responses = Object.entries((operation?.responses ?? {}) as Json);
  return responses.flatMap(([status, answer]) => (Number(status) < 300 ? [answer] : []));
};

const isOfMemories = ({ access }: Route): boolean =>
  /^(?:memories|search):/.test(access) || access === 'public' || access === 'operator';

/** Whose `content` is that of a mail, of the caller itself, or left out without the scope. */
const others = [
  'email.listHistory',
  'email.getHistory',
  'cliSessions.postMessages',
  'clusters.get',
];

describe('the text of memories', () => {
  it(`is in answers of memories and of search, else it takes ${contentScope}`, () => {
    const withText = allRoutes.filter((route) =>
      answersOf(route).some((answer) => hasField(answer, 'content') || hasField(answer, 'payload')),
    );
    expect(withText.length).toBeGreaterThan(20);
    const open = withText.filter((route) => !isOfMemories(route) && !route.requiresContentScope);
    expect(open.map(({ id }) => id).sort()).toEqual([...others, 'webhooks.test'].sort());
  });

  it('takes the scope where it is sent to an address or an endpoint', () => {
    const mail = /^email\.(?:create|update|send)(?:Digest|Reaction)$/;
    const webhook = /^webhooks\.(?:create|update|bulkCreate|replay|retryDelivery)$/;
    const routes = allRoutes.filter(({ id }) => mail.test(id) || webhook.test(id));
    expect(routes).toHaveLength(10);
    for (const { id, requiresContentScope } of routes)
      expect([id, requiresContentScope]).toEqual([id, true]);
  });

  it('is said of each such route in the OpenAPI document', () => {
    const text = JSON.stringify(document);
    const count = allRoutes.filter(({ requiresContentScope }) => requiresContentScope).length;
    expect(text.split(`Needs the scope ${contentScope} as well.`)).toHaveLength(count + 1);
    expect(text.split(`"x-also-access":"${contentScope}"`)).toHaveLength(count + 1);
  });
});
