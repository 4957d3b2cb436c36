import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCode, type Node, parseFile } from './source.ts';

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/;
const genericName = /^(?:utils?|helpers?|common|managers?)$/;

/** File and folder names: kebab-case, and none that says nothing about what is inside. */
export function checkNames(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCode).flatMap(({ path }) => {
    const steps = path.split('/');
    const ill = steps.filter((step) => !kebabCase.test(step));
    const words = steps.flatMap((step) => step.split(/[-.]/));
    const empty = words.filter((word) => genericName.test(word));
    return [
      ...ill.map((step) => createFinding('names', path, 1, `${step} is not kebab-case`)),
      ...empty.map((word) =>
        createFinding('names', path, 1, `"${word}" says nothing: name the content`),
      ),
    ];
  });
}

/** Files that do not parse, and what Node cannot strip: enum, namespace, parameter properties. */
export function checkSyntax(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCode).flatMap((file) => {
    const { nodes, lineOf, error } = parseFile(file);
    if (error) return [createFinding('syntax', file.path, error.line, error.message)];
    return nodes.flatMap(({ node }) => {
      const what = unstrippable(node);
      return what
        ? [createFinding('syntax', file.path, lineOf(node.start), `${what} is not used`)]
        : [];
    });
  });
}

function unstrippable(node: Node): string | null {
  if (node.type === 'TSEnumDeclaration') return 'enum';
  if (node.type === 'TSParameterProperty') return 'a parameter property';
  if (node.type !== 'TSModuleDeclaration') return null;
  return (node.id as Node).type === 'Literal' || node.global === true ? null : 'namespace';
}
