import type { Node, NodeWithParent } from '../tidy/source.ts';
import { activePlaceholder, type Mutation, type MutationKind } from './mutation.ts';

const boundaries: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const equalities: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' };
const sums: Readonly<Record<string, string>> = { '+': '-', '-': '+' };
const logicals: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** Larger numbers are units and capacities: one more or less is no difference of behaviour. */
const numberMax = 100;
/** Options whose change has no effect that a caller can see. */
const options = new Set(['once', 'passive', 'force']);
/** Settings of time, where one more or less is no difference of behaviour either. */
const durations = /(?:Ms|Seconds|Minutes)$/;

const collapseWhitespace = (text: string): string => text.replace(/\s+/g, ' ');

export const createMutation = (
  kind: MutationKind,
  { start, end }: Pick<Node, 'start' | 'end'>,
  [before, after]: readonly [string, string],
  woven = `(${activePlaceholder} ? (${after}) : (${before}))`,
): Mutation => ({
  kind,
  start,
  end,
  replacement: woven,
  description: `${collapseWhitespace(before)} → ${collapseWhitespace(after)}`,
});

/** Changes of operators and conditions at a node. */
export function operatorMutations(placed: NodeWithParent, text: string): Mutation[] {
  const { node } = placed;
  if (node.type === 'BinaryExpression') return binaryChanges(placed, text);
  if (node.type === 'LogicalExpression') return logicalChanges(node, text);
  if (node.type === 'IfStatement' || node.type === 'ConditionalExpression') {
    return conditionChanges(node, text);
  }
  if (node.type === 'Literal') return literalChanges(placed, text);
  return [];
}

function binaryChanges({ node, parent }: NodeWithParent, text: string): Mutation[] {
  const operator = node.operator as string;
  const [left, right] = [node.left as Node, node.right as Node];
  const boundary = boundaries[operator];
  if (boundary && !isExtremum(node, parent?.node, text)) {
    return [operatorChange('boundary', node, boundary, text)];
  }
  const equality = equalities[operator];
  if (equality) return [operatorChange('equality', node, equality, text)];
  const sum = sums[operator];
  if (sum && (isNumber(left) || isNumber(right))) {
    return [operatorChange('arithmetic', node, sum, text)];
  }
  return [];
}

function logicalChanges(node: Node, text: string): Mutation[] {
  const other = logicals[node.operator as string];
  if (other) return [operatorChange('logical', node, other, text)];
  if (isForTypes(node)) return [];
  return [createMutation('nullish', node, [slice(node, text), slice(node.left as Node, text)])];
}

function conditionChanges(node: Node, text: string): Mutation[] {
  const test = node.test as Node;
  if (test.type === 'Literal') return [];
  const before = slice(test, text);
  const negated = createMutation('condition', test, [before, `!(${before})`]);
  if (node.type !== 'IfStatement') return [negated];
  return [negated, createMutation('condition', test, [before, 'false'])];
}

function literalChanges({ node, parent }: NodeWithParent, text: string): Mutation[] {
  const owner = parent?.node;
  const isName = owner?.key === node && !owner.computed;
  if (!owner || isName || isForTypes(owner)) return [];
  const before = slice(node, text);
  if (typeof node.value === 'boolean') {
    const name = (owner.key as Node | undefined)?.name;
    if (options.has(String(name))) return [];
    return [createMutation('boolean', node, [before, String(!node.value)])];
  }
  if (typeof node.value !== 'number' || node.value > numberMax) return [];
  const holder = owner.type === 'ArrayExpression' ? parent?.parent?.node : owner;
  if (durations.test(String((holder?.key as Node | undefined)?.name))) return [];
  return [createMutation('number', node, [before, String(node.value + 1)])];
}

/** `list[i] ?? 0` is written for the type checker: the index is within the list. */
function isForTypes({ operator, left, right }: Node): boolean {
  if (operator !== '??') return false;
  const { type, computed } = left as Node;
  return type === 'MemberExpression' && computed === true && (right as Node).type === 'Literal';
}

const slice = ({ start, end }: Node, text: string): string => text.slice(start, end);

const isNumber = ({ type, value }: Node): boolean =>
  type === 'Literal' && typeof value === 'number';

function operatorChange(kind: MutationKind, node: Node, operator: string, text: string): Mutation {
  const [left, right] = [slice(node.left as Node, text), slice(node.right as Node, text)];
  const before = slice(node, text);
  const woven = `(${activePlaceholder} ? ((${left}) ${operator} (${right})) : (${before}))`;
  return createMutation(kind, node, [before, `${left} ${operator} ${right}`], woven);
}

/** `a > b ? a : b` and `if (a > b) b = a` give the same for equal values. */
function isExtremum(node: Node, owner: Node | undefined, text: string): boolean {
  if (owner?.test !== node) return false;
  const sides = [node.left as Node, node.right as Node].map((side) => slice(side, text));
  if (owner.type === 'ConditionalExpression') {
    const branches = [owner.consequent as Node, owner.alternate as Node];
    return branches.every((branch) => sides.includes(slice(branch, text)));
  }
  const statement = owner.consequent as Node | undefined;
  const assigned = statement?.expression as Node | undefined;
  if (assigned?.type !== 'AssignmentExpression') return false;
  return [assigned.left as Node, assigned.right as Node].every((side) =>
    sides.includes(slice(side, text)),
  );
}
