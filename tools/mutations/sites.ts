import type { SourceFile } from '../tidy/finding.ts';
import { type Node, type NodeWithParent, parseFile } from '../tidy/source.ts';
import { callMutations } from './calls.ts';
import { operatorMutations } from './expressions.ts';
import type { MutationSite } from './mutation.ts';
import { areaOfPath } from './sources.ts';

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
/** Syntax of TypeScript that holds an expression; all other is types. */
const aroundExpressions = /^TS(?:As|Satisfies|NonNull|Instantiation)Expression$/;
const logCall = /(?:^|[.#])log(?:ger)?\??\.(?:trace|debug|info|warn|error|fatal|child)(?:\?\.)?$/i;
const errorName = /(?:Error|Failed|Missing|Busy|Stopped|Fault)$/;

/**
 * Every place of a file where a change of the code should fail a test. Code that runs once, when
 * the module is loaded, has none: which test reaches it cannot be recorded.
 */
export function findMutationSites(file: SourceFile): MutationSite[] {
  const { nodes, lineOf } = parseFile(file);
  const { path, text } = file;
  const area = areaOfPath(path);
  const counts = new Map<string, number>();
  return nodes.flatMap((placed) => {
    const changes = [...operatorMutations(placed, text), ...callMutations(placed, text)];
    if (changes.length === 0) return [];
    const around = outermostFunction(placed);
    if (!around || isExcluded(placed, text)) return [];
    return changes.map((change) => {
      const key = `${change.kind} ${change.description}`;
      const occurrence = counts.get(key) ?? 0;
      counts.set(key, occurrence + 1);
      const line = lineOf(change.start);
      return { ...change, path, line, area, functionStart: around.start, occurrence };
    });
  });
}

function outermostFunction(placed: NodeWithParent): Node | null {
  let found: Node | null = null;
  for (let at = placed.parent; at; at = at.parent) {
    if (functions.includes(at.node.type)) found = at.node;
  }
  return found;
}

/** Types, log calls, decorators, and what only puts the text of an error together. */
function isExcluded(placed: NodeWithParent, text: string): boolean {
  let isText = false;
  for (let at: NodeWithParent | null = placed; at; at = at.parent) {
    const { node } = at;
    if (node.type.startsWith('TS') && !aroundExpressions.test(node.type)) return true;
    if (node.type === 'Decorator' || isLogCall(node, text)) return true;
    if (node.type === 'Property' && (node.key as Node).name === 'message') return true;
    if (node.type === 'TemplateLiteral') isText = true;
    const isError = node.type === 'NewExpression' && errorName.test(calleeText(node, text));
    if (isText && (isError || node.type === 'ThrowStatement')) return true;
    if (functions.includes(node.type)) isText = false;
  }
  return false;
}

const calleeText = (node: Node, text: string): string => {
  const { start, end } = node.callee as Node;
  return text.slice(start, end);
};

/** Also the statement that consists of it. */
function isLogCall(node: Node, text: string): boolean {
  if (node.type === 'ExpressionStatement') return isLogCall(node.expression as Node, text);
  if (node.type === 'ChainExpression') return isLogCall(node.expression as Node, text);
  return node.type === 'CallExpression' && logCall.test(calleeText(node, text));
}
