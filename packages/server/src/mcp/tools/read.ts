import { type Memory, routes } from '@mneme/contract';
import { hasScope } from '../../domains/accounts/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { memoryIds, readArguments, toInputSchema } from '../arguments.ts';
import { memoryUri } from '../memory-uri.ts';
import { type McpTool, readAnnotations, type ToolCall } from '../tool.ts';
import { describeError } from '../tool-error.ts';

const idsMax = 20;
/** Of one answer, about 15,000 tokens: clients cut or reject longer ones. */
const charactersMax = 60_000;

const fields = { ids: memoryIds(idsMax) };

export const read: McpTool = {
  name: 'read',
  scope: 'memories:read',
  description: 'Read memories completely, with tags, times and links to other memories.',
  annotations: readAnnotations,
  inputSchema: toInputSchema(fields),
  acceptsSpace: false,
  async run(call, sent) {
    const example = { ids: ['019b8d1c-0000-7000-8000-000000000001'] };
    const { ids } = readArguments('read', fields, example, sent);
    const share = Math.floor(charactersMax / ids.length);
    const results: Awaited<ReturnType<typeof describeMemory>>[] = [];
    for (const id of ids) results.push(await describeMemory(call, id, share));
    const text = results.map((one) => one.text).join('\n\n');
    return {
      content: [{ type: 'text', text }],
      ...(results.every(({ hasFailed }) => hasFailed) ? { isError: true } : {}),
    };
  },
};

async function describeMemory(
  call: ToolCall,
  id: string,
  share: number,
): Promise<{ text: string; hasFailed: boolean }> {
  try {
    const memory = await call.callRoute(routes.memories.get, { params: { id } });
    const links = await describeLinks(call, id);
    const heading = `[${id}] ${factsOf(memory).join(' · ')}`;
    const text = [heading, shorten(memory, share), ...links].join('\n');
    return { text, hasFailed: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    return { text: `[${id}] ${describeError(error)}`, hasFailed: true };
  }
}

function shorten({ id, content }: Memory, share: number): string {
  if (content.length <= share) return content;
  const cut = content.slice(0, share).replace(/[\uD800-\uDBFF]$/, '');
  return `${cut}… (${share} of ${content.length} characters; all of them: ${memoryUri(id)})`;
}

const factsOf = (memory: Memory): string[] => [
  memory.occurred_at ?? memory.created_at,
  ...(memory.tags.length > 0 ? [`tags: ${memory.tags.join(', ')}`] : []),
  ...(memory.outdated_by === null ? [] : [`outdated by [${memory.outdated_by}]`]),
  ...(memory.protection_level === 'none' ? [] : ['protected']),
  ...(memory.is_deleted ? ['forgotten'] : []),
];

/** One line of what leads to other memories; none for a key that may not read relationships. */
async function describeLinks({ ctx, callRoute }: ToolCall, memoryId: string): Promise<string[]> {
  if (!hasScope(ctx.actor.scopes, 'relationships:read')) return [];
  const { outgoing = [], incoming = [] } = await callRoute(routes.relationships.list, {
    params: { memoryId },
  });
  const links = [
    ...outgoing.map(({ relationship_type: type, target_id: id }) => `${type} [${id}]`),
    ...incoming.map(({ relationship_type: type, source_id: id }) => `[${id}] ${type} this`),
  ];
  return links.length === 0 ? [] : [`links: ${links.slice(0, linksMax).join(', ')}`];
}

const linksMax = 50;
