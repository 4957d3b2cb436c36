import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCalled, isCodeFile, isTestFile, memberAccess, parseFile } from './source.ts';

const builders = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto'];

/** Where SQL may be written: `store/` in a domain, and the layers below the domains. */
const canContainSql = (path: string): boolean =>
  /^packages\/server\/src\/(?:(?:database|events|jobs|instance)|domains\/.+\/store)\//.test(path);

/** SQL stands in stores, so that who touches a table is found in one place. */
export function checkSql(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isCodeFile(file) && /^packages\/[^/]+\/src\//.test(file.path))
    .filter(({ path }) => !canContainSql(path) && !isTestFile(path))
    .flatMap((file) => {
      const { imports, nodes, lineOf } = parseFile(file);
      const imported = imports
        .filter(({ names }) => names.includes('sql'))
        .map(({ line }) => createFinding('sql', file.path, line, 'imports sql outside of a store'));
      const built = nodes.flatMap((placed) => {
        const name = memberAccess(placed)?.property;
        if (!name || !builders.includes(name) || !isCalled(placed)) return [];
        return [
          createFinding('sql', file.path, lineOf(placed.node.start), `${name} outside of a store`),
        ];
      });
      return [...imported, ...built];
    });
}
