import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { runCount } from '../../support/run-count.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { contentKinds } from '../recall/content-kinds.ts';
import { tokenCount } from '../recall/context-entries.ts';
import { type Connection, idsIn, postToolCall } from './mcp-clients.ts';

const tokensMin = 100;

describe.each(oneEngine)('The answer of recall over MCP on %s', (engine) => {
  let service: Service;
  let to: Connection;
  beforeAll(async () => {
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
    const { client, key } = await service.createAccount();
    to = { url: `${service.url}/mcp`, key };
    const memories = Object.entries(contentKinds).flatMap(([kind, contents]) =>
      contents.map((content, i) => ({
        content: `needle ${kind}${i}: ${content}`,
        tags: [kind],
        metadata: i % 2 === 0 ? { speaker: 'Ana 🦊'.repeat(200), role: 'user' } : {},
      })),
    );
    const { failed } = await client.memories.bulkCreate({ body: { memories } });
    expect(failed).toEqual([]);
  });
  afterAll(() => service.stop());

  const asked = fc.record({
    query: fc.constantFrom('needle', 'needle words', 'needle x code3', 'お茶 needle'),
    tags: fc.constantFrom([], ...Object.keys(contentKinds).map((kind) => [kind])),
    max_tokens: fc.oneof(
      fc.integer({ min: tokensMin, max: 200 }),
      fc.integer({ min: tokensMin, max: 4_000 }),
    ),
  });

  it('never exceeds max_tokens, is never empty, and says how many more there are', async () => {
    const seen = { more: 0, whole: 0 };
    await fc.assert(
      fc.asyncProperty(asked, async (args) => {
        const { text, isError } = await postToolCall(to, 'recall', args);
        expect(isError, text).toBe(false);
        expect(text.isWellFormed()).toBe(true);
        expect(tokenCount(text)).toBeLessThanOrEqual(args.max_tokens);
        const lines = text.trimEnd().split('\n');
        const last = lines.at(-1) ?? '';
        const more = /^\((\d+) more: raise max_tokens or narrow the query\)$/.exec(last);
        const entries = more === null ? lines : lines.slice(0, -1);
        expect(entries.length).toBeGreaterThanOrEqual(1);
        for (const line of entries) {
          expect(line).toMatch(/^\[[0-9a-f-]{36}\] \d{4}-\d\d-\d\d [^\r\n]*needle/);
        }
        expect(new Set(idsIn(text)).size).toBe(entries.length);
        if (more === null) seen.whole += 1;
        else seen.more += 1;
      }),
      { numRuns: runCount(150, 3_000) },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('shortens a first memory that alone is longer than the budget', async () => {
    const args = { query: 'needle words', tags: ['words'], max_tokens: tokensMin };
    const { text } = await postToolCall(to, 'recall', args);
    expect(text).toMatch(/^\[.{36}\] .*needle words\d: .*…\n\(\d+ more: /);
  });
});
