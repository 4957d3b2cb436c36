import { expect, it } from 'vitest';
import { ShutdownStages } from './shutdown-stages.ts';

it('the stages of a shutdown end in reverse order, each after all that belongs to it', async () => {
  const stages = new ShutdownStages();
  const seen: (string | null)[] = [];
  const part = { [Symbol.asyncDispose]: async () => void seen.push(stages.current) };
  const stack = new AsyncDisposableStack();
  expect(stages.current).toBeNull();
  stages.begin(stack, 'database');
  stack.use(part);
  stack.use(part);
  stages.begin(stack, 'requests');
  expect(stages.current).toBe('requests');
  stack.use(part);
  await stack.disposeAsync();
  expect(seen).toEqual(['requests', 'database', 'database']);
  expect(stages.current).toBeNull();
});
