/** The right to make attempts, one at a time. */
export interface Slot {
  /** One whose attempts fail holds one of the fewer; false where none is free: give it back. */
  setFailing(failing: boolean): boolean;
  release(): void;
}

/**
 * How many attempts are under way in a process. Endpoints whose last attempt failed hold at most
 * half: those that never answer would hold all of them.
 */
export class Slots {
  readonly #max: number;
  readonly #failingMax: number;
  #held = 0;
  #failing = 0;

  constructor(max: number) {
    this.#max = max;
    this.#failingMax = Math.max(1, Math.floor(max / 2));
  }

  get free(): number {
    return this.#max - this.#held;
  }

  get freeForFailing(): number {
    return Math.max(0, Math.min(this.free, this.#failingMax - this.#failing));
  }

  /** Null where none is free. */
  acquire(failing: boolean): Slot | null {
    if ((failing ? this.freeForFailing : this.free) <= 0) return null;
    this.#held += 1;
    let isFailing = false;
    const count = (next: boolean): void => {
      this.#failing += Number(next) - Number(isFailing);
      isFailing = next;
    };
    count(failing);
    return {
      setFailing: (next) => {
        count(next);
        return !next || this.#failing <= this.#failingMax;
      },
      release: () => {
        count(false);
        this.#held -= 1;
      },
    };
  }
}
