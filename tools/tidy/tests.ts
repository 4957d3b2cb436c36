import { type Finding, finding, type SourceFile } from './finding.ts';
import { isCalled, member, type Node, type Placed, parsed } from './source.ts';

const left = ['skip', 'only', 'todo'];

/** A test runs, waits for what it waits for, and meets our own code as it is. */
export function checkTests(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .flatMap((file) => {
      const { nodes, imports, lineOf } = parsed(file);
      const faults = nodes.flatMap((placed) => {
        const what = leftOut(placed) ?? sleeps(placed) ?? mocks(placed);
        return what ? [finding('tests', file.path, lineOf(placed.node.start), what)] : [];
      });
      const timers = imports
        .filter(({ specifier }) => /^(?:node:)?timers\/promises$/.test(specifier))
        .map(({ line }) => finding('tests', file.path, line, 'a timer to sleep with'));
      return [...faults, ...timers];
    });
}

function leftOut(placed: Placed): string | null {
  const read = member(placed);
  if (!read || !left.includes(read.property)) return null;
  const ofSuite = ['it', 'test', 'describe', 'suite'].includes(read.object ?? '');
  return ofSuite || isCalled(placed) ? `.${read.property} leaves tests out` : null;
}

function sleeps(placed: Placed): string | null {
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

function mocks(placed: Placed): string | null {
  const read = member(placed);
  if (read?.object !== 'vi' || !['mock', 'doMock'].includes(read.property)) return null;
  return 'mocks a module: pass another one in instead';
}
