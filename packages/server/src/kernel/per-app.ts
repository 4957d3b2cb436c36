/** The lifetime of a running app. */
export interface AppLifetime {
  readonly disposables: AsyncDisposableStack;
}

export interface PerApp<A extends AppLifetime, T> {
  of(app: A): T;
}

/**
 * A stateful part of a domain (a cache, a batcher): one instance per app, created on first use. An
 * instance that needs disposal registers itself in the app's `disposables`. That stack is the key,
 * so that spreads of an app (`{...app, actor}`) share the instance.
 */
export function perApp<A extends AppLifetime, T>(create: (app: A) => T): PerApp<A, T> {
  const instances = new WeakMap<AsyncDisposableStack, T>();
  return {
    of(app) {
      const existing = instances.get(app.disposables);
      if (existing !== undefined) return existing;
      const instance = create(app);
      instances.set(app.disposables, instance);
      return instance;
    },
  };
}

/** A typed hook: an earlier domain runs it, and modules.ts registers listeners of later domains. */
export function createHook<A extends AppLifetime, Args extends readonly unknown[]>() {
  type Listener = (...args: Args) => Promise<void>;
  const listeners = perApp<A, Listener[]>(() => []);
  return {
    on: (app: A, listener: Listener): void => void listeners.of(app).push(listener),
    async run(app: A, ...args: Args): Promise<void> {
      for (const listener of listeners.of(app)) await listener(...args);
    },
  };
}

/** Named extension points: an earlier domain reads what later domains register in modules.ts. */
export function createRegistry<A extends AppLifetime, Name extends string, Item>() {
  const items = perApp<A, Map<Name, Item>>(() => new Map());
  return {
    on: (app: A, name: Name, item: Item): void => void items.of(app).set(name, item),
    of: (app: A, name: Name): Item | undefined => items.of(app).get(name),
  };
}
