import { isObject, type Json, toArray, toDate, toObject } from '../json-value.ts';

/** The way from the first message of a conversation to its current one. */
export interface Branch {
  /** Nodes with messages, the oldest first. */
  readonly nodes: readonly { readonly id: string; readonly message: Json }[];
  /** The tree has a cycle, or a parent that is missing. */
  readonly isBroken: boolean;
  /** Messages on other branches: edited prompts and repeated answers. */
  readonly others: number;
}

const nodeOf = (mapping: Json, id: unknown): Json | null => {
  if (typeof id !== 'string' || !Object.hasOwn(mapping, id)) return null;
  const node = mapping[id];
  return isObject(node) ? node : null;
};

const messageOf = (node: Json): Json | null => (isObject(node.message) ? node.message : null);

/**
 * Follows the parents of the current node, or, if there is none, of the newest message that has no
 * child. Any mapping has a branch: a node is visited once.
 */
export function findBranch(mapping: Json, currentNode: unknown): Branch {
  const nodes: { id: string; message: Json }[] = [];
  const visited = new Set<string>();
  let id: unknown = nodeOf(mapping, currentNode) ? currentNode : findNewestLeaf(mapping);
  let isBroken = false;
  for (let node = nodeOf(mapping, id); node !== null; node = nodeOf(mapping, id)) {
    const nodeId = String(id);
    visited.add(nodeId);
    const message = messageOf(node);
    if (message !== null) nodes.push({ id: nodeId, message });
    id = node.parent;
    const isMissing = typeof id === 'string' && nodeOf(mapping, id) === null;
    if (isMissing || (typeof id === 'string' && visited.has(id))) {
      isBroken = true;
      break;
    }
  }
  const others = Object.entries(mapping).filter(
    ([key, node]) => !visited.has(key) && messageOf(toObject(node)) !== null,
  );
  return { nodes: nodes.reverse(), isBroken, others: others.length };
}

function findNewestLeaf(mapping: Json): string | null {
  let [newest, newestMs]: [string | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const [id, node] of Object.entries(mapping)) {
    const { children, message } = toObject(node);
    if (!isObject(message)) continue;
    if (toArray(children).some((child) => nodeOf(mapping, child) !== null)) continue;
    const ms = toDate(message.create_time)?.getTime() ?? Number.NEGATIVE_INFINITY;
    if (newest === null || ms >= newestMs) [newest, newestMs] = [id, ms];
  }
  return newest ?? Object.keys(mapping).at(-1) ?? null;
}
