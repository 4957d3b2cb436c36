import { ApiClient, type ApiRequest } from '../api-client.ts';
import { bulkCreateRequests } from '../memory-requests.ts';
import type { BenchmarkOptions, Print } from '../options.ts';
import type { ProfileWindow } from '../profile-windows.ts';
import { createInstallation } from '../servers.ts';
import { quantile } from '../statistics.ts';
import { createTextGenerator, readVocabulary } from '../text-generator.ts';
import { renderVerdict } from '../verdict.ts';

interface WorkloadSize {
  readonly memories: number;
  readonly calls: number;
}

const fullWorkload: WorkloadSize = { memories: 5_000, calls: 500 };
const quickWorkload: WorkloadSize = { memories: 200, calls: 20 };
const warmUpCalls = 20;
/** What MCP may add to the median of the same recall over REST. */
const addedMsMax = 3;

const maxTokens = 1_500;
const protocol = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': protocol,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const overRest = (query: string): ApiRequest => ({
  method: 'POST',
  path: '/recall',
  body: { query, max_tokens: maxTokens, format: 'lines' },
});

const overMcp = (query: string): ApiRequest => ({
  method: 'POST',
  prefix: '',
  path: '/mcp',
  headers: {
    'mcp-protocol-version': protocol,
    'mcp-method': 'tools/call',
    'mcp-name': 'recall',
  },
  body: toolCall(query, { _meta: meta }),
});

const overMcp2025 = (query: string): ApiRequest => ({
  method: 'POST',
  prefix: '',
  path: '/mcp',
  headers: { 'mcp-protocol-version': '2025-11-25' },
  body: toolCall(query, {}),
});

const toolCall = (query: string, more: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'recall', arguments: { query, max_tokens: maxTokens }, ...more },
});

const ways = [
  ['REST', overRest],
  ['MCP 2026-07-28', overMcp],
  ['MCP 2025-11-25', overMcp2025],
] as const;

/**
 * What a recall takes through MCP and over REST: one connection, one call after the other, in
 * turns, each with a query of its own, because the index keeps the last ones.
 */
export async function runMcp(options: BenchmarkOptions, say: Print): Promise<ProfileWindow[]> {
  const { memories, calls } = options.quick ? quickWorkload : fullWorkload;
  say(`\nMCP: ${calls} recalls each way, ${memories} memories`);
  const texts = createTextGenerator(await readVocabulary(), 1);
  const { databaseUrl, profileDir } = options;
  await using installation = await createInstallation('embedded', { databaseUrl, profileDir });
  const server = await installation.start();
  try {
    using client = new ApiClient(server, 1);
    const contents = Array.from({ length: memories }, () => texts.memory());
    await client.run(bulkCreateRequests(contents));
    await server.waitUntilIdle();
    const latenciesMs = ways.map((): number[] => []);
    for (let i = 0; i < warmUpCalls + calls; i += 1) {
      for (const [at, [name, toRequest]] of ways.entries()) {
        const content = contents[texts.integerBelow(memories)] ?? '';
        const result = await client.run([toRequest(texts.query(content))]);
        requireAnswer(name, result.responses[0]);
        if (i >= warmUpCalls) latenciesMs[at]?.push(...result.latenciesMs);
      }
    }
    report(latenciesMs, say);
  } finally {
    await server.stop();
  }
  return [];
}

/** Throws for an error of the tool, which has the status 200. */
function requireAnswer(name: string, response: unknown): void {
  const { context, result } = response as { context?: string; result?: { isError?: boolean } };
  const isAnswer = context !== undefined || (result !== undefined && result.isError !== true);
  if (!isAnswer) throw new Error(`${name}: ${JSON.stringify(response).slice(0, 500)}`);
}

function report(latenciesMs: readonly (readonly number[])[], say: Print): void {
  const medians = latenciesMs.map((values) => quantile(values, 0.5));
  const rows = ways.map(([name], at) => {
    const values = latenciesMs[at] ?? [];
    const added = (medians[at] ?? 0) - (medians[0] ?? 0);
    const cells = [medians[at] ?? 0, quantile(values, 0.95), added].map((ms) => ms.toFixed(2));
    return `| ${name} | ${cells.join(' | ')} |`;
  });
  say(
    ['', '| recall | p50, ms | p95, ms | above REST |', '| --- | --- | --- | --- |', ...rows].join(
      '\n',
    ),
  );
  const worst = Math.max(...medians.slice(1)) - (medians[0] ?? 0);
  const description = `MCP ≤ ${addedMsMax} ms above REST: ${worst.toFixed(2)} ms`;
  say(`\n${renderVerdict(worst <= addedMsMax, description)}`);
}
