import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { isCalled, memberAccess, type Node, type NodeWithParent, parseFile } from './source.ts';

const skippedModifiers = ['skip', 'only', 'todo'];

/** A test runs, waits for what it waits for, and meets our own code as it is. */
export function checkTests(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .flatMap((file) => {
      const { nodes, imports, lineOf } = parseFile(file);
      const faults = nodes.flatMap((placed) => {
        const what = skippedTest(placed) ?? sleepCall(placed) ?? mockCall(placed);
        return what ? [createFinding('tests', file.path, lineOf(placed.node.start), what)] : [];
      });
      const timers = imports
        .filter(({ specifier }) => /^(?:node:)?timers\/promises$/.test(specifier))
        .map(({ line }) => createFinding('tests', file.path, line, 'a timer to sleep with'));
      return [...faults, ...timers];
    });
}

function skippedTest(placed: NodeWithParent): string | null {
  const read = memberAccess(placed);
  if (!read || !skippedModifiers.includes(read.property)) return null;
  const ofSuite = ['it', 'test', 'describe', 'suite'].includes(read.object ?? '');
  return ofSuite || isCalled(placed) ? `.${read.property} leaves tests out` : null;
}

function sleepCall(placed: NodeWithParent): string | null {
  const { node } = placed;
  if (node.type !== 'CallExpression') return null;
  const callee = node.callee as Node;
  if (callee.type !== 'Identifier') return null;
  if (callee.name === 'sleep') return 'sleeps: inject the clock, or wait for the event itself';
  if (callee.name !== 'setTimeout') return null;
  for (let at = placed.parent; at; at = at.parent) {
    const made = at.node.type === 'NewExpression' ? (at.node.callee as Node).name : null;
    if (made === 'Promise') return 'sleeps: inject the clock, or wait for the event itself';
  }
  return null;
}

function mockCall(placed: NodeWithParent): string | null {
  const read = memberAccess(placed);
  if (read?.object !== 'vi' || !['mock', 'doMock'].includes(read.property)) return null;
  return 'mocks a module: pass another one in instead';
}
