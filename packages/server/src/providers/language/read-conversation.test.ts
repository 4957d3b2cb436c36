import type { KnownStatement, Turn } from '@mneme/extraction';
import { describe, expect, test } from 'vitest';
import { readConversation } from './read-conversation.ts';
import { type ConversationPart, statementsFormat } from './statement-format.ts';

const at = new Date('2026-05-04T12:00:00Z');
const turn = (text: string, more: Partial<Turn> = {}): Turn => ({
  role: 'user',
  text,
  at,
  ...more,
});

/** The parts that a model, which states nothing, reads. */
async function partsOf(
  turns: readonly Turn[],
  findKnown: (text: string) => Promise<KnownStatement[]> = async () => [],
): Promise<ConversationPart[]> {
  const parts: ConversationPart[] = [];
  await readConversation({ turns, findKnown }, async (one) => {
    parts.push(one);
    return [];
  });
  return parts;
}

describe('the parts of a conversation', () => {
  test('have at most 60 turns: each new one once, after some of the part before', async () => {
    const parts = await partsOf(Array.from({ length: 130 }, (_, i) => turn(`${i}`)));
    expect(parts.map(({ turns }) => turns.length)).toEqual([60, 60, 22]);
    const isNew = parts.flatMap(({ turns }) =>
      turns.filter(({ turn: { isKnown } }) => !isKnown).map(({ number }) => number),
    );
    expect(isNew).toEqual(Array.from({ length: 130 }, (_, i) => i + 1));
    expect(parts[1]?.turns.slice(0, 7).map(({ number }) => number)).toEqual([
      55, 56, 57, 58, 59, 60, 61,
    ]);
  });

  test('have at most 20,000 characters; a longer turn is cut', async () => {
    const parts = await partsOf([turn('a '.repeat(9_000)), turn('b '.repeat(30_000)), turn('c')]);
    expect(parts.map(({ turns }) => turns.map(({ turn: { text } }) => text.length))).toEqual([
      [18_000],
      [20_000],
      [1],
    ]);
  });

  test('without a new turn of a person are not asked about', async () => {
    const turns = [turn('Hi.', { isKnown: true }), turn('I am a model.', { role: 'Assistant' })];
    expect(await partsOf(turns)).toEqual([]);
  });

  test('come with what is known near to new turns of people, each once', async () => {
    const known = { id: '1', content: 'Known.' };
    const texts: string[] = [];
    const turns = [
      turn('before', { isKnown: true }),
      turn('a'),
      turn('machine', { role: 'assistant' }),
      turn('b'),
    ];
    const asked = await partsOf(turns, async (text) => {
      texts.push(text);
      return [known];
    });
    expect(texts).toEqual(['a', 'b']);
    expect(asked[0]?.known).toEqual([known]);
  });

  test('give a statement of several parts with the turns of all', async () => {
    const turns = Array.from({ length: 61 }, (_, i) => turn(`${i}`));
    const found = await readConversation({ turns, findKnown: async () => [] }, async (asked) => [
      { content: 'x', kind: 'fact', turns: [(asked.turns.at(-1)?.number ?? 0) - 1] },
    ]);
    expect(found).toEqual([{ content: 'x', kind: 'fact', turns: [59, 60] }]);
  });
});

describe('what a model answers', () => {
  const asked: ConversationPart = {
    turns: [
      { number: 4, turn: turn('Old.', { isKnown: true, speaker: 'Ana' }) },
      { number: 5, turn: turn('Right?', { role: 'assistant' }) },
      { number: 6, turn: turn('Yes.', { speaker: 'Ana' }) },
    ],
    known: [
      { id: 'anas', content: 'A.', speaker: 'Ana' },
      { id: 'bens', content: 'B.', speaker: 'Ben' },
    ],
  };
  const wire = { content: 'I row.', kind: 'fact', turns: [5, 6], replaces: 0 };
  const read = (...statements: object[]) => statementsFormat.read({ statements }, asked);

  test('is of the person who says it, with indices of turns', () => {
    const expected = { content: 'I row.', kind: 'fact', speaker: 'Ana', turns: [4, 5] };
    expect(read(wire)).toEqual({ value: [expected] });
    expect(read({ ...wire, content: ' I\nrow. ', turns: [99, 5, 6] })).toEqual({
      value: [expected],
    });
  });

  test('is left out where no new turn of a person says it, or it is invalid', () => {
    const invalid = [
      { ...wire, turns: [4] },
      { ...wire, turns: [5] },
      { ...wire, turns: [] },
      { ...wire, kind: 'rumour' },
      { ...wire, content: ' \n' },
      { ...wire, content: 'x'.repeat(1_001) },
    ];
    expect(read(...invalid)).toEqual({ value: [] });
    expect(read({ ...wire, turns: 'all' })).toEqual({
      faults: expect.stringContaining('statements.0.turns'),
    });
  });

  test('replaces only a known statement of the same person', () => {
    const replaced = (replaces: number) => {
      const result = read({ ...wire, replaces });
      return 'value' in result ? result.value[0]?.replaces : result;
    };
    expect([0, 1, 2, 3, -1, 1.5].map(replaced)).toEqual([
      undefined,
      'anas',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
