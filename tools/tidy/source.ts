import { posix } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';
import type { SourceFile } from './finding.ts';

/** A node of the syntax tree (ESTree with TypeScript), read field by field. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A node with what it stands in; the program itself stands in nothing. */
export interface NodeWithParent {
  readonly node: Node;
  readonly parent: NodeWithParent | null;
}

export interface ParsedImport {
  readonly specifier: string;
  readonly line: number;
  /** Imported names as the other file calls them; empty where all is taken or nothing named. */
  readonly names: readonly string[];
  /** The file of this repository it leads to, or null for a package from outside. */
  readonly target: string | null;
}

export interface ParsedFile {
  readonly error: { readonly message: string; readonly line: number } | null;
  readonly nodes: readonly NodeWithParent[];
  readonly imports: readonly ParsedImport[];
  lineOf(offset: number): number;
}

const code = /\.(?:ts|tsx|mts|js|mjs)$/;
const cache = new WeakMap<SourceFile, ParsedFile>();

export const isCodeFile = ({ path }: SourceFile): boolean => code.test(path);

/** Tests and what only tests use: `*.test.ts`, `testing.ts`, folders `testing/`, `test/`. */
export const isTestFile = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || /(?:^|\/)(?:testing\.ts$|testing\/|test\/)/.test(path);

/** Parses once per file; one that does not parse is empty but for its error. */
export function parseFile(file: SourceFile): ParsedFile {
  const known = cache.get(file);
  if (known) return known;
  const result = parseSync(file.path, file.text);
  const lineOf = lineFinder(file.text);
  const error = result.errors[0];
  const made: ParsedFile = {
    error: error ? { message: error.message, line: lineOf(error.labels[0]?.start ?? 0) } : null,
    nodes: withParents(result.program as unknown as Node),
    imports: importsOf(file, result.module, lineOf),
    lineOf,
  };
  cache.set(file, made);
  return made;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function withParents(program: Node): NodeWithParent[] {
  const found: NodeWithParent[] = [{ node: program, parent: null }];
  for (let i = 0; i < found.length; i += 1) {
    const parent = found[i] as NodeWithParent;
    for (const key of visitorKeys[parent.node.type] ?? []) {
      const child = parent.node[key];
      for (const node of Array.isArray(child) ? child : [child]) {
        if (node) found.push({ node: node as Node, parent });
      }
    }
  }
  return found;
}

type EcmaModule = ReturnType<typeof parseSync>['module'];

function importsOf(
  file: SourceFile,
  module: EcmaModule,
  lineOf: ParsedFile['lineOf'],
): ParsedImport[] {
  const made = (
    specifier: string,
    start: number,
    names: readonly (string | null)[],
  ): ParsedImport => ({
    specifier,
    line: lineOf(start),
    names: names.filter((name) => name !== null),
    target: resolveImport(file.path, specifier),
  });
  const statics = module.staticImports.map(({ moduleRequest, start, entries }) =>
    made(
      moduleRequest.value,
      start,
      entries.map(({ importName }) => importName.name),
    ),
  );
  const again = module.staticExports.flatMap(({ entries, start }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest ? [made(moduleRequest.value, start, [importName.name])] : [],
    ),
  );
  const dynamic = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const text = file.text.slice(moduleRequest.start, moduleRequest.end);
    const literal = /^(['"`])([^'"`$]+)\1$/.exec(text)?.[2];
    return literal ? [made(literal, start, [])] : [];
  });
  return [...statics, ...again, ...dynamic];
}

/** Relative paths and our own packages lead to files; everything else is from outside. */
export function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const own = /^@mneme\/([a-z]+)$/.exec(specifier)?.[1];
  return own ? `packages/${own}/src/index.ts` : null;
}

/** `a.b` as written: the object's name and the property's; null for anything else. */
export function memberAccess({
  node,
}: NodeWithParent): { object: string | null; property: string } | null {
  if (node.type !== 'MemberExpression') return null;
  const object = node.object as Node;
  const property = node.property as Node;
  const name = property.type === 'Identifier' && !node.computed ? property.name : property.value;
  if (typeof name !== 'string') return null;
  return { object: object.type === 'Identifier' ? String(object.name) : null, property: name };
}

/** True where the placed node is what a call calls. */
export const isCalled = ({ node, parent }: NodeWithParent): boolean =>
  parent?.node.type === 'CallExpression' && parent.node.callee === node;
