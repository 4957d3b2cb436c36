import type { Node, NodeWithParent } from '../tidy/source.ts';
import { createMutation } from './expressions.ts';
import { activePlaceholder, type Mutation } from './mutation.ts';

const quantifiers = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);
const directions = new Map([
  ['asc', 'desc'],
  ['desc', 'asc'],
]);
const descending = '(a, b) => (a < b ? 1 : a > b ? -1 : 0)';
/** Calls without an effect that a caller can see. */
const hints = /(?:^super|\.unref|\.setMaxListeners|\.emitWarning)$/;

/** Changes of calls and of optional access at a node. */
export function callMutations(placed: NodeWithParent, text: string): Mutation[] {
  const { node } = placed;
  if (node.type === 'ExpressionStatement') return statementChanges(node, text);
  if (node.type === 'ChainExpression') return chainChanges(placed, text);
  if (node.type !== 'CallExpression') return [];
  const callee = node.callee as Node;
  const name = (callee.property as Node | undefined)?.name;
  if (callee.type !== 'MemberExpression' || callee.computed || typeof name !== 'string') return [];
  return [
    ...filterChanges(placed, name, text),
    ...quantifierChanges(callee, name, text),
    ...orderChanges(node, name, text),
  ];
}

/** A statement that is one call, awaited or not, is left out. */
function statementChanges(node: Node, text: string): Mutation[] {
  let call = node.expression as Node;
  if (call.type === 'UnaryExpression' && call.operator === 'void') call = call.argument as Node;
  if (call.type === 'AwaitExpression') call = call.argument as Node;
  if (call.type === 'ChainExpression') call = call.expression as Node;
  if (call.type !== 'CallExpression') return [];
  const { start, end } = call.callee as Node;
  if (hints.test(text.slice(start, end))) return [];
  const before = text.slice(node.start, node.end);
  return [
    createMutation('call', node, [before, '(none)'], `{ if (!${activePlaceholder}) ${before} }`),
  ];
}

/** `a?.b` becomes `a.b`, for each `?.` of a chain. */
function chainChanges({ node, parent }: NodeWithParent, text: string): Mutation[] {
  if (parent?.node.operator === 'delete') return [];
  const before = text.slice(node.start, node.end);
  const links: Node[] = [];
  let link = node.expression as Node | undefined;
  while (link) {
    if (link.optional) links.push(link);
    link = (link.object ?? link.callee ?? link.expression) as Node | undefined;
  }
  return links.flatMap((each) => {
    const from = ((each.object ?? each.callee) as Node).end;
    const at = text.indexOf('?.', from);
    const isProperty = each.type === 'MemberExpression' && !each.computed;
    const rest = text.slice(isProperty ? at + 1 : at + 2, node.end);
    return [createMutation('optional', node, [before, text.slice(node.start, at) + rest])];
  });
}

function filterChanges(placed: NodeWithParent, name: string, text: string): Mutation[] {
  const { node } = placed;
  if (name !== 'filter' || isInChain(placed)) return [];
  const { start, end } = (node.callee as Node).object as Node;
  return [
    createMutation('filter', node, [text.slice(node.start, node.end), text.slice(start, end)]),
  ];
}

function quantifierChanges(callee: Node, name: string, text: string): Mutation[] {
  const other = quantifiers.get(name);
  if (!other || callee.optional) return [];
  const property = callee.property as Node;
  const range = { start: text.lastIndexOf('.', property.start), end: property.end };
  const object = text.slice(callee.start, range.start);
  const texts = [`${object}.${name}`, `${object}.${other}`] as const;
  return [
    createMutation('quantifier', range, texts, `[${activePlaceholder} ? '${other}' : '${name}']`),
  ];
}

function orderChanges(node: Node, name: string, text: string): Mutation[] {
  const [first, second] = node.arguments as Node[];
  const atEnd = { start: node.end - 1, end: node.end - 1 };
  const whole = text.slice(node.start, node.end);
  if (name === 'sort' || name === 'toSorted') {
    if (!first) {
      const instrumented = `${activePlaceholder} ? ${descending} : undefined`;
      return [createMutation('order', atEnd, [whole, 'the other way round'], instrumented)];
    }
    const compare = text.slice(first.start, first.end);
    const turned = `((compare) => (a, b) => compare(b, a))(${compare})`;
    const instrumented = `(${activePlaceholder} ? ${turned} : (${compare}))`;
    return [createMutation('order', first, [whole, 'the other way round'], instrumented)];
  }
  if (name !== 'orderBy' || !first) return [];
  if (!second) {
    const instrumented = `, ${activePlaceholder} ? 'desc' : 'asc'`;
    return [
      createMutation(
        'order',
        { start: first.end, end: first.end },
        [whole, 'descending'],
        instrumented,
      ),
    ];
  }
  const direction = String(second.value);
  const other = directions.get(direction);
  if (!other) return [];
  const instrumented = `(${activePlaceholder} ? '${other}' : '${direction}')`;
  return [createMutation('order', second, [whole, other], instrumented)];
}

/** What stands in an optional chain cannot be put into brackets: the rest would not be skipped. */
function isInChain({ node, parent }: NodeWithParent): boolean {
  const owner = parent?.node;
  if (!parent || !owner) return false;
  if (owner.type === 'ChainExpression') return true;
  const goesOn =
    owner.object === node || owner.callee === node || owner.type === 'TSNonNullExpression';
  return goesOn && isInChain(parent);
}
