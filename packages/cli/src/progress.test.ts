import { describe, expect, it } from 'vitest';
import { ProgressBar, renderProgressBar } from './progress.ts';

describe('renderProgressBar', () => {
  it.each([
    [0, '[                              ]   0 %  x'],
    [0.5, '[==============>               ]  50 %  x'],
    [0.999, '[==============================]  99 %  x'],
    [1, '[==============================] 100 %  x'],
  ])('renders %d', (share, line) => {
    expect(renderProgressBar(share, 'x')).toBe(line);
  });
});

describe('Progress', () => {
  const shown = (isTerminal: boolean, shares: readonly number[]): string => {
    let text = '';
    const write = (more: string): void => {
      text += more;
    };
    const progress = new ProgressBar({ isTerminal, write });
    for (const share of shares) progress.update(share, 'rows');
    progress.end();
    return text;
  };

  it('redraws one line on a terminal, and ends it with a line break', () => {
    const text = shown(true, [0, 0.5, 0.5, 1]);
    expect(text.split('\r').slice(1)).toHaveLength(3);
    expect(text.endsWith('100 %  rows\u001b[K\n')).toBe(true);
  });

  it('writes a line for each tenth elsewhere, without escape sequences', () => {
    const text = shown(false, [0, 0.01, 0.05, 0.11, 0.19, 0.95, 1]);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(33)),
    ).toEqual(['  0 %  rows', ' 11 %  rows', ' 95 %  rows', '100 %  rows']);
    expect(text).not.toContain('\u001b');
  });
});
