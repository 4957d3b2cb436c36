import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';

/** A test as its file names it, templates of `it.each` as they are written. */
export interface TestTitle {
  readonly title: string;
  /** With the groups that it stands in: `group › title`. */
  readonly fullTitle: string;
}

/** Any node of the syntax tree, as far as a reader of titles needs to see it. */
interface Node {
  readonly type: string;
  readonly name?: string;
  readonly value?: unknown;
  readonly callee?: Node;
  readonly object?: Node;
  readonly tag?: Node;
  readonly arguments?: readonly Node[];
  readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
}

const kinds: Readonly<Record<string, 'group' | 'test'>> = {
  describe: 'group',
  it: 'test',
  test: 'test',
};

/** Every test of a file's text, in its order. */
export function parseTitles(path: string, text: string): TestTitle[] {
  const found: TestTitle[] = [];
  const visit = (node: Node, groups: readonly string[]): void => {
    const named = node.type === 'CallExpression' ? titleOfCall(node) : null;
    if (named?.kind === 'test') {
      found.push({ title: named.title, fullTitle: [...groups, named.title].join(' › ') });
    }
    const within = named?.kind === 'group' ? [...groups, named.title] : groups;
    for (const child of childrenOf(node)) visit(child, within);
  };
  visit(parseSync(path, text).program as unknown as Node, []);
  return found;
}

function childrenOf(node: Node): Node[] {
  const keys = visitorKeys[node.type] ?? [];
  return keys
    .flatMap((key) => (node as unknown as Record<string, Node | readonly Node[] | null>)[key] ?? [])
    .filter((child) => child !== null);
}

function titleOfCall({ callee, arguments: [first] = [] }: Node) {
  const kind = callee && kinds[calleeName(callee)];
  const title = first && textOf(first);
  return kind && typeof title === 'string' ? { kind, title } : null;
}

/** The name that `it`, `it.each(rows)` and ``it.each`table` `` begin with. */
function calleeName(node: Node): string {
  const inner = node.object ?? node.callee ?? node.tag;
  return inner ? calleeName(inner) : (node.name ?? '');
}

/** The text of a literal; what a template puts in is shown as `…`. */
function textOf({ type, value, quasis = [] }: Node): string | null {
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type !== 'TemplateLiteral') return null;
  return quasis.map((part) => part.value.cooked ?? '').join('…');
}

/** The part of a file's name that says which project runs it; statements do without it. */
const project = /\.(slow|database)(?=\.test\.ts$)/;

/** Tests by the path of their file, without the part that says which project runs it. */
export function readTitles(root: string): ReadonlyMap<string, readonly TestTitle[]> {
  const paths = ['test', 'packages', 'tools', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules/')),
  );
  const titles = new Map<string, readonly TestTitle[]>();
  for (const path of paths.toSorted()) {
    const named = path.replace(project, '');
    const found = parseTitles(path, readFileSync(join(root, path), 'utf8'));
    titles.set(named, [...(titles.get(named) ?? []), ...found]);
  }
  return titles;
}
