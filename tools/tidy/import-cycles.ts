import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCodeFile, parseFile } from './source.ts';

/** No file imports itself by way of others; imports of types count, they bind readers too. */
export function checkImportCycles(files: readonly SourceFile[]): Finding[] {
  const code = new Map(files.filter(isCodeFile).map((file) => [file.path, file]));
  const done = new Set<string>();
  const found: Finding[] = [];
  const visit = (file: SourceFile, trail: readonly string[]): void => {
    const path = [...trail, file.path];
    for (const { target, line } of parseFile(file).imports) {
      const next = target === null ? undefined : code.get(target);
      if (!next) continue;
      const start = path.indexOf(next.path);
      if (start >= 0) {
        const circle = [...path.slice(start), next.path].join(' → ');
        found.push(createFinding('circles', file.path, line, `import circle ${circle}`));
      } else if (!done.has(next.path)) visit(next, path);
    }
    done.add(file.path);
  };
  for (const file of code.values()) if (!done.has(file.path)) visit(file, []);
  return found;
}
