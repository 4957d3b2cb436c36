import type { Terminal } from './terminal.ts';

/**
 * Prints each step of a long command when it begins, and its progress on a terminal.
 * @returns a callback that receives a step and its completed share, 0 to 1
 */
export function createStepReporter<Step extends string>(
  { warn, showProgress }: Pick<Terminal, 'warn' | 'showProgress'>,
  labels: Readonly<Record<Step, string>>,
): (step: Step, share: number) => void {
  let current: Step | null = null;
  let shown = 0;
  return (step, share) => {
    const percent = Math.floor(share * 100);
    if (step !== current) {
      showProgress(null);
      warn(`${labels[step]} …`);
    } else if (percent !== shown) {
      showProgress(percent === 100 ? null : `${percent} %`);
    }
    current = step;
    shown = percent;
  };
}

/** A number with its noun: `1 file`, `2 files`. */
export const formatCount = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;
