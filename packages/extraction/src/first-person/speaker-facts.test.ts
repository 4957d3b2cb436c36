import { describe, expect, test, vi } from 'vitest';
import { findSpeakerFacts } from './speaker-facts.ts';

const factsOf = (text: string): string[] =>
  findSpeakerFacts(text).map(
    ({ predicate, object, isEnded }) => `${predicate} ${object}${isEnded ? ' (ended)' : ''}`,
  );

describe('what a speaker says of themselves', () => {
  test.each([
    ['I live in Lisbon.', ['lives_in Lisbon']],
    ['i moved to Berlin last week', ['lives_in Berlin']],
    ['I’m allergic to peanuts, dust and cat hair.', 'peanuts,dust,cat hair'],
    ['I work at Acme as a grid planner.', ['works_at Acme', 'job_title grid planner']],
    ['My birthday is 14 March.', ['birthday 14 March']],
    ['My wife Ingrid likes tea.', ['partner_of Ingrid']],
    ['My kids are Jonah, Ruth and Eli.', 'Jonah,Ruth,Eli'],
    ['I have two cats, Miso and Tofu.', ['pet Miso', 'pet Tofu']],
    ['We decided to paint the hallway green.', ['decided paint the hallway green']],
    ['I own a canoe and use Neovim.', ['owns canoe', 'uses Neovim']],
  ])('%j', (text, expected) => {
    const facts = factsOf(text);
    if (typeof expected !== 'string') expect(facts).toEqual(expected);
    else expect(facts.map((fact) => fact.slice(fact.indexOf(' ') + 1)).join()).toBe(expected);
  });

  test.each([
    ['I used to live in Porto, now I live in Lyon.', 'lives_in Porto (ended),lives_in Lyon'],
    ['I no longer work at Acme.', 'works_at Acme (ended)'],
    ["I don't live in Madrid any more.", 'lives_in Madrid (ended)'],
    ['I quit my job at Acme in May.', 'works_at Acme (ended)'],
    ['I left Acme and joined Beta Labs.', 'works_at Acme (ended),works_at Beta Labs'],
    ['I stopped using Slack.', 'uses Slack (ended)'],
    ['When I lived in Athens I worked at a hotel.', 'lives_in Athens (ended)'],
  ])('that it ended: %j', (text, expected) => {
    expect(factsOf(text).join()).toBe(expected);
  });

  test.each([
    'Do I live in Lisbon?',
    'If I lived in Lisbon, I would swim.',
    'Maybe I live in Lisbon.',
    "I don't live in Lisbon.",
    'I have never lived in Lisbon.',
    "I'd love to live in Lisbon.",
    'I wish I lived in Lisbon.',
    'My sister lives in Lisbon.',
    'My boyfriend is allergic to nuts.',
    'She said "I live in Lisbon".',
    'The character says: I live in Lisbon.',
    '> I live in Lisbon.',
    '```\nI live in Lisbon.\n```',
    'From: Ben\n\nI live in Lisbon.',
    'Dear Ana,\nI live in Lisbon.',
    "I'm a morning person.",
    'I like it.',
  ])('is nothing in %j', (text) => {
    expect(factsOf(text)).toEqual([]);
  });

  test('has the sentence, and an entity only where it names one', () => {
    expect(findSpeakerFacts('Hi there. I live in Lisbon. I am allergic to nuts.')).toMatchObject([
      { objectType: 'location', statement: 'I live in Lisbon.' },
      { objectType: null, statement: 'I am allergic to nuts.' },
    ]);
  });

  test.each([
    'I I I I live live live ',
    'I live in I live in ',
    'I like a, b, and ',
    'My my our our I, and I, and ',
    'I have a dog and a cat. ',
    '"I live in ',
  ])('is read in time linear in the text: %j again and again', (part) => {
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    const stepsOf = (characters: number): number => {
      exec.mockClear();
      findSpeakerFacts(part.repeat(characters / part.length));
      return exec.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
    };
    const steps = [5_000, 20_000, 1_000_000].map(stepsOf);
    exec.mockRestore();
    const [small = 0, large = 0, huge = 0] = steps;
    expect(large).toBeLessThan(8 * small + 1_000_000);
    expect(huge).toBeLessThan(1.5 * large + 2_000_000);
  });
});
