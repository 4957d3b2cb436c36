import { mailCommands } from '@mneme/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leastCpuMs } from '../../../../../../test/support/cpu-time.ts';
import { runCount } from '../../../../../../test/support/run-count.ts';
import { type CommandIntent, formatCommand, parseCommand } from './grammar.ts';

const intentOf = (text: string) => {
  const parsed = parseCommand(text);
  if ('misread' in parsed) throw new Error(parsed.misread);
  return parsed.intent;
};

const plain = { content: '', space: null, tags: [], priority: null };

describe('a command', () => {
  it.each([
    ['store: Ana prefers tea.', { command: 'store', content: 'Ana prefers tea.' }],
    [
      'store: tea @kitchen #drinks #hot p7',
      { command: 'store', content: 'tea', space: 'kitchen', tags: ['drinks', 'hot'], priority: 7 },
    ],
    ['SEARCH:tea', { command: 'search', content: 'tea' }],
    [
      'Re: AW: recall: what does Ana drink?',
      { command: 'recall', content: 'what does Ana drink?' },
    ],
    ['help', { command: 'help' }],
    [' Stop ', { command: 'stop' }],
    ['forget: the old address', { command: 'forget', content: 'the old address' }],
    ['buy milk', { command: 'store', content: 'buy milk' }],
    ['Meeting: Monday', { command: 'store', content: 'Meeting: Monday' }],
    ['#1 priority is rest', { command: 'store', content: '#1 priority is rest' }],
    ['ask ana@example.com', { command: 'store', content: 'ask ana@example.com' }],
    ['version p11', { command: 'store', content: 'version p11' }],
    ['store: the tag \\#tea', { command: 'store', content: 'the tag #tea' }],
    [
      'store: x @"my notes" #"two words"',
      { command: 'store', content: 'x', space: 'my notes', tags: ['two words'] },
    ],
    ['', { command: 'store' }],
  ])('%j is read as it is meant', (text, intent) => {
    expect(intentOf(text)).toEqual({ ...plain, ...intent });
  });

  it.each(['serach: tea', 'stor: tea', 'helpp: me', 'store: x @a @b', 'store: x p1 p2'])(
    '%j is not guessed at',
    (text) => {
      expect(parseCommand(text)).toEqual({ misread: expect.any(String) });
    },
  );

  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
  const line = fc
    .array(fc.oneof(word, fc.constantFrom('@a', '#b', 'p3', '\\#c', 'p99', 'a@b.c', '"', '\\')))
    .map((words) =>
      words
        .join(' ')
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim(),
    );
  const name = word.map((text) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() || 'x');
  const intents: fc.Arbitrary<CommandIntent> = fc.record({
    command: fc.constantFrom(...mailCommands),
    content: line,
    space: fc.option(name),
    tags: fc.uniqueArray(name, { maxLength: 4 }),
    priority: fc.option(fc.integer({ min: 0, max: 10 })),
  });

  it('that was written for an intent is read as that intent', () => {
    fc.assert(
      fc.property(intents, (intent) => {
        expect(intentOf(formatCommand(intent))).toEqual(intent);
      }),
      { numRuns: runCount(200, 20_000) },
    );
  });

  it('is read without a fault, whatever the subject is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(() => parseCommand(text)).not.toThrow();
      }),
      { numRuns: runCount(200, 20_000) },
    );
  });

  it('is read in a moment where the subject is all marks', () => {
    for (const text of [
      ' #a'.repeat(300),
      '@'.repeat(1_000),
      ' \\#'.repeat(300),
      ' "'.repeat(400),
    ]) {
      expect(leastCpuMs(() => parseCommand(`store: ${text}`))).toBeLessThan(250);
    }
  });
});
