import type { FakeClock } from '../../../../../test/support/fake-clock.ts';
import { ModelProcess } from './index.ts';

export class TestModelError extends Error {
  override readonly name = 'Refused';
  readonly unavailable: boolean;
  constructor(message: string, options: ErrorOptions & { unavailable?: boolean }) {
    super(message, options);
    this.unavailable = options.unavailable ?? false;
  }
}

export const neverAborted = new AbortController().signal;
export const timeoutMs = 600_000;
export const idleMs = 300_000;

/** A model that runs fixtures/model.ts and fails to load `fails` times. */
export const createTestModel = (clock: FakeClock, fails = 0) =>
  new ModelProcess<unknown, unknown>(
    {
      name: 'a model',
      script: new URL('./fixtures/model.ts', import.meta.url),
      task: { fails },
      timeoutMs,
      idleMs,
      // More than Node itself needs.
      memoryBytes: 2 ** 31,
      env: { HF_TOKEN: 'of the hub' },
      ErrorClass: TestModelError,
    },
    clock,
  );
