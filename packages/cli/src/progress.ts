import { toOneLine } from './format.ts';

/** The stream for progress: stderr, because a script may read stdout. */
export interface ProgressOutput {
  readonly isTerminal: boolean;
  write(text: string): void;
}

const barCharacters = 30;

/** `[=====>     ]  42 %  label` */
export function renderProgressBar(share: number, label: string): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barCharacters);
  const head = full > 0 && full < barCharacters ? '>' : '';
  const bar = `${'='.repeat(full - head.length)}${head}`.padEnd(barCharacters);
  const percent = String(Math.floor(share * 100)).padStart(3);
  return `[${bar}] ${percent} %  ${toOneLine(label)}`.trimEnd();
}

/** Redraws one line on a terminal; elsewhere writes a line for each tenth. */
export class ProgressBar {
  readonly #screen: ProgressOutput;
  #tenth = -1;
  #drawn = '';

  constructor(screen: ProgressOutput) {
    this.#screen = screen;
  }

  update(share: number, label: string): void {
    const line = renderProgressBar(share, label);
    if (this.#screen.isTerminal) {
      if (line !== this.#drawn) this.#screen.write(`\r${line}\u001b[K`);
      this.#drawn = line;
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    this.#screen.write(`${line}\n`);
  }

  /** Shows progress without a known total; on a terminal only. */
  count(label: string): void {
    if (!this.#screen.isTerminal || label === this.#drawn) return;
    this.#screen.write(`\r${label}\u001b[K`);
    this.#drawn = label;
  }

  /** Ends the line, so that the next output starts below it. */
  end(): void {
    if (this.#drawn !== '') this.#screen.write('\n');
    this.#drawn = '';
  }
}
