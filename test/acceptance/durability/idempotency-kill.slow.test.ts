import { describe, expect, it } from 'vitest';
import { engines } from '../../support/service.ts';
import { idempotencyKillRounds, kinds } from './idempotency-kill-rounds.ts';

const seed = 20_260_106;

describe.each(engines)(
  'a request repeated with its Idempotency-Key after kill -9 on %s',
  (engine) => {
    it('has one effect and a 201, wherever between effect and answer the kill fell', async () => {
      const { effectCounts, violations } = await idempotencyKillRounds(engine, {
        roundsMax: 45,
        seed,
      });
      process.stdout.write(
        `repeated on ${engine}, seed ${seed}: ${JSON.stringify(effectCounts)}\n`,
      );
      expect(violations).toEqual([]);
      for (const kind of kinds) {
        expect(effectCounts[kind], `${kind}: both sides of the commit were met`).toEqual({
          effect: expect.toSatisfy((count: number) => count > 0),
          none: expect.toSatisfy((count: number) => count > 0),
        });
      }
    }, 240_000);
  },
);
