import { describe, expect, it } from 'vitest';
import { defaultClientRuntime } from './kernel.ts';

describe('uuid', () => {
  it('is a version 4 UUID, another one each time', () => {
    const made = Array.from({ length: 100 }, defaultClientRuntime.uuid);
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(made.filter((uuid) => !pattern.test(uuid))).toEqual([]);
    expect(new Set(made).size).toBe(100);
  });
});

describe('sleep', () => {
  it('ends by itself', async () => {
    await expect(defaultClientRuntime.sleep(1)).resolves.toBeUndefined();
  });

  it('ends with the reason of a signal, given before or meanwhile', async () => {
    const before = AbortSignal.abort(new Error('before'));
    await expect(defaultClientRuntime.sleep(60_000, before)).rejects.toThrow('before');
    const abort = new AbortController();
    const sleeping = defaultClientRuntime.sleep(60_000, abort.signal);
    abort.abort(new Error('meanwhile'));
    await expect(sleeping).rejects.toThrow('meanwhile');
  });
});
