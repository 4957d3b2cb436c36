import type { Neighbourhood } from '@mneme/sdk';

export type NodeType = Neighbourhood['nodes'][number]['type'];

export const nodeTypes: readonly NodeType[] = [
  'memory',
  'person',
  'organization',
  'location',
  'product',
  'concept',
  'event',
  'skill',
  'date',
];

/** The address of the page: what is in the middle, and what of it is shown. */
export interface GraphSearch {
  readonly memory?: string | undefined;
  readonly entity?: string | undefined;
  readonly depth?: 2 | 3 | undefined;
  /** Types of nodes that are hidden. */
  readonly hide?: readonly NodeType[] | undefined;
  /** Only edges of these types. */
  readonly edges?: readonly string[] | undefined;
  /** Times in ISO 8601. */
  readonly asOf?: string | undefined;
  readonly knownAt?: string | undefined;
  readonly view?: 'list' | undefined;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const time = (value: unknown): string | undefined => {
  const ms = Date.parse(text(value) ?? '');
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

const texts = (value: unknown): readonly string[] | undefined => {
  const all = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  return all.length > 0 ? all : undefined;
};

export function readGraphSearch(search: Record<string, unknown>): GraphSearch {
  const hide = texts(search.hide)?.flatMap((name) => nodeTypes.filter((type) => type === name));
  return {
    memory: text(search.memory),
    entity: search.memory === undefined ? text(search.entity) : undefined,
    depth: search.depth === 2 || search.depth === 3 ? search.depth : undefined,
    hide: hide && hide.length > 0 ? hide : undefined,
    edges: texts(search.edges)?.filter((type) => /^[a-z][a-z0-9_]{0,63}$/.test(type)),
    asOf: time(search.asOf),
    knownAt: time(search.knownAt),
    view: search.view === 'list' ? 'list' : undefined,
  };
}
