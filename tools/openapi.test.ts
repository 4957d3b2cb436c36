import { allRoutes, buildOpenApi, type Route } from '@mneme/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { openApiTagDescriptions, openApiTagNames } from '../packages/contract/src/openapi-tags.ts';
import { openApiText } from './emit-openapi.ts';

async function lint(source: string) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(({ severity, ruleId, message, location }) => ({
    severity,
    ruleId,
    said: `${severity} ${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
  }));
}

describe('the OpenAPI document', () => {
  test('is the same text for the same contract', () => {
    const text = openApiText('1.0.0');
    expect(openApiText('1.0.0')).toBe(text);
    expect(text.endsWith('}\n')).toBe(true);
  });

  test('has no fault by the recommended rules', async () => {
    const problems = await lint(openApiText('1.0.0'));
    expect(problems.map(({ said }) => said).join('\n')).toBe('');
  });

  test('is really linted: an answer that names no schema is an error', async () => {
    const text = JSON.stringify(buildOpenApi(allRoutes.slice(0, 1), '1.0.0'));
    const broken = text.replace('#/components/schemas/Error"', '#/none"');
    const rulesOf = async (source: string) => (await lint(source)).map(({ ruleId }) => ruleId);
    expect(await rulesOf(text)).not.toContain('no-unresolved-refs');
    expect(await rulesOf(broken)).toContain('no-unresolved-refs');
  });

  test('holds every route once, below its own operationId', () => {
    const paths = buildOpenApi(allRoutes, '1.0.0').paths as Record<string, object>;
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId as string),
    );
    expect(ids.toSorted()).toEqual(allRoutes.map(({ id }) => id).toSorted());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the tags', () => {
  const { tags } = buildOpenApi(allRoutes, '1.0.0') as {
    tags: { name: string; description?: string }[];
  };

  test('are each described in one or two sentences of their own', () => {
    const descriptions = tags.map(({ description = '' }) => description);
    for (const description of descriptions) {
      expect(description).toMatch(/^[A-Z].{40,250}\.$/);
      expect(description.match(/\.(?= |$)/g)?.length).toBeLessThanOrEqual(2);
    }
    expect(new Set(descriptions).size).toBe(descriptions.length);
  });

  test('have no descriptions or names beyond those that routes have', () => {
    const names = tags.map(({ name }) => name);
    expect(Object.keys(openApiTagDescriptions)).toEqual(names);
    expect(names).toEqual(expect.arrayContaining(Object.keys(openApiTagNames)));
  });
});

/** The usual answer: the first that is not an error, or none where that answer is empty. */
const usualAnswers = (route: Route) =>
  Object.entries(route.responses).filter(([status]) => Number(status) < 400);

const byId = allRoutes.map((route) => [route.id, route] as const);

describe('the example of', () => {
  test.each(byId)('%s has path, query and body by its own schemas', (_id, route) => {
    const { params, query, body } = route.example;
    for (const [schema, value] of [
      [route.params, params],
      [route.query, query ?? {}],
      [route.body, body ?? (route.bodyOptional ? {} : undefined)],
    ] as const) {
      if (schema === undefined) continue;
      expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
    }
  });

  test.each(byId)('%s names nothing its schemas do not know', (_id, route) => {
    expect(route.params === undefined && route.example.params !== undefined).toBe(false);
    expect(route.query === undefined && route.example.query !== undefined).toBe(false);
    expect(route.body === undefined && route.example.body !== undefined).toBe(false);
  });

  test.each(byId)('%s has an answer by its own schema', (_id, route) => {
    const { response } = route.example;
    const empty = usualAnswers(route).some(([, schema]) => schema === null);
    if (response === null) return expect(empty).toBe(true);
    const outcomes = usualAnswers(route).flatMap(([, schema]) =>
      schema ? [schema.safeParse(response)] : [],
    );
    const [first] = outcomes;
    expect(first?.error?.issues ?? []).toEqual([]);
    expect(first?.data).toEqual(response);
  });

  test.each(byId)('%s has the path parameters of its path', (_id, route) => {
    const named = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
    expect(Object.keys(route.example.params ?? {})).toEqual(named);
  });
});
