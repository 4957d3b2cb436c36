import type { Memory } from '@mneme/contract';
import { isOutOfReach } from '../../engine/index.ts';
import { AppError } from '../../kernel/errors.ts';
import { service } from '../../kernel/service.ts';
import { bell } from '../../work/bell.ts';
import { Journal } from '../../work/journal.ts';
import { type App, type Ctx, inTransaction } from '../ctx.ts';
import type { Reply } from '../handle.ts';
import { type MemoryRecord, replyWith } from './model.ts';
import { overtaken, type Prepared, storeMemories } from './storing.ts';

interface Waiting {
  readonly prepared: Prepared;
  readonly resolve: (reply: Reply<Memory>) => void;
  readonly reject: (error: unknown) => void;
}

const groupMax = 64;

/**
 * Group commit: creates that arrive while a transaction runs share the next one, so that one
 * fsync serves them all. Each request's seal is written with its memory.
 */
class GroupWriter {
  readonly #app: App;
  readonly #waiting: Waiting[] = [];
  #running = false;

  constructor(app: App) {
    this.#app = app;
  }

  add(prepared: Prepared): Promise<Reply<Memory>> {
    if (inTransaction(prepared.ctx)) throw new Error('a group cannot join a transaction');
    const outcome = new Promise<Reply<Memory>>((resolve, reject) => {
      this.#waiting.push({ prepared, resolve, reject });
    });
    if (!this.#running) void this.#run();
    return outcome;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, groupMax);
      await this.#commit(group);
    }
    this.#running = false;
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      let told: ReadonlySet<string> = new Set();
      const outcomes = await this.#app.engine.transaction(async (tx) => {
        const journal = new Journal();
        const items = group.map(({ prepared }) => prepared);
        const stored = await storeMemories({ ...this.#app, tx, journal }, items);
        const replies = stored.map((outcome, i) => this.#reply(outcome, items[i]?.ctx));
        for (const [i, reply] of replies.entries()) {
          if (!(reply instanceof AppError)) await items[i]?.ctx.seal?.(tx, reply);
        }
        await journal.flush(tx, this.#app);
        told = journal.told;
        return replies;
      });
      bell.of(this.#app).ring(told);
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i];
        if (outcome === undefined || outcome instanceof AppError) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      if (group.length > 1) return this.#commitEach(group);
      for (const { reject } of group) reject(overtaken(error) ?? error);
      // Everybody behind would wait as long, one group after the other.
      if (isOutOfReach(error)) for (const { reject } of this.#waiting.splice(0)) reject(error);
    }
  }

  /** One member's fault must not fail the others: each tries again on its own. */
  async #commitEach(group: readonly Waiting[]): Promise<void> {
    const rest = [...group];
    for (let member = rest.shift(); member; member = rest.shift()) {
      const { reject } = member;
      const tried = {
        ...member,
        reject: (error: unknown) => {
          reject(error);
          if (isOutOfReach(error)) for (const one of rest.splice(0)) one.reject(error);
        },
      };
      await this.#commit([tried]);
    }
  }

  #reply(outcome: MemoryRecord | AppError, ctx: Ctx | undefined): Reply<Memory> | AppError {
    if (outcome instanceof AppError) return outcome;
    return replyWith(outcome, (ctx ?? this.#app).clock.now());
  }
}

export const groupWriter = service<App, GroupWriter>((app) => new GroupWriter(app));
