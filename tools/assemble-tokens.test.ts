import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { assembleTokens, tokensFile } from './assemble-tokens.ts';

it('the tokens of the server are those of o200k: run node tools/assemble-tokens.ts', () => {
  expect(readFileSync(tokensFile).equals(assembleTokens())).toBe(true);
});
