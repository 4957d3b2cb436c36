import type { HandClock } from '../../../../../test/support/hand-clock.ts';
import { ModelProcess } from './index.ts';

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly unavailable: boolean;
  constructor(message: string, options: ErrorOptions & { unavailable?: boolean }) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}

export const never = new AbortController().signal;
export const patienceMs = 600_000;
export const idleMs = 300_000;

/** A model that answers by fixtures/model.ts, and cannot be loaded so many times. */
export const createModel = (clock: HandClock, fails = 0) =>
  new ModelProcess<unknown, unknown>(
    {
      name: 'a model',
      script: new URL('./fixtures/model.ts', import.meta.url),
      task: { fails },
      patienceMs,
      idleMs,
      // What Node itself wants is less.
      memoryBytes: 2 ** 31,
      env: { HF_TOKEN: 'of the hub' },
      Failed: Refused,
    },
    clock,
  );
