/** What every part of one running app can be asked for. */
export interface AppScope {
  readonly disposables: AsyncDisposableStack;
}

export interface PerApp<A extends AppScope, T> {
  of(app: A): T;
}

/**
 * A stateful part of a domain (a cache, a batcher): one per app, made on first use; what has to be
 * ended joins the app's `disposables` when it is made. That stack is the key, so that a spread of
 * an app (`{...app, actor}`) shares its parts.
 */
export function perApp<A extends AppScope, T>(make: (app: A) => T): PerApp<A, T> {
  const made = new WeakMap<AsyncDisposableStack, T>();
  return {
    of(app) {
      const known = made.get(app.disposables);
      if (known !== undefined) return known;
      const fresh = make(app);
      made.set(app.disposables, fresh);
      return fresh;
    },
  };
}

/** A typed hook: an earlier domain calls it, later domains register, in the composition root. */
export function hook<A extends AppScope, Args extends readonly unknown[]>() {
  type Listener = (...args: Args) => Promise<void>;
  const listeners = perApp<A, Listener[]>(() => []);
  return {
    on: (app: A, listener: Listener): void => void listeners.of(app).push(listener),
    async run(app: A, ...args: Args): Promise<void> {
      for (const listener of listeners.of(app)) await listener(...args);
    },
  };
}
