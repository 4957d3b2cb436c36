import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../providers/tokens/index.ts';
import { PromptContextWriter } from './context-writer.ts';
import { createRecalledMemory as memory, oddContent } from './testing.ts';

const tokenizer = await loadTokenizer();
/** The tokenizer counts texts with long runs slightly high, depending on their position. */
const exactly = (text: string): number =>
  countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });

/** Adds memories until the budget is used up, as a recall does. */
function write(contents: readonly string[], maxTokens: number) {
  const writer = new PromptContextWriter(tokenizer, maxTokens);
  contents.map((content, i) => memory(i, content)).every((one) => writer.add(one));
  return { ...writer.finish(), memories: writer.memories };
}

describe('PromptContextWriter', () => {
  it('writes the id, the day, the speaker and the text, and an empty line', () => {
    const writer = new PromptContextWriter(tokenizer, 500);
    const metadata = { speaker: '  Ana\n[x]\u2028Ben ' };
    expect(writer.add(memory(1, 'Tea.\n \n'))).toBe(true);
    expect(
      writer.add(memory(2, 'Sea.', { metadata, occurred_at: '2020-02-29T00:00:00.000Z' })),
    ).toBe(true);
    expect(writer.add(memory(3, 'Fog.', { metadata: { speaker: 7 } }))).toBe(true);
    const { context, token_count, truncated } = writer.finish();
    expect(context).toBe(
      '[019b8d1c-0000-7000-8000-000000000001] 2026-01-05\nTea.\n\n' +
        '[019b8d1c-0000-7000-8000-000000000002] 2020-02-29 Ana [x] Ben\nSea.\n\n' +
        '[019b8d1c-0000-7000-8000-000000000003] 2026-01-05\nFog.\n\n',
    );
    expect(token_count).toBe(tokenizer.count(context));
    expect(truncated).toBe(false);
  });

  it('is empty, and not truncated, before anything is added', () => {
    const empty = { context: '', token_count: 0, truncated: false };
    expect(new PromptContextWriter(tokenizer, 1).finish()).toEqual(empty);
  });

  it('accepts a memory that fits exactly, and truncates one that is a token too long', () => {
    const content = 'A plain line of words. '.repeat(20);
    const { token_count } = write([content], 100_000);
    expect(write([content], token_count)).toMatchObject({ token_count, truncated: false });
    const cut = write([content], token_count - 1);
    expect(cut.truncated).toBe(true);
    expect(cut.context).toMatch(/\nA plain line of words\..*…\n\n$/);
    expect(cut.token_count).toBeLessThan(token_count);
  });

  it('cuts at a nearby space, or within a run without one', () => {
    const bodyOf = (context: string) => context.split('\n')[1] ?? '';
    const words = write(['several words '.repeat(200)], 100);
    expect(bodyOf(words.context)).toMatch(/^(?:several words )*several(?: words)?…$/);
    const run = write([`a ${'漢字'.repeat(2_000)}`], 100);
    expect(bodyOf(run.context)).toMatch(/^a (?:漢字)+漢?…$/);
    expect(run.token_count).toBeGreaterThan(80);
  });

  it('uses a small budget whether the text is dense at its start or later', () => {
    const dense = '漢字'.repeat(30);
    const loose = 'and so on with plain words '.repeat(500);
    for (const content of [dense + loose, loose.slice(0, 200) + dense.repeat(40)]) {
      for (const max of [80, 150, 600]) {
        expect(write([content], max).token_count, `${max}`).toBeGreaterThan(max * 0.85);
      }
    }
  });

  it('never cuts a character', () => {
    for (let max = 70; max < 110; max += 1) {
      const { context } = write([`x${'🦊'.repeat(500)}`], max);
      expect(context.isWellFormed()).toBe(true);
      expect(context).toContain('🦊…');
    }
  });

  it('omits a memory whose overhead alone exceeds the budget', () => {
    const writer = new PromptContextWriter(tokenizer, 100);
    const metadata = { speaker: 'name '.repeat(500) };
    expect(writer.add(memory(1, 'Tea.', { metadata }))).toBe(false);
    expect(writer.finish()).toEqual({ context: '', token_count: 0, truncated: true });
    expect(writer.memories).toEqual([]);
  });

  it('never exceeds a budget, counts its tokens, and reports a truncation', () => {
    fc.assert(
      fc.property(
        fc.array(oddContent, { maxLength: 6 }),
        fc.integer({ min: 1, max: 3_000 }),
        (contents, max) => {
          const { context, token_count, truncated, memories } = write(contents, max);
          expect(token_count).toBeLessThanOrEqual(max);
          expect(exactly(context)).toBeLessThanOrEqual(token_count);
          expect(memories.map((one) => one.content)).toEqual(contents.slice(0, memories.length));
          const whole = contents.map((one, i) =>
            write([one], 1e6).context.replace(/\d{12}\]/, `${String(i).padStart(12, '0')}]`),
          );
          expect(truncated).toBe(context !== whole.join(''));
        },
      ),
    );
  });
});
