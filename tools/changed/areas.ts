import { isCodeFile, isTestFile } from '../tidy/source.ts';
import { type ImportGraph, reachableFrom } from './graph.ts';

/** Folders of test/acceptance that test a domain, where they are not just its name. */
const areasByDomain: Readonly<Record<string, readonly string[]>> = {
  blobs: ['media', 'email'],
  accounts: ['accounts', 'limits'],
  'search-index': ['search', 'recall', 'reembed', 'verify'],
  graph: ['knowledge'],
  sessions: ['sessions', 'activation', 'co-access'],
  conversations: ['memories'],
  search: ['search', 'recall'],
  operations: ['operations', 'events'],
  'update-detection': ['memories'],
};

/** Code outside the domains that has areas of its own. */
const areasByPath: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^packages\/sdk\/src\/adapters\//, ['adapters', 'packages']],
  [/^packages\/(?:cli|sdk)\//, ['cli', 'packages', 'adapters']],
  [/^packages\/server\/src\/smtp\//, ['email']],
  [/^packages\/server\/src\/mcp\//, ['mcp', 'agents']],
  [/^packages\/server\/src\/agent-hooks\//, ['agents']],
  [/^packages\/server\/src\/http\/oauth\//, ['oauth', 'mcp']],
];

/** The domains of each provider: they import its types only, and get it from `context.ts`. */
const domainsByProvider: Readonly<Record<string, readonly string[]>> = {
  blobs: ['media', 'email'],
  fetch: ['webhooks', 'enrichment'],
  ffmpeg: ['media'],
  language: ['enrichment', 'graph', 'clusters', 'update-detection', 'conversations'],
  mail: ['email'],
  transcription: ['media'],
  vision: ['media'],
};

/** Files of the contract that do not have the name of an area or a domain. */
const areaByContractFile: Readonly<Record<string, string>> = {
  'activation-sessions': 'activation',
  'cli-sessions': 'sessions',
  'bulk-changes': 'memories',
  'cluster-map': 'clusters',
  clustering: 'clusters',
  'from-messages': 'memories',
  jobs: 'operations',
  'embedding-models': 'operations',
  maintenance: 'operations',
  'memory-erasure': 'memories',
  'update-suggestions': 'memories',
  'outbound-email': 'email',
  neighbourhood: 'knowledge',
  presets: 'search',
  recovery: 'operations',
  'search-variants': 'search',
  'webhook-deliveries': 'webhooks',
};
/** They go through every route. */
const areasOfContract = ['contract', 'errors'];

const contractIndex = 'packages/contract/src/index.ts';
const providerFile = /^packages\/server\/src\/providers\/([^/]+)\//;
const domainFile = /^packages\/server\/src\/domains\/([^/]+)\//;
/** What this share of the domains imports is tested by all areas. */
const allAreasShare = 0.75;

/** The acceptance tests of a changed file by their folders. */
export type TestAreasOf = (path: string) => readonly string[] | 'all';

/**
 * Every acceptance test imports the whole server, so its own imports choose nothing. A module
 * belongs to the areas of the domains that import it; what joins the domains (the list of
 * modules, HTTP) is no domain and does not count.
 */
export function testAreasByImportGraph(graph: ImportGraph): TestAreasOf {
  const modulesByDomain = Map.groupBy(
    [...graph.keys()].filter((path) => domainFile.test(path) && !isTestFile(path)),
    (path) => domainFile.exec(path)?.[1] ?? '',
  );
  const reachedByDomain = [...modulesByDomain].map(([domain, modules]) => {
    // The contract's index has the table of all routes, which would lead everywhere.
    const reached = reachableFrom(graph, modules, ({ from }) => from !== contractIndex);
    return [domain, reached] as const;
  });
  return (path) => {
    if (!/^packages\/[^/]+\/(?:src|bin)\//.test(path) || !isCodeFile({ path, text: '' })) return [];
    if (isTestFile(path)) return [];
    const named = namedAreas(path);
    const own = domainFile.exec(path)?.[1];
    const provided = domainsByProvider[providerOf(path)];
    const domains =
      provided ??
      reachedByDomain
        .filter(([domain, reached]) => domain === own || reached.has(path))
        .map(([domain]) => domain);
    if (domains.length >= allAreasShare * reachedByDomain.length) return 'all';
    if (domains.length === 0 && named.length === 0) return 'all';
    const areas = domains.flatMap(areasOfDomain);
    return [...new Set([...named, ...areas])].toSorted();
  };
}

/** The extraction belongs to the provider `language`, which calls it. */
const providerOf = (path: string): string =>
  path.startsWith('packages/extraction/') ? 'language' : (providerFile.exec(path)?.[1] ?? '');

const areasOfDomain = (domain: string): readonly string[] => areasByDomain[domain] ?? [domain];

function namedAreas(path: string): readonly string[] {
  const name = /^packages\/contract\/src\/(?:routes|schemas)\/([^/]+)\.ts$/.exec(path)?.[1];
  if (name !== undefined) {
    return [...areasOfContract, ...areasOfDomain(areaByContractFile[name] ?? name)];
  }
  if (path.startsWith('packages/contract/')) return areasOfContract;
  return areasByPath.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}
