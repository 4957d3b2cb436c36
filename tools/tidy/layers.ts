import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCodeFile, isTestFile, type ParsedImport, parseFile } from './source.ts';

const root = 'packages/server/src/';

/** What each layer of the server may import besides itself and the contract. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  main: [
    'commands',
    'serve',
    'context',
    'modules',
    'http',
    'smtp',
    'domains',
    'events',
    'jobs',
    'instance',
    'providers',
    'database',
    'kernel',
  ],
  commands: [
    'serve',
    'diagnosis',
    'restore',
    'context',
    'domains',
    'events',
    'jobs',
    'instance',
    'providers',
    'database',
    'kernel',
  ],
  restore: [
    'context',
    'modules',
    'domains',
    'events',
    'jobs',
    'instance',
    'providers',
    'database',
    'kernel',
  ],
  diagnosis: ['context', 'domains', 'instance', 'providers', 'database', 'kernel'],
  serve: ['context', 'modules', 'http', 'smtp', 'domains', 'kernel'],
  context: [
    'modules',
    'http',
    'smtp',
    'domains',
    'events',
    'jobs',
    'instance',
    'providers',
    'database',
    'kernel',
  ],
  modules: ['domains', 'jobs'],
  http: [
    'agent-hooks',
    'mcp',
    'domains',
    'events',
    'jobs',
    'instance',
    'providers',
    'database',
    'kernel',
  ],
  'agent-hooks': ['mcp', 'domains', 'kernel'],
  mcp: ['domains', 'kernel'],
  smtp: ['domains', 'events', 'jobs', 'instance', 'providers', 'database', 'kernel'],
  domains: ['events', 'jobs', 'instance', 'providers', 'database', 'kernel'],
  jobs: ['database', 'kernel'],
  events: ['database', 'kernel'],
  instance: ['database', 'kernel'],
  providers: ['kernel'],
  database: ['kernel'],
  kernel: [],
};

/** A domain imports only those before it. */
export const domainOrder = [
  'blobs',
  'accounts',
  'spaces',
  'oauth',
  'search-index',
  'memories',
  'media',
  'relationships',
  'graph',
  'sessions',
  'enrichment',
  'update-detection',
  'clusters',
  'search',
  'conversations',
  'email',
  'webhooks',
  'transfers',
  'operations',
];

/** Our own packages that each package may import. */
const allowedPackages: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  clustering: [],
  text: [],
  extraction: ['text'],
  server: ['contract', 'clustering', 'text', 'extraction'],
  sdk: ['contract'],
  cli: ['sdk', 'contract'],
  mcp: ['sdk', 'contract'],
  console: ['sdk', 'contract'],
};

/** What pure packages may import from outside: no threads, no network, no framework. */
const allowedVendors: Readonly<Record<string, readonly string[]>> = {
  contract: ['zod'],
  clustering: ['java-random', 'networkanalysis-ts', 'node:fs'],
  text: ['node:fs', 'wink-porter2-stemmer'],
  extraction: ['node:fs'],
};

/** The folders of the server that may import a package. */
const packageHomes: readonly { homes: readonly string[]; packages: RegExp }[] = [
  { homes: ['domains'], packages: /^@mneme\/clustering$/ },
  { homes: ['domains', 'providers'], packages: /^@mneme\/text$/ },
  { homes: ['providers/language'], packages: /^@mneme\/extraction$/ },
  { homes: ['database'], packages: /^(?:pg(?:-[a-z-]+)?|@electric-sql\/.+)$/ },
  { homes: ['mcp'], packages: /^@modelcontextprotocol\/.+$/ },
  { homes: ['http'], packages: /^(?:fastify(?:-[a-z-]+)?|@fastify\/.+|@scalar\/.+)$/ },
  { homes: ['providers/telemetry'], packages: /^@opentelemetry\/.+$/ },
  {
    homes: ['providers'],
    packages: /^(?:undici|openai|onnxruntime-[a-z]+|@(?:huggingface|aws-sdk|gutenye)\/.+)$/,
  },
];

/** The packages of frameworks: each has one adapter of the SDK, whose core imports none. */
const adapterHomes: readonly { home: string; packages: RegExp }[] = [
  { home: 'vercel-ai', packages: /^(?:ai|@ai-sdk\/.+)$/ },
  { home: 'langgraph', packages: /^@langchain\/.+$/ },
  { home: 'anthropic-memory', packages: /^@anthropic-ai\/.+$/ },
  { home: 'openai-agents', packages: /^@openai\/.+$/ },
];
const adapters = 'packages/sdk/src/adapters/';

const packageOf = (path: string): string | null => /^packages\/([^/]+)\//.exec(path)?.[1] ?? null;
const isSource = (path: string): boolean => /^packages\/[^/]+\/src\//.test(path);

/** The first step below server/src: a folder, or the name of a file. */
const layerOf = (path: string): string | null =>
  path.startsWith(root) ? path.slice(root.length).replace(/(?:\/|\.ts$).*/, '') : null;

/** The folder below domains/; null for the files directly in it, the ground of all domains. */
const domainOf = (path: string): string | null =>
  /^packages\/server\/src\/domains\/([^/]+)\//.exec(path)?.[1] ?? null;

/** Who may import whom: packages, the server's layers, domains in order and by their door. */
export function checkLayers(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isCodeFile(file) && packageOf(file.path) !== null)
    .flatMap((file) => [
      ...unknownLayer(file.path),
      ...parseFile(file).imports.flatMap((used) =>
        [
          ...forbiddenVendor(file.path, used),
          ...forbiddenPackageImport(file.path, used),
          ...forbiddenLayerImport(file.path, used),
          ...forbiddenDomainImport(file.path, used),
          ...forbiddenAdapterImport(file.path, used),
        ].map((message) => createFinding('layers', file.path, used.line, message)),
      ),
    ]);
}

function unknownLayer(path: string): Finding[] {
  const layer = layerOf(path);
  if (layer === null || isTestFile(path) || layer in allowedImports) return [];
  return [createFinding('layers', path, 1, `${layer} is no layer of the server`)];
}

function forbiddenVendor(path: string, { specifier, target }: ParsedImport): string[] {
  const from = packageOf(path) ?? '';
  // Only src/ is pure: training and benchmarks of a package read and write files.
  const allowed = isSource(path) ? allowedVendors[from] : undefined;
  if (!allowed || target !== null || isTestFile(path) || allowed.includes(specifier)) return [];
  return [`${from} imports ${specifier}; allowed: ${allowed.join(', ')}`];
}

function forbiddenPackageImport(path: string, { specifier, target }: ParsedImport): string[] {
  const from = packageOf(path);
  const to = target && packageOf(target);
  if (!from || !to || from === to || isTestFile(path)) return [];
  if (!allowedPackages[from]?.includes(to)) {
    return [`package ${from} must not import package ${to}`];
  }
  return specifier.startsWith('.') ? [`package ${to} is imported as @mneme/${to} only`] : [];
}

function forbiddenLayerImport(path: string, { target }: ParsedImport): string[] {
  const from = layerOf(path);
  const to = target && layerOf(target);
  if (!from || !to || from === to || isTestFile(path)) return [];
  const allowed = allowedImports[from];
  return !allowed || allowed.includes(to) ? [] : [`${from} must not import ${to}`];
}

function forbiddenDomainImport(path: string, { target }: ParsedImport): string[] {
  const to = target && domainOf(target);
  const from = domainOf(path);
  if (!target || !to || from === to) return [];
  const door = target === `${root}domains/${to}/index.ts`;
  const testDoor = isTestFile(path) && target === `${root}domains/${to}/testing.ts`;
  const isListed = from === null && layerOf(path) === 'modules' && target.endsWith('/module.ts');
  const faults =
    door || testDoor || isListed ? [] : [`domain ${to} is entered by its index.ts only`];
  if (layerOf(path) !== 'domains' || isTestFile(path)) return faults;
  if (from === null) return [...faults, `the ground of the domains must not import ${to}`];
  const late = domainOrder.indexOf(to) > domainOrder.indexOf(from);
  return late ? [...faults, `domain ${from} comes before ${to}`] : faults;
}

function forbiddenAdapterImport(path: string, { target }: ParsedImport): string[] {
  if (!target?.startsWith(adapters) || path.startsWith(adapters) || isTestFile(path)) return [];
  return ['an adapter is imported by other adapters only'];
}

/** Drivers, the web framework, vendor SDKs and our pure packages have their homes in the server. */
export function checkVendorImports(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isCodeFile(file) && isSource(file.path))
    .flatMap((file) =>
      parseFile(file).imports.flatMap((used) =>
        strangeHomes(file.path, used).map((homes) => {
          const folders = homes.map((home) => `${home}/`).join(' and ');
          const message = `${used.specifier} is imported by ${folders} only`;
          return createFinding('vendors', file.path, used.line, message);
        }),
      ),
    );
}

/** The homes of an imported package, for a file that is in none of them. */
function strangeHomes(path: string, { specifier, target }: ParsedImport): (readonly string[])[] {
  // `layers` says which of our packages may import each other.
  if (target !== null && packageOf(path) !== 'server') return [];
  const ofServer = packageHomes
    .filter(({ packages }) => packages.test(specifier))
    .map(({ homes }) => homes)
    .filter((homes) => !homes.some((home) => path.startsWith(`${root}${home}/`)));
  const ofAdapters = adapterHomes
    .filter(({ packages }) => packages.test(specifier) && !isTestFile(path))
    .map(({ home }) => `${adapters}${home}`)
    .filter((home) => !path.startsWith(`${home}/`));
  return [...ofServer, ...ofAdapters.map((home) => [home])];
}
