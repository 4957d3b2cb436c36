import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import type { SourceFile } from '../tidy/finding.ts';
import { resolveImport } from '../tidy/source.ts';

/** An import of a file of this repository. */
interface ImportUse {
  readonly target: string;
  /** Names as the target calls them; null where the whole module is used. */
  readonly names: readonly string[] | null;
  /** Only types, which do not exist when a test runs. */
  readonly isType: boolean;
}

export interface ModuleImports {
  readonly uses: readonly ImportUse[];
  /** Names that it passes on from other files, and where from. */
  readonly reExports: ReadonlyMap<string, { readonly target: string; readonly name: string }>;
  /** Files of `export *`. */
  readonly starExports: readonly string[];
  /** Names of its own. */
  readonly ownExports: ReadonlySet<string>;
}

type EcmaModule = ReturnType<typeof parseSync>['module'];

export function readModuleImports({ path, text }: SourceFile): ModuleImports {
  const { module } = parseSync(path, text);
  const passedOn = new Map<string, { target: string; name: string }>();
  const stars: string[] = [];
  const own = new Set<string>();
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName } of entries) {
      const target = moduleRequest && resolveImport(path, moduleRequest.value);
      if (!target) own.add(exportName.name ?? 'default');
      else if (exportName.name === null) stars.push(target);
      else if (importName.name !== null) {
        passedOn.set(exportName.name, { target, name: importName.name });
      }
    }
  }
  const targets = [...new Set([...passedOn.values()].map(({ target }) => target)), ...stars];
  const exported = targets.map((target) => ({ target, names: null, isType: false }));
  const uses = [...staticUses(path, module), ...exported, ...otherUses(path, text, module)];
  return { uses, reExports: passedOn, starExports: stars, ownExports: own };
}

function staticUses(path: string, { staticImports }: EcmaModule): ImportUse[] {
  return staticImports.flatMap(({ moduleRequest, entries }) => {
    const target = resolveImport(path, moduleRequest.value);
    if (target === null) return [];
    const names = entries.map(({ importName }) => importName.name ?? '');
    const isWhole = entries.length === 0 || names.includes('');
    const isType = entries.length > 0 && entries.every((entry) => entry.isType);
    return [{ target, names: isWhole ? null : names, isType }];
  });
}

const urlReference = /new URL\(\s*['"`]([^'"`$]+)['"`],\s*import\.meta\.url/g;

/** Dynamic imports, and files such as workers and fixtures that are named by `new URL`. */
function otherUses(path: string, text: string, { dynamicImports }: EcmaModule): ImportUse[] {
  const dynamic = dynamicImports.flatMap(({ moduleRequest }) => {
    const specifier = text.slice(moduleRequest.start + 1, moduleRequest.end - 1);
    return resolveImport(path, specifier) ?? [];
  });
  const named = [...text.matchAll(urlReference)].map(([, place = '']) =>
    posix.join(posix.dirname(path), place).replace(/\/$/, ''),
  );
  return [...dynamic, ...named].map((target) => ({ target, names: null, isType: false }));
}
