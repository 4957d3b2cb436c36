import { extractTerms, splitIntoPassages, stem } from '@mneme/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseText, analyseTextYielding, parseTextAnalysis } from './analysis.ts';
import { inverseDocumentFrequency, quantiseVector } from './model.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 400 });

describe('terms', () => {
  it('maps inflected and irregular forms to one stem', () => {
    expect(stem('running')).toBe(stem('runs'));
    expect(stem('went')).toBe(stem('go'));
    expect(stem('mice')).toBe(stem('mouse'));
  });

  it('excludes stop words', () => {
    expect(extractTerms('what is the meaning of it all').words).toEqual([stem('meaning')]);
  });

  it.each([
    ['getUserName', ['get', 'user', 'name'], [stem('getusername')]],
    ['user_id', ['user', 'id'], ['user_id']],
    ['src/app/main.ts', ['src', 'app', 'main', 'ts'], ['src/app/main.ts']],
    ['v1.2.3', ['v1', '2', '3'], ['v1.2.3'], ['2', '3']],
    ['HTTPServer', ['http', 'server'], [stem('httpserver')]],
    ['Tern9X', ['tern', '9', 'x'], ['tern9x'], ['9', 'x']],
  ])(
    'takes %s both whole and in parts',
    (identifier, words, compounds, fragments: string[] = []) => {
      expect(extractTerms(identifier)).toEqual({ words: words.map(stem), compounds, fragments });
    },
  );

  it('recognizes an identifier in lower case', () => {
    const [whole] = extractTerms('parseHttpHeader').compounds;
    expect(extractTerms('parsehttpheader').words).toEqual([whole]);
  });

  it('splits scripts without spaces into pairs, and removes accents', () => {
    expect(extractTerms('日本語').words).toEqual(['日本', '本語']);
    expect(extractTerms('서울에서').words).toEqual(['서울', '울에', '에서']);
    expect(extractTerms('Café').words).toEqual(extractTerms('cafe').words);
  });

  it('returns terms without white space for any text', () => {
    fc.assert(
      fc.property(text, (any) => {
        const { words, compounds } = extractTerms(any);
        for (const term of [...words, ...compounds]) expect(term).toMatch(/^\S+$/u);
      }),
    );
  });
});

describe('passages', () => {
  const sentence = (n: number): string => `Sentence number ${n} says one more thing about it. `;

  it('does not split a text of up to 120 words', () => {
    const whole = 'word '.repeat(120);
    expect(splitIntoPassages(whole)).toEqual([{ start: 0, end: whole.length, text: whole }]);
  });

  it('splits a longer one into passages of at most 80 words without losing a word', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 200 }), (count) => {
        const long = Array.from({ length: count }, (_, n) => sentence(n)).join('');
        const passages = splitIntoPassages(long).map((one) => one.text);
        const wordsOf = (t: string): string[] => t.match(/\S+/g) ?? [];
        expect(passages.flatMap(wordsOf)).toEqual(wordsOf(long));
        for (const passage of passages) expect(wordsOf(passage).length).toBeLessThanOrEqual(80);
      }),
    );
  });

  it('does not split a code block, and splits a text without sentences', () => {
    const code = '```\nconst a = 1. Then b\n```';
    const passages = splitIntoPassages(
      `${'One thing. '.repeat(80)}\n${code}\n${'word '.repeat(400)}`,
    );
    expect(passages.some((passage) => passage.text.includes(code))).toBe(true);
    expect(passages.length).toBeGreaterThan(6);
  });
});

describe('analysis', () => {
  it('is parsed as it was written', () => {
    fc.assert(
      fc.property(text, (any) => {
        const { passages } = parseTextAnalysis(analyseText(any, new Date(0)));
        const { words, compounds } = extractTerms(any);
        const counted = passages.flatMap(({ terms }) =>
          terms.flatMap(({ term, count }) => Array.from({ length: count }, () => term)),
        );
        expect(counted.toSorted()).toEqual([...words, ...compounds].toSorted());
        expect(passages.reduce((sum, { length }) => sum + length, 0)).toBe(words.length);
      }),
    );
  });

  it.each([
    ['I told my sister about us.', 3 / 4],
    ['You said your sister would come.', -2 / 3],
    ["I'm sure you'll like it.", 0],
    ['The sister of Ana.', 0],
  ])('tells how much a text is of who speaks: %s', (said, expected) => {
    expect(parseTextAnalysis(analyseText(said, new Date(0))).firstPersonBalance).toBeCloseTo(
      expected,
    );
    expect(parseTextAnalysis('@q\n1:0:5 apple 1').firstPersonBalance).toBe(0);
  });

  it('has the same result if it yields during a long text', async () => {
    const long = 'The weather was fine on Monday. '.repeat(5_000);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      running = setImmediate(count);
    };
    let running = setImmediate(count);
    const inTurns = await analyseTextYielding(long, new Date(0));
    clearImmediate(running);
    expect(inTurns).toBe(analyseText(long, new Date(0)));
    expect(turns).toBeGreaterThan(3);
  });

  it('quantises a vector with no more error than its rounding', () => {
    const component = fc.float({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(component, { minLength: 192, maxLength: 192 }), (values) => {
        fc.pre(values.some((value) => Math.abs(value) > 0.1));
        const vector = Float32Array.from(values);
        const bytes = quantiseVector(vector);
        const dot = vector.reduce((sum, value, i) => sum + value * (bytes[i] ?? 0), 0);
        const cosine = dot / (Math.hypot(...vector) * Math.hypot(...bytes));
        expect(cosine).toBeGreaterThan(0.999);
      }),
    );
  });

  it('weights rare terms more and never negatively', () => {
    expect(inverseDocumentFrequency(100, 1)).toBeGreaterThan(inverseDocumentFrequency(100, 50));
    expect(inverseDocumentFrequency(100, 100)).toBeGreaterThan(0);
  });
});
