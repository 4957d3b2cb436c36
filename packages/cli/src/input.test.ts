import { describe, expect, it } from 'vitest';
import { readText } from './input.ts';

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe('readText', () => {
  it('joins characters split across chunks, and removes one final line break', async () => {
    const bytes = Buffer.from('a é\n\n');
    expect(await readText(chunks(bytes.subarray(0, 3), bytes.subarray(3)))).toBe('a é\n');
  });

  it('rejects bytes that are not UTF-8', async () => {
    await expect(readText(chunks(Uint8Array.of(0xff)))).rejects.toMatchObject({
      code: 'invalid_characters',
    });
  });

  it('stops reading input above the limit', async () => {
    const megabyte = new Uint8Array(1024 * 1024);
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) yield megabyte;
    }
    await expect(readText(endless())).rejects.toMatchObject({ code: 'content_too_large' });
  });
});
