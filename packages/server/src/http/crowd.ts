import type { App } from '../domains/ctx.ts';
import { AppError } from '../kernel/errors.ts';
import { service } from '../kernel/service.ts';

const comeAgainSeconds = 1;

/**
 * Requests under way in this process. Where the database or a model keeps all of them waiting, one
 * more would only wait longer, and what waits takes memory.
 */
class Crowd {
  readonly #max: number;
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** The way out, to be called once or more. Throws 503 service_unavailable. */
  enter(): () => void {
    if (this.#count >= this.#max) {
      throw new AppError('service_unavailable', {
        message: 'Too many requests are under way here: come again a little later.',
        headers: { 'retry-after': String(comeAgainSeconds) },
      });
    }
    this.#count += 1;
    let inside = true;
    return () => {
      if (inside) this.#count -= 1;
      inside = false;
    };
  }
}

export const crowd = service<App, Crowd>(({ config }) => new Crowd(config.requestsMax));
