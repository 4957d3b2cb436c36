import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCodeFile, isTestFile, type Node, type NodeWithParent, parseFile } from './source.ts';

export const sizeLimits = {
  fileLinesMax: 400,
  testFileLinesMax: 600,
  functionLinesMax: 70,
  columnsMax: 100,
};

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** The hard edges of files, functions and lines. */
export function checkSize(files: readonly SourceFile[]): Finding[] {
  return files
    .filter((file) => isCodeFile(file) && !isGenerated(file))
    .flatMap((file) => [...fileSize(file), ...lineSizes(file), ...functionSizes(file)]);
}

/** Nobody reads them from the top. */
const isGenerated = ({ path }: SourceFile): boolean => /\/generated\//.test(path);

function fileSize({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const max = isTestFile(path) ? sizeLimits.testFileLinesMax : sizeLimits.fileLinesMax;
  return lines > max
    ? [createFinding('size', path, max + 1, `${lines} lines in a file, at most ${max}`)]
    : [];
}

function lineSizes({ path, text }: SourceFile): Finding[] {
  const max = sizeLimits.columnsMax;
  return text.split('\n').flatMap((line, i) => {
    const columns = [...line].length;
    return columns > max
      ? [createFinding('size', path, i + 1, `${columns} columns, at most ${max}`)]
      : [];
  });
}

function functionSizes(file: SourceFile): Finding[] {
  const { nodes, lineOf } = parseFile(file);
  const max = sizeLimits.functionLinesMax;
  return nodes.flatMap((placed) => {
    const { node } = placed;
    if (!functions.includes(node.type) || isSuite(placed)) return [];
    const first = lineOf(node.start);
    const lines = lineOf(node.end) - first + 1;
    if (lines <= max) return [];
    return [
      createFinding('size', file.path, first, `${lines} lines in a function, at most ${max}`),
    ];
  });
}

/** The callback of `describe` groups tests; it is no function anybody reads as one. */
function isSuite({ parent }: NodeWithParent): boolean {
  if (parent?.node.type !== 'CallExpression') return false;
  let callee = parent.node.callee as Node;
  while (callee.type !== 'Identifier') {
    const inner = (callee.object ?? callee.callee) as Node | undefined;
    if (!inner) return false;
    callee = inner;
  }
  return callee.name === 'describe';
}
