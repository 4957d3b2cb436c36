import { posix } from 'node:path';
import type { SourceFile } from '../tidy/finding.ts';
import { activePlaceholder, type Mutant } from './mutation.ts';

/** Where the module that knows the active mutant is in the copy. */
const active = 'tools/mutations/instrumented/active.ts';

/** The file with all its mutants in it. Lines keep their numbers; all that is added is erasable. */
export function instrumentFile({ path, text }: SourceFile, mutants: readonly Mutant[]): string {
  const here = mutants.filter((mutant) => mutant.path === path);
  if (here.length === 0) return text;
  let instrumented = text;
  for (const { id, start, end, replacement: put } of here.toSorted((a, b) => b.start - a.start)) {
    const replacement = put.replaceAll(activePlaceholder, `isMutant__(${id})`);
    instrumented = instrumented.slice(0, start) + replacement + instrumented.slice(end);
  }
  const specifier = posix.relative(posix.dirname(path), active);
  const line = `import { isMutantActive as isMutant__ } from '${specifier}'; `;
  const at = instrumented.startsWith('#!') ? instrumented.indexOf('\n') + 1 : 0;
  return instrumented.slice(0, at) + line + instrumented.slice(at);
}
