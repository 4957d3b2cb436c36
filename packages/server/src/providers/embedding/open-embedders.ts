import type { Clock } from '../../kernel/clock.ts';
import type { Embedder } from './embedding.ts';

/** Requests that began with a former model have ended after so long. */
const releaseMs = 120_000;

/** The embedders of a process: the current one, and former ones that accounts still use. */
export class OpenEmbedders implements AsyncDisposable {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #open = new Map<string, Embedder>();
  /** The models by their comparable settings. */
  readonly #bySettings = new Map<string, string>();
  readonly #retired: Promise<void>[] = [];
  #current: Embedder;
  #currentSettings: string | null;

  /** @param settings comparable settings of the embedder; null: it has none */
  constructor(current: Embedder, settings: string | null, clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
    this.#current = current;
    this.#currentSettings = settings;
    this.#open.set(current.model, current);
    if (settings !== null) this.#bySettings.set(settings, current.model);
  }

  currentSettings(): string | null {
    return this.#currentSettings;
  }

  findBySettings(settings: string): Embedder | undefined {
    return this.#open.get(this.#bySettings.get(settings) ?? '');
  }

  get current(): Embedder {
    return this.#current;
  }

  /** The embedder of a model, if it is open. */
  find(model: string): Embedder | undefined {
    return this.#open.get(model);
  }

  /** Replaces the current embedder, which stays open. */
  use(embedder: Embedder, settings: string): void {
    this.#current = embedder;
    this.#currentSettings = settings;
    this.#open.set(embedder.model, embedder);
    this.#bySettings.set(settings, embedder.model);
  }

  /** Closes the embedders of other models after a while. */
  releaseOthersLater(): void {
    this.#clock.after(releaseMs, () => {
      for (const [model, embedder] of this.#open) {
        if (embedder === this.#current) continue;
        this.#open.delete(model);
        this.#retired.push(Promise.resolve(embedder[Symbol.asyncDispose]()));
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#retired);
    for (const embedder of this.#open.values()) await embedder[Symbol.asyncDispose]();
  }
}
