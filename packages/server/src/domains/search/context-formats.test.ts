import { type RecallFormat, recallFormats } from '@mneme/contract';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadTokenizer } from '../../providers/tokens/index.ts';
import { PromptContextWriter } from './context-writer.ts';
import { createRecalledMemory, oddContent } from './testing.ts';

const tokenizer = await loadTokenizer();
const exactly = (text: string): number =>
  countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });

const id = (number: number): string => createRecalledMemory(number, '').id;
const session_id = id(900);
const [replaced, question, answer, note] = [
  createRecalledMemory(1, 'I live in "Munich".', { outdated_by: id(4) }),
  createRecalledMemory(2, 'Which tea?', { session_id, metadata: { role: 'user', speaker: 'Ana' } }),
  createRecalledMemory(3, 'Green <tea> & milk.', { session_id, metadata: { role: 'assistant' } }),
  createRecalledMemory(4, 'To do:\n\n- pack\n- move\n', {
    occurred_at: '2020-02-29T00:00:00.000Z',
  }),
];

/** The answer is more relevant than its question, which came before it. */
function write(format: RecallFormat): string {
  const writer = new PromptContextWriter(tokenizer, 1_000, format);
  expect(writer.add(answer, 8)).toBe(true);
  expect(writer.add(replaced)).toBe(true);
  expect(writer.add(question, 7)).toBe(true);
  expect(writer.add(note)).toBe(true);
  return writer.finish().context;
}

describe('The format', () => {
  it('text has a heading and an empty line for each memory', () => {
    expect(write('text')).toBe(
      `[${id(2)}] 2026-01-05 Ana (user)\nWhich tea?\n\n` +
        `[${id(3)}] 2026-01-05 assistant\nGreen <tea> & milk.\n\n` +
        `[${id(1)}] 2026-01-05, outdated by [${id(4)}]\nI live in "Munich".\n\n` +
        `[${id(4)}] 2020-02-29\nTo do:\n\n- pack\n- move\n\n`,
    );
  });

  it('markdown is a list, with blocks indented', () => {
    expect(write('markdown')).toBe(
      `- **2026-01-05 Ana (user)** [${id(2)}]: Which tea?\n` +
        `- **2026-01-05 assistant** [${id(3)}]: Green <tea> & milk.\n` +
        `- **2026-01-05, outdated by [${id(4)}]** [${id(1)}]: I live in "Munich".\n` +
        `- **2020-02-29** [${id(4)}]\n\n  To do:\n\n  - pack\n  - move\n\n`,
    );
  });

  it('json is one object', () => {
    const date = '2026-01-05';
    expect(JSON.parse(write('json'))).toEqual({
      memories: [
        { id: id(2), date, session_id, role: 'user', speaker: 'Ana', content: question.content },
        { id: id(3), date, session_id, role: 'assistant', content: answer.content },
        { id: id(1), date, outdated_by: id(4), content: replaced.content },
        { id: id(4), date: '2020-02-29', content: note.content },
      ],
    });
  });

  it('xml has an element for each memory', () => {
    expect(write('xml')).toBe(
      '<memories>\n' +
        `<memory id="${id(2)}" date="2026-01-05" session="${session_id}" role="user" ` +
        'speaker="Ana">Which tea?</memory>\n' +
        `<memory id="${id(3)}" date="2026-01-05" session="${session_id}" role="assistant">` +
        'Green &lt;tea&gt; &amp; milk.</memory>\n' +
        `<memory id="${id(1)}" date="2026-01-05" outdated_by="${id(4)}">` +
        'I live in "Munich".</memory>\n' +
        `<memory id="${id(4)}" date="2020-02-29">To do:\n\n- pack\n- move</memory>\n` +
        '</memories>\n',
    );
  });

  it('xml quotes attributes, and leaves out what XML cannot contain', () => {
    const writer = new PromptContextWriter(tokenizer, 1_000, 'xml');
    writer.add(createRecalledMemory(1, 'a\u0001\ufffeb\tc', { metadata: { speaker: '"A" <&>' } }));
    expect(writer.finish().context).toContain(
      'speaker="&quot;A&quot; &lt;&amp;&gt;">ab\tc</memory>',
    );
  });

  it.each(recallFormats)(
    '%s is never over the budget, and stays well-formed when cut',
    (format) => {
      const met = { cut: 0, whole: 0 };
      fc.assert(
        fc.property(
          fc.array(oddContent, { maxLength: 6 }),
          fc.integer({ min: 1, max: 3_000 }),
          fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }),
          (contents, max, ordinals) => {
            const writer = new PromptContextWriter(tokenizer, max, format);
            const memories = contents.map((content, i) =>
              createRecalledMemory(i, content, i % 2 === 0 ? { session_id } : {}),
            );
            const allFit = memories.every((one, i) => writer.add(one, ordinals[i]));
            const { context, token_count, truncated } = writer.finish();
            expect(token_count).toBeLessThanOrEqual(max);
            expect(exactly(context)).toBeLessThanOrEqual(token_count);
            expect(truncated).toBe(!allFit);
            expect(writer.memories).toEqual(memories.slice(0, writer.memories.length));
            for (const { id: given } of writer.memories) expect(context).toContain(given);
            if (format === 'json' && context !== '') {
              expect(JSON.parse(context).memories).toHaveLength(writer.memories.length);
            }
            if (format === 'xml' && context !== '') {
              const elements = /^<memories>\n(?:<memory [^<>]*>[^<>]*<\/memory>\n)+<\/memories>\n$/;
              expect(context).toMatch(elements);
            }
            met[truncated ? 'cut' : 'whole'] += 1;
          },
        ),
      );
      expect(Math.min(met.cut, met.whole)).toBeGreaterThan(5);
    },
  );
});
