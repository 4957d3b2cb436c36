import { describe, expect, test } from 'vitest';
import type { KnownStatement, Turn } from '../types.ts';
import { deriveStatements } from './derive.ts';
import { findStatements } from './find-statements.ts';

const at = new Date('2026-05-04T12:00:00Z');
const said = (text: string, more: Partial<Turn> = {}): Turn => ({
  role: 'user',
  text,
  at,
  ...more,
});
const derive = (turns: readonly Turn[], known: readonly KnownStatement[] = []) =>
  deriveStatements({ turns, findKnown: async () => known }, async (text) => findStatements(text));
const contentsOf = async (...turns: Turn[]) =>
  (await derive(turns)).map(({ content, kind }) => [content, kind]);

describe('what people of a conversation state', () => {
  test('is found sentence by sentence, without fillers, with its kind', async () => {
    expect(
      await contentsOf(
        said('Hey! By the way, I live in Lisbon. Can you help me? I prefer short answers.'),
        said("We've decided to use Postgres. I will move to Porto in May."),
      ),
    ).toEqual([
      ['I live in Lisbon.', 'fact'],
      ['I prefer short answers.', 'preference'],
      ["We've decided to use Postgres.", 'decision'],
      ['I will move to Porto in May.', 'plan'],
    ]);
  });

  test.each([
    'Do I live in Lisbon?',
    'If I lived in Lisbon, I would swim.',
    'Maybe I live in Lisbon.',
    'I think I like it.',
    'I am tired today.',
    '> I live in Lisbon.',
    '```\nI live in Lisbon.\n```',
    'I own = { car: true };',
  ])('is nothing in %j', async (text) => {
    expect(await contentsOf(said(text))).toEqual([]);
  });

  test('is nothing that a machine says, nor what was read before', async () => {
    const text = 'I live in Lisbon.';
    const roles = ['assistant', ' System', 'tool', 'developer', 'Tool-Result', 'function call'];
    const machines = roles.map((role) => said(text, { role }));
    expect(await contentsOf(...machines, said(text, { isKnown: true }))).toEqual([]);
    expect(await contentsOf(said(text, { role: 'customer' }))).toEqual([[text, 'fact']]);
  });

  test('is told once with all its turns, for each speaker', async () => {
    const text = 'I live in Lisbon.';
    const [ana, ben] = [{ speaker: 'Ana' }, { speaker: 'Ben' }];
    const turns = [said(text, ana), said(text, ben), said('Hm.', ana), said(`So, ${text}`, ana)];
    expect(await derive(turns)).toEqual([
      { content: text, kind: 'fact', speaker: 'Ana', turns: [0, 3] },
      { content: text, kind: 'fact', speaker: 'Ben', turns: [1] },
    ]);
  });

  test('is the last of several values, and at most 200 statements', async () => {
    expect(await contentsOf(said('I live in Lisbon. I moved to Porto.'))).toEqual([
      ['I moved to Porto.', 'fact'],
    ]);
    const many = Array.from({ length: 300 }, (_, i) => `I own ${i} red bicycles.`).join(' ');
    expect(await derive([said(many)])).toHaveLength(200);
  });
});

describe('a known statement is replaced', () => {
  const known = (content: string, speaker?: string): KnownStatement => ({
    id: content,
    content,
    speaker,
  });
  const replacedBy = async (turn: Turn, ...all: KnownStatement[]) =>
    (await derive([turn], all))[0]?.replaces;

  test.each([
    ['I moved to Porto.', 'I live in Lisbon.'],
    ['My email is ana@example.com.', 'My email address is old@example.com.'],
    ['My favorite color is red.', 'My favourite colour is blue.'],
    ["I'm 31 years old.", 'I am 30 years old.'],
  ])('by %j: %j', async (newer, older) => {
    expect(await replacedBy(said(newer), known('I like tea.'), known(older))).toBe(older);
  });

  test('only by another value of the same, of the same speaker', async () => {
    const porto = said('I live in Porto.', { speaker: 'Ana' });
    expect(await replacedBy(porto, known('I live in Porto.', 'Ana'))).toBeUndefined();
    expect(await replacedBy(porto, known('I live in Lisbon.', 'Ben'))).toBeUndefined();
    expect(await replacedBy(porto, known('I live in Lisbon.'))).toBeUndefined();
    expect(await replacedBy(porto, known('I like Lisbon.', 'Ana'))).toBeUndefined();
    expect(await replacedBy(said('I like Porto.'), known('I live in Lisbon.'))).toBeUndefined();
  });
});
