import { describe, expect, it } from 'vitest';
import { SharedDotProducts } from './shared-dot-products.ts';

const task = { memory: 1, stride: 192, products: 4_096 };
const chunks = Array.from({ length: 150 }, (_, i) => i);

/** The numbers of chunks in order, and who computed each. */
class Log {
  readonly chunks: number[] = [];
  readonly add = (_: unknown, chunk: number): void => {
    this.chunks.push(chunk);
  };
}

describe('dot products of two threads', () => {
  it('are all computed by the searcher where no helper runs', () => {
    const shared = new SharedDotProducts();
    const log = new Log();
    expect(shared.begin(task, chunks)).toBe(true);
    shared.finish(log.add);
    expect(log.chunks).toEqual(chunks);
    expect(shared.begin(task, chunks.slice(0, 3))).toBe(true);
    shared.finish(log.add);
    expect(log.chunks).toEqual([...chunks, 0, 1, 2]);
  });

  it('are divided: each chunk is computed once', () => {
    const shared = new SharedDotProducts();
    const helper = new SharedDotProducts(shared.buffer);
    const [own, other] = [new Log(), new Log()];
    shared.begin(task, chunks);
    const computed: unknown[] = [];
    // The searcher takes part while the helper computes its first chunk.
    const last = helper.help(0, (given, chunk) => {
      if (other.chunks.length === 0) computed.push(given);
      other.add(given, chunk);
    });
    shared.finish(own.add);
    expect(last).toBe(1);
    expect(computed).toEqual([task]);
    expect([...other.chunks, ...own.chunks]).toEqual(chunks);
  });

  it('are computed again by the searcher where the helper does not finish', () => {
    const shared = new SharedDotProducts();
    const helper = new SharedDotProducts(shared.buffer);
    const log = new Log();
    shared.begin(task, chunks);
    const stop = (): never => {
      throw new Error('the helper has stopped');
    };
    expect(() => helper.help(0, stop)).toThrow('stopped');
    shared.finish(log.add);
    expect(log.chunks.toSorted((a, b) => a - b)).toEqual(chunks);
    // It may still write where it wrote: nothing is shared with it any more.
    expect(shared.begin(task, chunks)).toBe(false);
  });

  it('are begun by no helper after an error has left them open', () => {
    const shared = new SharedDotProducts();
    const helper = new SharedDotProducts(shared.buffer);
    const log = new Log();
    shared.begin(task, chunks);
    expect(shared.release()).toBe(true);
    helper.help(0, log.add);
    expect(log.chunks).toEqual([]);
  });

  it('leave a helper that comes late without work', () => {
    const shared = new SharedDotProducts();
    const helper = new SharedDotProducts(shared.buffer);
    const [own, other] = [new Log(), new Log()];
    shared.begin(task, chunks);
    shared.finish(own.add);
    expect(helper.help(0, other.add)).toBe(1);
    expect([own.chunks, other.chunks]).toEqual([chunks, []]);
  });
});
