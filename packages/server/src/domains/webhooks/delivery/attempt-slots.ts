/** Permits attempts, one at a time. */
export interface AttemptSlot {
  /** Moves the slot to or from the failing share; false if that is full: release the slot. */
  setFailing(failing: boolean): boolean;
  release(): void;
}

/**
 * Limits concurrent attempts of a process. Endpoints whose last attempt failed use at most half of
 * the slots, so that endpoints without responses cannot block all others.
 */
export class AttemptSlots {
  readonly #max: number;
  readonly #failingMax: number;
  #acquired = 0;
  #failing = 0;

  constructor(max: number) {
    this.#max = max;
    this.#failingMax = Math.max(1, Math.floor(max / 2));
  }

  get free(): number {
    return this.#max - this.#acquired;
  }

  get freeForFailing(): number {
    return Math.max(0, Math.min(this.free, this.#failingMax - this.#failing));
  }

  /** Null if no slot is free. */
  acquire(failing: boolean): AttemptSlot | null {
    if ((failing ? this.freeForFailing : this.free) <= 0) return null;
    this.#acquired += 1;
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
        this.#acquired -= 1;
      },
    };
  }
}
