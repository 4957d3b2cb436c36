import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { releaseIdleMemory } from './idle-memory.ts';

const mb = 2 ** 20;

/** A heap of this size, and what was asked of it. */
function watch(bytes: number) {
  const heap = { utilization: 0, bytes, compacted: 0 };
  const clock = createFakeClock();
  releaseIdleMemory(clock, {
    readUtilization: () => heap.utilization,
    readBytes: () => heap.bytes,
    compact() {
      heap.compacted += 1;
      heap.bytes = Math.min(heap.bytes, 50 * mb);
    },
  });
  return { heap, pass: (seconds: number) => clock.advance(seconds * 1_000) };
}

/** Advances in steps of one check. */
const wait = (pass: (seconds: number) => void, seconds: number): void => {
  for (let at = 0; at < seconds; at += 5) pass(5);
};

describe('the memory of an idle thread', () => {
  it('is returned after 15 s, once for all that it grew by', () => {
    const { heap, pass } = watch(130 * mb);
    wait(pass, 10);
    expect(heap.compacted).toBe(0);
    wait(pass, 5);
    expect([heap.compacted, heap.bytes]).toEqual([1, 50 * mb]);
    heap.bytes = 73 * mb;
    wait(pass, 60);
    expect(heap.compacted).toBe(1);
    heap.bytes = 74 * mb;
    wait(pass, 5);
    expect(heap.compacted).toBe(2);
  });

  it('is left while the thread works', () => {
    const { heap, pass } = watch(130 * mb);
    for (const utilization of [0, 0, 0.05, 0, 0, 1, 0, 0]) {
      heap.utilization = utilization;
      wait(pass, 5);
    }
    expect(heap.compacted).toBe(0);
    wait(pass, 5);
    expect(heap.compacted).toBe(1);
  });

  it('becomes less by what V8 does', () => {
    const script = `
      import { threadHeap } from '${new URL('./idle-memory.ts', import.meta.url).href}';
      const heap = threadHeap();
      const kept = [];
      for (let i = 0; i < 1_500_000; i += 1) {
        const object = { i, next: { text: 'text ' + i } };
        if (i % 50 === 0) kept.push(object);
      }
      const before = heap.readBytes();
      heap.compact();
      const after = heap.readBytes();
      const utilization = heap.readUtilization();
      console.log(JSON.stringify({ before, after, utilization, kept: kept.length }));`;
    const parameters = ['--expose-gc', '--input-type=module', '--eval', script];
    const output = execFileSync(process.execPath, parameters, { encoding: 'utf8' });
    const { before, after, utilization } = JSON.parse(output) as Record<string, number>;
    expect((before ?? 0) - (after ?? 0)).toBeGreaterThan(10 * mb);
    expect(utilization).toBeGreaterThanOrEqual(0);
    expect(utilization).toBeLessThanOrEqual(1);
  });
});
