import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { createMemory } from '../memories/memory-requests.ts';
import { hanText as han, contentKinds as kinds } from './content-kinds.ts';
import { parseEntries, tokenCount } from './context-entries.ts';

const longRun = /[\p{L}\p{M}]{512}|(?:[^\s\p{L}\p{N}]|[\r\n]){512}|\s{512}/u;

describe.each(engines)('The context of a recall on %s', (engine) => {
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    // Standing timers: no access is recorded, and no order moves, between two answers.
    service = await startService(engine, { overrides: { clock: createFakeClock() } });
    ({ client } = await service.createAccount());
    const memories = Object.entries(kinds).flatMap(([kind, contents]) =>
      contents.map((content, i) => ({ content: `needle ${kind}${i}: ${content}`, tags: [kind] })),
    );
    const { failed } = await client.memories.bulkCreate({ body: { memories } });
    expect(failed).toEqual([]);
  });
  afterAll(() => service.stop());

  const asked = fc.record({
    query: fc.constantFrom('needle', 'needle words', 'needle x code3', 'お茶 needle'),
    tags: fc.constantFrom([], ...Object.keys(kinds).map((kind) => [kind])),
    max_tokens: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 3_000 })),
    max_memories: fc.integer({ min: 1, max: 40 }),
  });

  it('is never over the budget: the best memories in their order, cut at the end', async () => {
    const met = { cut: 0, whole: 0, empty: 0, exact: 0 };
    await fc.assert(
      fc.asyncProperty(asked, async (body) => {
        const answer = await client.search.recall({ body });
        const { context, memories, token_count, truncated } = answer;
        expect(context.isWellFormed()).toBe(true);
        const tokens = tokenCount(context);
        expect(tokens).toBeLessThanOrEqual(body.max_tokens);
        expect(token_count).toBeLessThanOrEqual(body.max_tokens);
        const parts = memories.filter(({ content }) => longRun.test(content)).length;
        if (parts === 0) expect(token_count).toBe(tokens);
        expect(token_count).toBeGreaterThanOrEqual(tokens);
        expect(token_count).toBeLessThanOrEqual(tokens + parts + context.length / 128);
        const { query: q, tags } = body;
        const { results } = await client.search.post({ body: { q, tags, limit: 100 } });
        const best = results.slice(0, body.max_memories);
        const ids = memories.map(({ id }) => id);
        expect(ids).toEqual(best.slice(0, ids.length).map(({ id }) => id));
        const entries = parseEntries(context, ids);
        const isWhole = entries.map(({ text }, i) => text === memories[i]?.content.trimEnd());
        expect(truncated).toBe(ids.length < best.length || isWhole.includes(false));
        expect(isWhole.slice(0, -1)).not.toContain(false);
        const [last, cut] = [memories.at(-1)?.content ?? '', entries.at(-1)?.text ?? ''];
        if (isWhole.at(-1) === false) {
          expect(cut).toMatch(/…$/);
          expect(last.startsWith(cut.slice(0, -1))).toBe(true);
          met.cut += 1;
        }
        if (ids.length === 0) met.empty += 1;
        if (!truncated) met.whole += 1;
        if (parts === 0 && ids.length > 1) met.exact += 1;
      }),
      { numRuns: runCount(50, 1_500) },
    );
    for (const [what, times] of Object.entries(met)) expect(times, what).toBeGreaterThan(5);
  }, 240_000);

  it('uses a budget that is too small for all nearly whole', async () => {
    for (const max_tokens of [200, 500, 1_000, 3_000]) {
      for (const kind of ['words', 'cjk', 'code']) {
        const body = { query: 'needle', tags: [kind], max_tokens, max_memories: 40 };
        const { token_count, truncated } = await client.search.recall({ body });
        if (truncated)
          expect(token_count, `${kind} ${max_tokens}`).toBeGreaterThan(max_tokens * 0.8);
      }
    }
  });

  it('takes <|endoftext|> for the text that it is', async () => {
    const { client: own } = await service.createAccount();
    const content = 'The mark <|endoftext|> ends nothing here.';
    await createMemory(own, content);
    const { context, token_count } = await own.search.recall({ body: { query: 'mark' } });
    expect(context).toContain(content);
    expect(token_count).toBe(tokenCount(context));
  });

  it.each([
    ['one letter', 'a'.repeat(100_000)],
    ['Han characters without a space', han(100_000)],
    ['one Han character', '漢'.repeat(100_000)],
    ['slashes and line ends', '/\n'.repeat(50_000)],
    ['signs', '!?'.repeat(50_000)],
    ['white space', `a${' \t'.repeat(50_000)}b`],
    ['combining marks', `e${'\u0301'.repeat(100_000)}`],
    ['emoji joined to one', `🦊${'\u200d🦊'.repeat(30_000)}`],
    ['a million characters of one word', 'abcdefghij'.repeat(100_000)],
  ])('holds its budget for %s', async (name, content) => {
    const { client: own } = await service.createAccount();
    await createMemory(own, `needle ${name}: ${content}`);
    for (const max_tokens of [100, 2_000, 100_000]) {
      const { token_count } = await own.search.recall({ body: { query: 'needle', max_tokens } });
      expect(token_count).toBeLessThanOrEqual(max_tokens);
      const fills = max_tokens < 100_000 && name !== 'white space';
      expect(token_count).toBeGreaterThan(fills ? max_tokens / 2 : 0);
    }
  });
});
