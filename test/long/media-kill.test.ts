import { describe, expect, it } from 'vitest';
import { engines } from '../support/service.ts';
import { mediaRounds } from './media-rounds.ts';

const rounds = Number(process.env.MNEME_TEST_ROUNDS ?? 20);
const stores = ['folder', 'bucket'] as const;

describe.each(engines)(`${rounds} kills while recordings come and go on %s`, (engine) => {
  it.each(stores)('leave each that was answered whole, and none half, in a %s', async (store) => {
    const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
    const report = await mediaRounds(engine, { rounds, seed, store });
    process.stdout.write(`${engine}, ${store}, seed ${seed}: ${JSON.stringify(report)}\n`);
    expect(report.wrong).toEqual([]);
  });
});
