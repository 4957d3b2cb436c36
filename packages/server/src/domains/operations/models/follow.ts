import { SharedPoller } from '../../../database/index.ts';
import {
  createEmbedder,
  resolveEmbeddingSettings,
  toStoredSettings,
} from '../../../providers/embedding/index.ts';
import type { App } from '../../ctx.ts';
import { registerEmbeddingModel } from '../../search-index/index.ts';
import { effectiveModel, readModelChoice } from './choice.ts';
import { settingsOfChoice, toComparableSettings } from './open.ts';

const pollMs = 2_000;

/**
 * Makes the chosen model the current one of this process, if it is not: another process may have
 * begun, undone or completed a change. Throws EmbeddingFailed if the model cannot be created.
 */
export async function followModelChoice(app: App): Promise<void> {
  const { config, engine, clock, log } = app;
  const { open } = app.embedding;
  const configured = await resolveEmbeddingSettings(config);
  const choice = await readModelChoice(engine.db);
  if (choice !== null && choice.configured !== toComparableSettings(configured)) return;
  const settings =
    choice === null ? configured : settingsOfChoice(effectiveModel(choice), configured, config);
  const wanted = toComparableSettings(settings);
  const known = open.currentSettings();
  if (known === null || known === wanted) return;
  const former = open.current.model;
  const reopened = open.findBySettings(wanted);
  if (reopened) open.use(reopened, wanted);
  else {
    const write = { db: engine.db, now: clock.now() };
    const created = await createEmbedder(settings);
    open.use(await registerEmbeddingModel(write, created, toStoredSettings(settings)), wanted);
  }
  log.info({ former, current: open.current.model }, 'current embedding model changed');
}

/** Follows changes by other processes of a server database. */
export function startFollowingModelChoice(app: App): void {
  if (app.engine.kind === 'embedded') return;
  let lastError = '';
  let known = app.embedding.open.currentSettings();
  const poller = new SharedPoller(app, {
    topic: 'embedding-model',
    intervalMs: pollMs,
    async poll() {
      try {
        await followModelChoice(app);
        lastError = '';
        const current = app.embedding.open.currentSettings();
        if (current !== known) poller.shareIfLeader();
        known = current;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (message !== lastError) {
          app.log.warn({ err: error }, 'chosen embedding model not available');
        }
        lastError = message;
      }
    },
  });
  poller.start();
  app.disposables.defer(() => poller.stop());
}
