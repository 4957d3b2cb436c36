import { perApp } from '../../../kernel/per-app.ts';
import type { App } from '../../ctx.ts';
import { KeyedBatches } from '../../keyed-batches.ts';
import { type AttemptRecord, recordAttempts, type WebhookState } from './store/attempts.ts';

/** Per statement. */
const attemptsMax = 100;

/** Attempts of an account that end during a commit share the next one. */
class AttemptRecorder {
  readonly #batches: KeyedBatches<AttemptRecord, WebhookState | null>;

  constructor({ engine, clock }: App) {
    this.#batches = new KeyedBatches<AttemptRecord, WebhookState | null>({
      countNext: (waiting) => Math.min(waiting.length, attemptsMax),
      // A single statement is its own transaction, with one round trip instead of three.
      write: (attempts) => recordAttempts(engine.db, attempts, clock.now()),
    });
  }

  /** Null: another process attempted the delivery, or it is deleted. */
  record(attempt: AttemptRecord): Promise<WebhookState | null> {
    return this.#batches.add(attempt.account_id, attempt);
  }
}

export const attemptRecorder = perApp((app: App) => new AttemptRecorder(app));
