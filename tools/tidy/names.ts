import { type Finding, finding, type SourceFile } from './finding.ts';
import { isCode, type Node, parsed } from './source.ts';

const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/;
const saysNothing = /^(?:utils?|helpers?|common|managers?)$/;

/** File and folder names: kebab-case, and none that says nothing about what is inside. */
export function checkNames(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCode).flatMap(({ path }) => {
    const steps = path.split('/');
    const ill = steps.filter((step) => !kebab.test(step));
    const words = steps.flatMap((step) => step.split(/[-.]/));
    const empty = words.filter((word) => saysNothing.test(word));
    return [
      ...ill.map((step) => finding('names', path, 1, `${step} is not kebab-case`)),
      ...empty.map((word) => finding('names', path, 1, `"${word}" says nothing: name the content`)),
    ];
  });
}

/** Files that do not parse, and what Node cannot strip: enum, namespace, parameter properties. */
export function checkSyntax(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCode).flatMap((file) => {
    const { nodes, lineOf, error } = parsed(file);
    if (error) return [finding('syntax', file.path, error.line, error.message)];
    return nodes.flatMap(({ node }) => {
      const what = unstrippable(node);
      return what ? [finding('syntax', file.path, lineOf(node.start), `${what} is not used`)] : [];
    });
  });
}

function unstrippable(node: Node): string | null {
  if (node.type === 'TSEnumDeclaration') return 'enum';
  if (node.type === 'TSParameterProperty') return 'a parameter property';
  if (node.type !== 'TSModuleDeclaration') return null;
  return (node.id as Node).type === 'Literal' || node.global === true ? null : 'namespace';
}
