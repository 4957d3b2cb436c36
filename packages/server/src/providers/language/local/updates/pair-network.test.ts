import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readPairNetwork } from './pair-network.ts';

/** Written by training/updates/pack.py with floats. */
const samples = JSON.parse(
  readFileSync(new URL('./fixtures/pairs.json', import.meta.url), 'utf8'),
) as readonly { readonly older: string; readonly newer: string; readonly log_odds: number }[];

it('gives the log-odds of the trained network, within what bytes lose', async () => {
  const network = await readPairNetwork();
  for (const { older, newer, log_odds: expected } of samples) {
    expect(Math.abs(network.logOdds(older, newer) - expected), `${older} → ${newer}`).toBeLessThan(
      0.3,
    );
  }
});

it('reads the beginning of long texts', async () => {
  const network = await readPairNetwork();
  const long = 'the ferry to the island leaves at noon '.repeat(2_000);
  expect(network.logOdds(long, long)).toBe(
    network.logOdds(long.slice(0, 4_000), long.slice(0, 4_000)),
  );
});
