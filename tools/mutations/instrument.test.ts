import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repositoryFiles } from '../tidy/files.ts';
import { parseFile } from '../tidy/source.ts';
import { instrumentFile } from './instrument.ts';
import { selectMutants } from './select-mutants.ts';
import { findMutationSites } from './sites.ts';
import { areaOfPath, serverSources } from './sources.ts';

const path = 'packages/text/src/example.ts';

/** What the function `f` of the text returns, by the change, with each of its mutants active. */
function outcomes(text: string): Record<string, unknown> {
  const all = findMutationSites({ path, text }).map((site, i) => ({ ...site, id: i + 1 }));
  return Object.fromEntries(
    all.map((mutant) => {
      const instrumented = instrumentFile({ path, text }, [mutant]).replace(/^import .*?; /, '');
      const run = new Function('isMutant__', `${instrumented}; return f();`);
      expect(run(() => false)).toEqual(new Function(`${text}; return f();`)());
      return [mutant.description, run((id: number) => id === mutant.id)];
    }),
  );
}

describe('an active mutant', () => {
  test('changes an operator with its whole operands', () => {
    // `a || b && c` without brackets would be another change.
    const text = 'function f() { return !!f || !f || !f; }';
    expect(outcomes(text)).toEqual({
      '!!f || !f || !f → !!f || !f && !f': false,
      '!!f || !f → !!f && !f': false,
    });
  });

  test('leaves a call out, also before an else', () => {
    const text = 'function f() { const l = []; if (l) l.push(9); else l.push(8); return l; }';
    expect(outcomes(text)).toMatchObject({ 'l.push(9); → (none)': [] });
  });

  test('turns an order round', () => {
    const text = 'function f() { return [[2, 1].toSorted(), [1, 2].sort((a, b) => a - b)]; }';
    expect(outcomes(text)).toMatchObject({
      '[2, 1].toSorted() → the other way round': [
        [2, 1],
        [1, 2],
      ],
      '[1, 2].sort((a, b) => a - b) → the other way round': [
        [1, 2],
        [2, 1],
      ],
    });
  });

  test('calls a method as one of the same object', () => {
    const text = 'function f() { return [0, 9].some((n) => n); }';
    expect(outcomes(text)).toMatchObject({ '[0, 9].some → [0, 9].every': false });
  });
});

describe('instrumented text', () => {
  const root = resolve(import.meta.dirname, '../..');
  const sources = serverSources(repositoryFiles(root));

  test('parses, and files without mutants stay as they are', () => {
    const some = sources.filter((file) => ['webhooks', 'jobs'].includes(areaOfPath(file.path)));
    const mutants = selectMutants(some.flatMap(findMutationSites), { seed: 7, count: 100 });
    for (const file of some) {
      const text = instrumentFile(file, mutants);
      expect(parseFile({ path: file.path, text }).error).toBeNull();
      if (!mutants.some((mutant) => mutant.path === file.path)) expect(text).toBe(file.text);
    }
  });

  test('has no mutants in what only tests use', () => {
    const paths = sources.map((file) => file.path);
    expect(paths).toContain('packages/server/src/database/embedded/worker.ts');
    expect(paths).toContain('packages/server/src/domains/webhooks/create.ts');
    expect(paths).toContain('packages/clustering/src/hdbscan/hdbscan.ts');
    expect(paths).toContain('packages/extraction/src/entities/extract.ts');
    expect(paths).toContain('packages/text/src/stem.ts');
    expect(paths.filter((each) => each.startsWith('packages/contract/'))).toEqual([]);
    expect(paths).not.toContain('packages/server/src/database/testing.ts');
    expect(paths.filter((each) => each.endsWith('.test.ts'))).toEqual([]);
  });
});

test.each([
  ['packages/server/src/domains/media/uploads/create.ts', 'media'],
  ['packages/server/src/domains/ctx.ts', 'domains'],
  ['packages/server/src/http/json-body/parse.ts', 'http'],
  ['packages/server/src/serve.ts', 'server'],
  ['packages/clustering/src/hdbscan/hdbscan.ts', 'clustering'],
  ['packages/extraction/src/entities/extract.ts', 'extraction'],
  ['packages/text/src/stem.ts', 'text'],
])('%s belongs to the area %s', (file, area) => {
  expect(areaOfPath(file)).toBe(area);
});
