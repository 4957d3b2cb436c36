import { z } from 'zod';
import { canonicalNameOf } from './aliases.ts';

/** Where a value can have aliases: by name, in the values of fields, and in items. */
interface AliasNode {
  readonly names: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, AliasNode>;
  readonly items: AliasNode | null;
}

const nodes = new WeakMap<z.core.$ZodType, { readonly node: AliasNode | null }>();

/** The aliases that an unvalidated value uses, each once. */
export function findAliases(schema: z.core.$ZodType | undefined, sent: unknown): string[] {
  if (schema === undefined) return [];
  const found = new Set<string>();
  collect(nodeOf(schema), sent, found);
  return [...found];
}

function collect(node: AliasNode | null, sent: unknown, found: Set<string>): void {
  if (node === null || typeof sent !== 'object' || sent === null) return;
  if (Array.isArray(sent)) {
    for (const item of sent) collect(node.items, item, found);
    return;
  }
  for (const name of node.names) {
    if (Object.hasOwn(sent, name)) found.add(name);
  }
  for (const [name, field] of node.fields) {
    if (Object.hasOwn(sent, name)) collect(field, (sent as Record<string, unknown>)[name], found);
  }
}

function nodeOf(schema: z.core.$ZodType): AliasNode | null {
  const known = nodes.get(schema);
  if (known) return known.node;
  const node = createNode(schema);
  nodes.set(schema, { node });
  return node;
}

const emptyNode: AliasNode = { names: new Set(), fields: new Map(), items: null };

function createNode(schema: z.core.$ZodType): AliasNode | null {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  // The validated form of an item, or of what a handler validates.
  const { documentedAs } = z.globalRegistry.get(schema as z.ZodType) ?? {};
  if (documentedAs) return nodeOf(documentedAs as z.ZodType);
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return nodeOf(def.innerType);
    case 'array': {
      const items = nodeOf(def.element);
      return items && { ...emptyNode, items };
    }
    case 'object':
      return createObjectNode(def.shape);
    default:
      return null;
  }
}

function createObjectNode(shape: Readonly<Record<string, z.core.$ZodType>>): AliasNode | null {
  const names = new Set<string>();
  const fields = new Map<string, AliasNode>();
  for (const [name, field] of Object.entries(shape)) {
    if (canonicalNameOf(field) !== undefined) names.add(name);
    const node = nodeOf(field);
    if (node) fields.set(name, node);
  }
  return names.size + fields.size > 0 ? { names, fields, items: null } : null;
}
