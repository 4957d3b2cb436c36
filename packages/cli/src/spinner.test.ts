import { expect, it } from 'vitest';
import { withSpinner } from './spinner.ts';

/** Work that ends after so many ticks of the timer. */
async function shown(isTerminal: boolean, ticks: number): Promise<string> {
  let text = '';
  let nowMs = 0;
  let stopped = false;
  let finish = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const repeat = (firstMs: number, intervalMs: number, run: () => void) => {
    for (let i = 0; i < ticks; i += 1) {
      nowMs += i === 0 ? firstMs : intervalMs;
      run();
    }
    finish();
    return () => {
      stopped = true;
    };
  };
  const write = (more: string): void => {
    text += more;
  };
  const ended = withSpinner({ isTerminal, write }, work, repeat, () => nowMs);
  if (!isTerminal) finish();
  await ended;
  expect(stopped).toBe(isTerminal);
  return text;
}

it('shows on a terminal how long the work takes, and removes the line at the end', async () => {
  expect(await shown(true, 3)).toBe('\r| 1 s\u001b[K\r/ 1 s\u001b[K\r- 1 s\u001b[K\r\u001b[K');
});

it('shows nothing for work of less than a second, or without a terminal', async () => {
  expect(await shown(true, 0)).toBe('');
  expect(await shown(false, 3)).toBe('');
});
