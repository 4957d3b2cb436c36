import type { AgentInputItem } from '@openai/agents-core';
import type { Memory } from '../../generated/types.ts';

/** What remains of the 16 KiB of metadata beside other fields. */
const metadataItemBytesMax = 12_000;
const bytesName = '$mneme:bytes';

interface StoredItem {
  readonly content: string;
  readonly metadata: Record<string, unknown>;
}

/**
 * An item as content and metadata of a memory. The content of a message is its text, so that
 * searches find it; the item itself is in the metadata. Other items, and those of more than 12 kB,
 * are the content.
 */
export function toStoredItem(item: AgentInputItem): StoredItem {
  const json = JSON.stringify(encodeBytes(item));
  const text = textOf(item).replaceAll('\u0000', '').toWellFormed();
  const role = 'role' in item ? { role: item.role } : {};
  const fits = new TextEncoder().encode(json).length <= metadataItemBytesMax;
  if (text.trim() === '' || !fits) {
    return { content: json, metadata: { ...role, agent_item: 'content' } };
  }
  return { content: text, metadata: { ...role, agent_item: 'metadata', item: json } };
}

/** The item of a memory; null for a memory of another program in the same session. */
export function fromStoredItem({ content, metadata }: Memory): AgentInputItem | null {
  if (metadata.agent_item === 'content') return parse(content);
  return metadata.agent_item === 'metadata' ? parse(String(metadata.item)) : null;
}

const parse = (json: string): AgentInputItem => decodeBytes(JSON.parse(json)) as AgentInputItem;

function textOf(item: AgentInputItem): string {
  if (!('content' in item) || !('role' in item)) return '';
  if (typeof item.content === 'string') return item.content;
  return item.content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}

/** Bytes of files and images are no JSON. */
function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) {
    return { [bytesName]: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) };
  }
  return mapValues(value, encodeBytes);
}

function decodeBytes(value: unknown): unknown {
  const encoded = typeof value === 'object' && value !== null && bytesName in value;
  if (!encoded) return mapValues(value, decodeBytes);
  return Uint8Array.from(atob(String(value[bytesName])), (byte) => byte.charCodeAt(0));
}

function mapValues(value: unknown, map: (each: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, map(each)]));
}
