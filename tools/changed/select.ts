import { basename } from 'node:path';
import type { SourceFile } from '../tidy/finding.ts';
import { isCodeFile } from '../tidy/source.ts';
import { type TestAreasOf, testAreasByImportGraph } from './areas.ts';
import { buildImportGraph, type ImportEdge, reachableFrom } from './graph.ts';

export interface TestSelection {
  /** Sorted paths of test files. */
  readonly tests: readonly string[];
  /** Of how many. */
  readonly total: number;
  /** For each changed file, why its tests were chosen. */
  readonly reasons: readonly string[];
}

const testFile = /\.test\.ts$/;
const slowFile = /\.slow\.test\.ts$|^test\/long\//;
const acceptance = /^(?:test\/acceptance|examples)\//;
/** What every test depends on without an import. */
const affectsAllTests = [
  /^(?:packages\/[^/]+\/)?package(?:-lock)?\.json$/,
  /^(?:vitest\.config\.ts|tsconfig[.\w]*\.json)$/,
  /^packages\/server\/migrations\//,
  /^test\/support\/(?:kill-leftover-servers|report-failures)\.ts$/,
  /^test\/support\/(?:render-last-exchanges|http-exchanges)\.ts$/,
];
/** Tests that read the whole repository. */
const alwaysSelected = ['tools/tidy.test.ts'];
const titleTest = 'tools/coverage.test.ts';

/** The tests that a change concerns. */
export function selectTests(
  files: readonly SourceFile[],
  changed: readonly string[],
  options: { readonly slow?: boolean } = {},
): TestSelection {
  const graph = buildImportGraph(files);
  const areasOf = testAreasByImportGraph(graph);
  const all = files
    .map(({ path }) => path)
    .filter((path) => testFile.test(path) && (!slowFile.test(path) || isSlowWanted(path, options)));
  const reached = new Map(
    all.map((test) => [test, reachableFrom(graph, [test], edgeFilterFor(test))]),
  );
  const chosen = new Set(
    changed.length > 0 ? alwaysSelected.filter((path) => reached.has(path)) : [],
  );
  const reasons = changed.map((path) => {
    if (affectsAllTests.some((pattern) => pattern.test(path))) {
      for (const test of all) chosen.add(test);
      return `${path}: every test depends on it`;
    }
    const places = [path, ...foldersOf(path), ...filesMentioning(files, path)];
    const importing = all.filter((test) => places.some((place) => reached.get(test)?.has(place)));
    const areas = areasOf(path);
    const ofAreas = all.filter((test) => isOfAreas(test, areas));
    for (const test of [...importing, ...ofAreas]) chosen.add(test);
    if (reached.has(titleTest) && readsTitles(path)) chosen.add(titleTest);
    return `${path}: ${reasonOf(importing.length, ofAreas.length, areas)}`;
  });
  return { tests: [...chosen].toSorted(), total: all.length, reasons };
}

const isSlowWanted = (path: string, { slow = false }: { readonly slow?: boolean }): boolean =>
  slow && !path.startsWith('test/long/');

const readsTitles = (path: string): boolean =>
  testFile.test(path) || path.startsWith('docs/published/');

/** Types do not exist when a test runs; acceptance tests reach the server by its areas. */
function edgeFilterFor(test: string): (edge: ImportEdge) => boolean {
  const isAcceptance = acceptance.test(test);
  return ({ from, to, isType }) => {
    if (isType) return false;
    if (!isAcceptance) return true;
    if (/^packages\/(?:sdk|cli)\//.test(from)) return !to.startsWith('packages/contract/');
    if (!to.startsWith('packages/server/')) return true;
    return !from.startsWith('test/support/') && !compositionRoot.test(to);
  };
}

const compositionRoot =
  /^packages\/server\/src\/(?:(?:context|modules|serve|main)\.ts$|commands\/)/;

/** Its folders below the root, since a test may read a whole folder. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/')).slice(1);
}

/** What is no code is read by its name. */
function filesMentioning(files: readonly SourceFile[], path: string): string[] {
  if (isCodeFile({ path, text: '' })) return [];
  const quoted = [`'`, '"', '`'].map((quote) => basename(path) + quote);
  return files
    .filter((file) => isCodeFile(file) && quoted.some((name) => file.text.includes(name)))
    .map((file) => file.path);
}

function isOfAreas(test: string, areas: ReturnType<TestAreasOf>): boolean {
  if (areas === 'all') return acceptance.test(test);
  const area = /^test\/acceptance\/([^/]+)\//.exec(test)?.[1] ?? 'webhooks';
  return acceptance.test(test) && areas.includes(area);
}

function reasonOf(importing: number, ofAreas: number, areas: ReturnType<TestAreasOf>): string {
  const parts = [`${importing} by imports`];
  if (areas === 'all') parts.push(`${ofAreas} by area (all)`);
  else if (areas.length > 0) parts.push(`${ofAreas} by area (${areas.join(', ')})`);
  return parts.join(', ');
}
