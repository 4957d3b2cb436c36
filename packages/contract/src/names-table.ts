import { z } from 'zod';
import { canonicalNameOf } from './aliases.ts';

/** A canonical name, an alias, and the operations that have both. */
interface AliasUse {
  readonly canonical: string;
  readonly alias: string;
  readonly requests: ReadonlySet<string>;
  readonly responses: ReadonlySet<string>;
}

interface RouteSchemas {
  readonly id: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly form?: z.ZodType;
  readonly responses: Readonly<Record<number, z.ZodType | null>>;
}

/** What each canonical name means. Names that differ from their alias only in case need no text. */
const meanings: Readonly<Record<string, string>> = {
  api_key_id: 'the API key that did it',
  attempt_count: 'how often it was tried',
  computed_at: 'when a score was computed',
  content_type: 'the kind of content of a memory',
  data: 'the records of a list',
  error: 'why an attempt failed',
  event_type: 'the type of an event, outside of the event itself',
  file_size: 'bytes of a file',
  finished_at: 'when a job or a run ended',
  history_id: 'a received email',
  hops: 'relationships between two nodes of a graph',
  is_active: 'whether it is in use',
  is_pinned: 'whether a memory is pinned',
  last_active_at: 'when a session was used last',
  mime_type: 'the media type of a file',
  next_attempt_at: 'when it is tried again',
  occurred_at: 'when the content happened or was said',
  'pagination.has_more': 'whether there is a next page',
  'pagination.limit': 'the size of a page',
  'pagination.next_cursor': 'the cursor of the next page',
  'pagination.offset': 'the place of the first record of a page',
  'pagination.total': 'the number of records of all pages',
  q: 'the text to search for',
  refresh: 'computes again instead of reading',
  relationship_type: 'the type of a relationship',
  session_key: 'the key of an activation session',
  space_id: 'the space',
  usage_count: 'how often a relationship was reinforced',
  weight: 'the weight of a relationship',
};

/** Every alias of the routes, by canonical name. */
function collectAliases(routes: readonly RouteSchemas[]): AliasUse[] {
  const uses = new Map<string, AliasUse & { requests: Set<string>; responses: Set<string> }>();
  const note = (part: 'requests' | 'responses', id: string, canonical: string, alias: string) => {
    const key = `${canonical} ${alias}`;
    const use = uses.get(key) ?? { canonical, alias, requests: new Set(), responses: new Set() };
    use[part].add(id);
    uses.set(key, use);
  };
  for (const { id, query, body, form, responses } of routes) {
    for (const schema of [query, body, form]) {
      forEachAlias(schema, (canonical, alias) => note('requests', id, canonical, alias));
    }
    for (const schema of Object.values(responses)) {
      forEachAlias(schema, (canonical, alias) => note('responses', id, canonical, alias));
    }
  }
  return [...uses.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

const keyOf = ({ canonical, alias }: AliasUse): string => `${canonical} ${alias}`;

type OnAlias = (canonical: string, alias: string) => void;

function forEachAlias(
  schema: z.core.$ZodType | null | undefined,
  onAlias: OnAlias,
  seen = new Set<z.core.$ZodType>(),
): void {
  if (!schema || seen.has(schema)) return;
  seen.add(schema);
  const visit = (inner: z.core.$ZodType) => forEachAlias(inner, onAlias, seen);
  const { documentedAs } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  if (documentedAs) {
    visit(documentedAs as z.ZodType);
    return;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) visit(def.innerType);
  else if (def.type === 'array') visit(def.element);
  else if (def.type === 'union') def.options.forEach(visit);
  else if (def.type === 'object') {
    for (const [name, field] of Object.entries(def.shape)) {
      const canonical = canonicalNameOf(field);
      if (canonical !== undefined) onAlias(canonical, name);
      visit(field);
    }
  }
}

/** The tables of names as Markdown: names that differ, then names that differ in case only. */
export function renderNamesTables(routes: readonly RouteSchemas[]): string {
  const uses = collectAliases(routes);
  const rows = groupBy(uses.filter(hasOtherWord), ({ canonical }) => canonical);
  const cases = groupBy(
    uses.filter((use) => !hasOtherWord(use)),
    areasOf,
  );
  return [
    '| name | meaning | aliases | in requests of | in responses of |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(([canonical, aliases]) => renderRow(canonical, aliases)),
    '',
    'These names differ from their aliases, which are in camelCase, only in case:',
    '',
    '| area | names |',
    '| --- | --- |',
    ...cases.map(([areas, names]) => {
      const listed = [...new Set(names.map(({ canonical }) => code(canonical)))];
      return `| ${areas} | ${listed.join(', ')} |`;
    }),
  ].join('\n');
}

/** Map.groupBy is not in Node 20, which also runs this package. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), [...group, item]);
  }
  return [...groups];
}

const hasOtherWord = ({ canonical, alias }: AliasUse): boolean =>
  canonical.replaceAll('_', '') !== alias.toLowerCase();

function renderRow(canonical: string, aliases: readonly AliasUse[]): string {
  const meaning = meanings[canonical];
  if (meaning === undefined) throw new Error(`${canonical} has no meaning in the table of names`);
  const names = aliases.map(({ alias }) => code(alias)).join(', ');
  const where = (part: 'requests' | 'responses'): string =>
    summarize(aliases.flatMap((use) => [...use[part]]));
  const cells = [code(canonical), meaning, names, where('requests'), where('responses')];
  return `| ${cells.join(' | ')} |`;
}

const code = (name: string): string => `\`${name}\``;

const areaOf = (id: string): string => id.slice(0, id.indexOf('.'));

const areasOf = ({ requests, responses }: AliasUse): string =>
  [...new Set([...requests, ...responses].map(areaOf))].sort().join(', ');

/** The operations, or for many of them their areas. */
function summarize(ids: readonly string[]): string {
  const unique = [...new Set(ids)].sort();
  if (unique.length <= 4) return unique.join(', ') || '–';
  return [...new Set(unique.map((id) => `${areaOf(id)}.*`))].join(', ');
}
