import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCodeFile, type Node, parseFile } from './source.ts';

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/;
const genericName = /^(?:utils?|helpers?|common|managers?)$/;
/** Metaphors of earlier versions, for which the field has standard terms. */
const metaphors = new Set(
  (
    'told asked sought door shelf bell crowd stranger mend heard looked room rooms pulse stretch ' +
    'stray strays lane dress buried patience fate feast feasts'
  ).split(' '),
);

/** File and folder names: kebab-case, and none that says nothing about what is inside. */
export function checkNames(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCodeFile).flatMap(({ path }) => {
    const steps = path.split('/');
    const ill = steps.filter((step) => !kebabCase.test(step));
    const words = steps.flatMap((step) => step.split(/[-.]/));
    const empty = words.filter((word) => genericName.test(word));
    const unclear = words.filter((word) => metaphors.has(word));
    return [
      ...ill.map((step) => createFinding('names', path, 1, `${step} is not kebab-case`)),
      ...empty.map((word) =>
        createFinding('names', path, 1, `"${word}" says nothing: name the content`),
      ),
      ...unclear.map((word) =>
        createFinding('names', path, 1, `"${word}" is a metaphor: use the standard term`),
      ),
    ];
  });
}

/** Words of exported names that are metaphors. */
export function checkExportedNames(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCodeFile).flatMap((file) => {
    const { nodes, lineOf } = parseFile(file);
    return nodes.flatMap(({ node }) => {
      if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return [];
      return declaredNames(node.declaration as Node).flatMap((name) =>
        wordsOf(name)
          .filter((word) => metaphors.has(word))
          .map((word) =>
            createFinding(
              'names',
              file.path,
              lineOf(node.start),
              `"${word}" in ${name} is a metaphor: use the standard term`,
            ),
          ),
      );
    });
  });
}

function declaredNames(declaration: Node): string[] {
  const nodes = (declaration.declarations as readonly Node[] | undefined) ?? [declaration];
  return nodes.flatMap(({ id }) => {
    const name = (id as Node | null)?.name;
    return typeof name === 'string' ? [name] : [];
  });
}

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[ _]/);

/** Files that do not parse, and what Node cannot strip: enum, namespace, parameter properties. */
export function checkSyntax(files: readonly SourceFile[]): Finding[] {
  return files.filter(isCodeFile).flatMap((file) => {
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
