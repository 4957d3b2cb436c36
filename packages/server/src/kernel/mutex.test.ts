import { describe, expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

describe('Mutex', () => {
  it('runs calls one at a time in their order, also after a failure', async () => {
    const mutex = new Mutex();
    const log: string[] = [];
    const work = (name: string, fails = false) =>
      mutex.run(async () => {
        log.push(`${name} begins`);
        await new Promise(setImmediate);
        log.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const results = Promise.allSettled([work('a'), work('b', true), work('c')]);
    await mutex.waitForAll();
    expect(log).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]));
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
  });
});
