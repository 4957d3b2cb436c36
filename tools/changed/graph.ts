import type { SourceFile } from '../tidy/finding.ts';
import { isCodeFile } from '../tidy/source.ts';
import { type ModuleImports, readModuleImports } from './imports.ts';

export interface ImportEdge {
  readonly from: string;
  readonly to: string;
  readonly isType: boolean;
  /** Whether what `to` imports is reached, too. */
  readonly isTransitive: boolean;
}

export type ImportGraph = ReadonlyMap<string, readonly ImportEdge[]>;

/**
 * The imports of all files. Who imports a name by an index file reaches the file that has the name,
 * and not the index file's other imports.
 */
export function buildImportGraph(files: readonly SourceFile[]): ImportGraph {
  const modules = new Map(
    files.filter(isCodeFile).map((file) => [file.path, readModuleImports(file)]),
  );
  return new Map(
    [...modules].map(([from, { uses }]) => [
      from,
      uses.flatMap(({ target, names, isType }) => {
        const origins = names?.map((name) => originOf(modules, target, name)) ?? [target];
        const isDirect = origins.includes(target);
        const own = { from, to: target, isType, isTransitive: isDirect };
        const others = [...new Set(origins)].filter((origin) => origin !== target);
        return [own, ...others.map((to) => ({ from, to, isType, isTransitive: true }))];
      }),
    ]),
  );
}

/** The file that a name comes from; the given one where that is not to be seen. */
function originOf(modules: ReadonlyMap<string, ModuleImports>, path: string, name: string): string {
  return findOrigin(modules, path, name, new Set()) ?? path;
}

function findOrigin(
  modules: ReadonlyMap<string, ModuleImports>,
  path: string,
  name: string,
  seen: Set<string>,
): string | null {
  const module = modules.get(path);
  if (!module || seen.has(path)) return null;
  seen.add(path);
  if (module.ownExports.has(name)) return path;
  const next = module.reExports.get(name);
  if (next) return findOrigin(modules, next.target, next.name, seen) ?? next.target;
  for (const star of module.starExports) {
    const found = findOrigin(modules, star, name, seen);
    if (found !== null) return found;
  }
  return null;
}

/** Every file that the given ones import, directly or through others, and they themselves. */
export function reachableFrom(
  graph: ImportGraph,
  starts: Iterable<string>,
  isFollowed: (edge: ImportEdge) => boolean,
): ReadonlySet<string> {
  const reached = new Set(starts);
  const open = [...reached];
  const expanded = new Set(open);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const edge of graph.get(path) ?? []) {
      if (!isFollowed(edge)) continue;
      reached.add(edge.to);
      if (!edge.isTransitive || expanded.has(edge.to)) continue;
      expanded.add(edge.to);
      open.push(edge.to);
    }
  }
  return reached;
}
