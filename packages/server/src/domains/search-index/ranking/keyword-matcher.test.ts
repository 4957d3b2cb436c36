import { extractTerms, termProbability } from '@mneme/text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { turnKernelRadius, turnKernelWeight } from '../account/sessions.ts';
import { analyseText, parseTextAnalysis } from '../analysis.ts';
import { makeIndex, makeQuery, makeRow, searchHits } from '../testing.ts';
import { smoothedIdf } from './idf.ts';

const words = ['apple', 'river', 'stone', 'cloud', 'paper', 'glass', 'why?'];
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 })
  .map((some) => `${some.join(' ')}. `);
/** Some are long enough to have passages. */
const content = fc
  .tuple(sentence, fc.constantFrom(1, 1, 1, 30), sentence)
  .map(([first, times, last]) => `Wagon ${first.repeat(times)}Tree ${last}`);

interface Turn {
  readonly asks: boolean;
  readonly words: number;
  readonly passages: readonly { length: number; count: (term: string) => number }[];
}

const turnOf = (text: string): Turn => {
  const { passages, hasQuestionAtEnd } = parseTextAnalysis(analyseText(text, new Date(0)));
  return {
    asks: hasQuestionAtEnd,
    words: passages.reduce((sum, { length }) => sum + length, 0),
    passages: passages.map(({ length, terms }) => ({
      length,
      count: (wanted) => terms.find(({ term }) => term === wanted)?.count ?? 0,
    })),
  };
};

const lendsOf = (turn: Turn): number => Math.min(1, 20 / Math.max(1, turn.words));
const countOf = ({ passages }: Turn, term: string): number =>
  passages.reduce((sum, { count }) => sum + count(term), 0);

/** The weighted sum of a value over the neighbours of a turn. */
const lentTo = (turns: readonly Turn[], at: number, of: (turn: Turn) => number): number => {
  const own = turns[at] as Turn;
  let sum = 0;
  for (let step = -turnKernelRadius; step <= turnKernelRadius; step += 1) {
    const lender = step === 0 ? undefined : turns[at + step];
    if (lender) sum += turnKernelWeight(step, own.asks, lender.asks) * lendsOf(lender) * of(lender);
  }
  return sum * Math.min(1, 40 / Math.max(1, own.words));
};

const saturated = (x: number, share: number): number => (x * 2.2) / (x + 1.2 * (0.3 + 0.7 * share));

/** The formula documented at `KeywordMatcher`, term by term and passage by passage. */
function plainScores(turns: readonly Turn[], terms: readonly string[]): number[] {
  const lengths = turns.flatMap((turn, at) => {
    const d = turn.passages.length === 1 ? 1 : lendsOf(turn);
    const rest = lentTo(turns, at, (one) => one.words) + d * turn.words;
    return turn.passages.map(({ length }) => rest + (1 - d) * length);
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return turns.map((turn, at) => {
    const d = turn.passages.length === 1 ? 1 : lendsOf(turn);
    const rest = lentTo(turns, at, (one) => one.words) + d * turn.words;
    const passageScores = [null, ...turn.passages].map((passage) => {
      let score = 0;
      for (const term of terms) {
        const df = turns.filter((one) => countOf(one, term) > 0).length;
        if (df === 0) continue;
        const held = passage?.count(term) ?? 0;
        const own = held > 0 ? (passage?.length ?? 0) : turn.words / turn.passages.length;
        const lent = lentTo(turns, at, (one) => countOf(one, term));
        const x = d * countOf(turn, term) + lent + (1 - d) * held;
        const idf = smoothedIdf(turns.length, df, termProbability(term));
        score += x > 0 ? idf * saturated(x, (rest + (1 - d) * own) / mean) : 0;
      }
      return score;
    });
    return Math.max(...passageScores);
  });
}

describe('keywords', () => {
  it('score short and long turns of a session by the formula', () => {
    const asked = fc.uniqueArray(fc.constantFrom(...words.slice(0, 6)), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 8 }), asked, (texts, query) => {
        const index = makeIndex(
          texts.map((text, at) =>
            makeRow(String(at), text, { session_id: 's', session_ordinal: at }),
          ),
        );
        const found = new Map(
          searchHits(index, makeQuery(query.join(' '))).map(({ id, explanation }) => [
            id,
            explanation?.keywordScore,
          ]),
        );
        const expected = plainScores(texts.map(turnOf), extractTerms(query.join(' ')).words);
        for (const [at, score] of expected.entries()) {
          expect(found.get(String(at)) ?? 0).toBeCloseTo(score, 4);
        }
      }),
    );
  });

  it('treat a common word as common even if only one memory contains it', () => {
    expect(smoothedIdf(10, 1, termProbability('time'))).toBeLessThan(
      smoothedIdf(10, 1, termProbability('wagon')),
    );
    expect(smoothedIdf(10, 1, termProbability('wagon'))).toBeLessThan(
      smoothedIdf(10, 0, termProbability('zyzzyv')),
    );
    expect(smoothedIdf(10, 10, 1)).toBeGreaterThan(0);
  });
});
