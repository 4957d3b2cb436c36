import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { lowerPriority } from './process-priority.ts';

it('the priority of a process is lowered and never raised, and a failure is no error', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(child, 'spawn');
  const pid = child.pid as number;
  lowerPriority(12, pid);
  lowerPriority(7, pid);
  expect(getPriority(pid)).toBe(Math.max(getPriority(), 12));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(() => getPriority(pid)).toThrow();
  expect(() => lowerPriority(15, pid)).not.toThrow();
});
