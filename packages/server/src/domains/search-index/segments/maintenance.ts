import { rm } from 'node:fs/promises';
import { metrics } from '../../../kernel/metrics/metrics.ts';
import { perApp } from '../../../kernel/per-app.ts';
import { Poller } from '../../../kernel/poller.ts';
import { WorkerThreadStopped } from '../../../kernel/worker-thread.ts';
import type { App } from '../../ctx.ts';
import { indexCache } from '../index-cache.ts';
import type { SegmentState } from '../loaded-accounts.ts';
import { lockAccountPosition } from '../store/models.ts';
import {
  findRegisteredSegments,
  insertSegment,
  type SegmentRef,
  touchSegments,
} from '../store/segments.ts';
import { segmentFiles } from './segment-files.ts';

const pollMs = 10_000;
/** Erased content leaves the segments within a minute. */
const removeMs = 40_000;
/** How often this process records that it has the files. */
const touchMs = 3_600_000;
/** A smaller account is read from the tables in less time than a person notices. */
const documentsMin = 2_000;
/** Changes that a load reads from the tables, if they are few: a number, or a share. */
const changesMin = 500;
const changesShare = 0.02;
/** Between two segments of an account; and how much longer than a write. */
const intervalMs = 60_000;
const intervalPerWriteMs = 50;
/** After an error. */
const pauseMs = { first: 60_000, last: 3_600_000 };
const dayMs = 86_400_000;
/** A file that is still written after so long is a leftover of a process that was killed. */
const leftoverMs = 600_000;

/** Writes segments of loaded accounts in the background, and deletes those that are not valid. */
class SegmentMaintenance {
  readonly #app: App;
  readonly #poller: Poller;
  /** By account: when its next segment may be written. */
  readonly #nextMs = new Map<string, number>();
  /** The running writes, by account. */
  readonly #writes = new Map<string, Promise<void>>();
  #nextRemovalMs = 0;
  #nextTouchMs = 0;
  #pauseMs = 0;
  #pausedUntilMs = 0;
  #isStopped = false;

  constructor(app: App) {
    this.#app = app;
    this.#poller = new Poller(app.clock, { intervalMs: pollMs, poll: () => this.#poll() });
    // Created first, so that its thread ends after a write.
    const cache = indexCache.of(app);
    cache.beforeRelease = (accountId) => this.#writeBeforeRelease(accountId);
    app.disposables.defer(async () => {
      this.#isStopped = true;
      for (const accountId of this.#writes.keys()) cache.evict(accountId);
      await this.#poller.stop();
      await Promise.all(this.#writes.values());
    });
  }

  start(): void {
    this.#poller.start();
    // What was erased while no process had the files.
    this.#poller.wake();
  }

  /** Resolves when segments that are due are written, and those that are not valid deleted. */
  run(): Promise<void> {
    this.#nextRemovalMs = 0;
    this.#nextTouchMs = 0;
    return this.#poller.poll();
  }

  async #poll(): Promise<void> {
    try {
      if (this.#app.clock.monotonicMs() >= this.#nextRemovalMs) await this.#removeInvalid();
      if (segmentFiles.of(this.#app).isEnabled) await this.#writeDue();
      indexCache.of(this.#app).releaseIdle();
    } catch (error) {
      // Without the database nothing can be decided; the next poll tries again.
      this.#app.log.debug({ err: error }, 'maintenance of index segments failed');
    }
  }

  /** Erased, superseded, of another account, unknown to the database, or unfinished. */
  async #removeInvalid(): Promise<void> {
    const { clock, engine } = this.#app;
    const files = segmentFiles.of(this.#app);
    const now = clock.now();
    this.#nextRemovalMs = clock.monotonicMs() + removeMs;
    const listed = await files.list(new Date(now.getTime() - leftoverMs));
    await files.removeNames(listed.leftovers);
    if (listed.segments.length === 0) return;
    const registered = await findRegisteredSegments(engine.db, listed.segments);
    const kept = new Map<string, (typeof registered)[number]>();
    for (const segment of registered) {
      const other = kept.get(segment.accountId);
      if (!files.isEnabled || !segment.isValid) continue;
      if (!other || other.position < segment.position) kept.set(segment.accountId, segment);
    }
    const isKept = ({ accountId, id }: SegmentRef) => kept.get(accountId)?.id === id;
    const removed = listed.segments.filter((segment) => !isKept(segment));
    await files.remove(removed);
    for (const { accountId } of removed) {
      if (!kept.has(accountId)) indexCache.of(this.#app).loaded.setUnsegmented(accountId);
    }
    if (clock.monotonicMs() >= this.#nextTouchMs) {
      const ifBefore = new Date(now.getTime() - dayMs);
      await touchSegments(engine.db, [...kept.values()], { now, ifBefore });
      this.#nextTouchMs = clock.monotonicMs() + touchMs;
    }
    for (const { accountId, position } of kept.values()) {
      indexCache.of(this.#app).loaded.setSegmented(accountId, position);
    }
    // The first search of such an account then waits for its segment only.
    const { threads } = indexCache.of(this.#app);
    for (const accountId of kept.keys()) threads.of(accountId).startAhead();
  }

  /** One at a time. */
  async #writeDue(): Promise<void> {
    for (const state of indexCache.of(this.#app).loaded.listSegmentStates()) {
      if (this.#isPaused) return;
      if (!isDue(state) || this.#isTooEarly(state)) continue;
      if (this.#writes.has(state.accountId)) continue;
      await this.#startWrite(state);
    }
  }

  /** So that the next load of an account that is larger than the memory limit reads a segment. */
  async #writeBeforeRelease(accountId: string): Promise<void> {
    await this.#writes.get(accountId);
    if (this.#isStopped || this.#isPaused || !segmentFiles.of(this.#app).isEnabled) return;
    const states = indexCache.of(this.#app).loaded.listSegmentStates();
    const state = states.find((one) => one.accountId === accountId);
    if (!state || !isDue(state)) return;
    // Without a segment the next load takes longer than a write.
    if (state.hasSegment && this.#isTooEarly(state)) return;
    await this.#startWrite(state);
  }

  get #isPaused(): boolean {
    return this.#app.clock.monotonicMs() < this.#pausedUntilMs;
  }

  #isTooEarly({ accountId }: SegmentState): boolean {
    return this.#app.clock.monotonicMs() < (this.#nextMs.get(accountId) ?? 0);
  }

  /** Resolves also after an error. */
  async #startWrite(state: SegmentState): Promise<void> {
    const write = this.#write(state).then(
      () => {
        this.#pauseMs = 0;
      },
      (error: unknown) => {
        // Its account is not loaded any more; those of other threads are.
        if (error instanceof WorkerThreadStopped) this.#delayNext(state, 0);
        else this.#pause(error);
      },
    );
    this.#writes.set(state.accountId, write);
    await write;
    this.#writes.delete(state.accountId);
  }

  async #write(state: SegmentState): Promise<void> {
    const { accountId, bytes } = state;
    const { clock, engine, ids } = this.#app;
    const files = segmentFiles.of(this.#app);
    const segment = { accountId, id: ids.uuid() };
    const file = files.temporaryFileOf(segment);
    const startedMs = clock.monotonicMs();
    await files.ensureFolder();
    if ((await files.freeBytes()) < bytes) {
      throw new Error('There is too little free disk space for index segments.');
    }
    try {
      const written = await indexCache.of(this.#app).writeSegment(accountId, segment.id, file);
      const isRegistered =
        written !== null &&
        (await engine.transaction(async (tx) => {
          await lockAccountPosition(tx, accountId);
          return insertSegment(tx, segment, { ...written, now: clock.now() });
        }));
      if (isRegistered) await files.publish(segment);
      else await this.#discard(segment);
      metrics
        .of(this.#app)
        .count('mneme_index_segment_writes_total', { result: isRegistered ? 'ok' : 'discarded' });
    } catch (error) {
      await this.#discard(segment).catch(() => undefined);
      throw error;
    }
    this.#delayNext(state, clock.monotonicMs() - startedMs);
  }

  #delayNext({ accountId }: SegmentState, tookMs: number): void {
    const waitMs = Math.max(intervalMs, tookMs * intervalPerWriteMs);
    this.#nextMs.set(accountId, this.#app.clock.monotonicMs() + waitMs);
  }

  /** Deletes a written file that is not registered. */
  async #discard(segment: SegmentRef): Promise<void> {
    indexCache.of(this.#app).loaded.setUnsegmented(segment.accountId);
    await rm(segmentFiles.of(this.#app).temporaryFileOf(segment), { force: true });
  }

  /** Searches do not need segments: one warning, then longer and longer pauses. */
  #pause(error: unknown): void {
    const { clock, log } = this.#app;
    if (this.#pauseMs === 0) {
      log.warn({ err: error }, 'index segment not written; searches continue without it');
    }
    this.#pauseMs = Math.min(pauseMs.last, Math.max(pauseMs.first, this.#pauseMs * 2));
    this.#pausedUntilMs = clock.monotonicMs() + this.#pauseMs;
    metrics.of(this.#app).count('mneme_index_segment_writes_total', { result: 'failed' });
  }
}

function isDue({ documents, unsegmented, isOversized, hasSegment }: SegmentState): boolean {
  if (isOversized && !hasSegment) return true;
  const isLarge = isOversized || documents >= documentsMin;
  return isLarge && unsegmented > Math.max(changesMin, documents * changesShare);
}

export const segmentMaintenance = perApp<App, SegmentMaintenance>(
  (app) => new SegmentMaintenance(app),
);
