import { limits, type Memory, routes } from '@mneme/contract';
import { memoryIds, readArguments, required, text, toInputSchema } from './arguments.ts';
import { memoryUri } from './memory-uri.ts';
import { type McpTool, readAnnotations, structuredResult, type ToolCall } from './tool.ts';

const resultsMax = 10;
const titleCharactersMax = 80;
/** As for recall: nothing that only fills the page. */
const threshold = limits.recallThresholdDefault;

const string = { type: 'string' } as const;
const described = { id: string, title: string, url: string };

const queryFields = { query: required(text()) };
const idFields = { id: memoryIds(1) };

/** The two tools that connectors of ChatGPT and deep research require, in exactly their shape. */
export const openAiTools: readonly McpTool[] = [
  {
    name: 'search',
    scope: 'search:read',
    description: 'Search the long-term memory. Returns ids and titles; fetch reads the text.',
    annotations: readAnnotations,
    inputSchema: toInputSchema(queryFields),
    outputSchema: {
      type: 'object',
      properties: {
        results: {
          type: 'array',
          items: { type: 'object', properties: described, required: Object.keys(described) },
        },
      },
      required: ['results'],
    },
    acceptsSpace: false,
    async run(call, sent) {
      const { query } = readArguments('search', queryFields, { query: 'tea' }, sent);
      const { results } = await call.callRoute(routes.search.post, {
        body: { q: query, limit: resultsMax, include: ['memories'], threshold },
      });
      const found = results.flatMap((one) => ('content' in one ? [describe(call, one)] : []));
      return asJson({ results: found });
    },
  },
  {
    name: 'fetch',
    scope: 'memories:read',
    description: 'Read a memory by the id that search returned.',
    annotations: readAnnotations,
    inputSchema: { type: 'object', properties: { id: string }, required: ['id'] },
    outputSchema: {
      type: 'object',
      properties: {
        ...described,
        text: string,
        metadata: { type: 'object', additionalProperties: string },
      },
      required: [...Object.keys(described), 'text'],
    },
    acceptsSpace: false,
    async run(call, sent) {
      const example = { id: '019b8d1c-0000-7000-8000-000000000001' };
      const { id: ids } = readArguments('fetch', idFields, example, sent);
      const memory = await call.callRoute(routes.memories.get, { params: { id: ids[0] ?? '' } });
      const { content, occurred_at, created_at, tags } = memory;
      const metadata = { date: occurred_at ?? created_at, tags: tags.join(', ') };
      return asJson({ ...describe(call, memory), text: content, metadata });
    },
  },
];

/** One text with JSON, and the same as structured content. */
const asJson = (value: Record<string, unknown>) => structuredResult(JSON.stringify(value), value);

function describe(
  { ctx }: ToolCall,
  { id, content }: Pick<Memory, 'id' | 'content'>,
): { id: string; title: string; url: string } {
  const [line = ''] = content.trim().split(/\r?\n/, 1);
  const characters = [...line];
  const title =
    characters.length <= titleCharactersMax
      ? line
      : `${characters.slice(0, titleCharactersMax).join('')}…`;
  const { publicUrl } = ctx.config;
  return { id, title, url: publicUrl === null ? memoryUri(id) : `${publicUrl}/v1/memories/${id}` };
}
