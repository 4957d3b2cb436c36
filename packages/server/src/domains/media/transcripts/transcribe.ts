import { planLimits } from '@mneme/contract';
import { TranscriptionFailed } from '../../../providers/transcription/index.ts';
import { Pulse } from '../../../work/pulse.ts';
import { type again, LeaseLost, type RunningJob } from '../../../work/worker.ts';
import { accountActor } from '../../accounts/index.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import { untilModelHolds } from '../../index/index.ts';
import { findMemory, lockRecords, presentMemory } from '../../memories/index.ts';
import { requireBytes } from '../known.ts';
import { runMaking } from '../runs/job.ts';
import { isHeld } from '../runs/store.ts';
import { type Run, removeOfOthers, writeSegments } from '../segments/segments.ts';
import { findFile } from '../store/files.ts';
import { transcriberOf } from './ask.ts';
import { rewrite } from './content.ts';
import { listen } from './listen.ts';
import { hintsOf, ignoredOptions } from './options.ts';
import {
  completeTranscript,
  failTranscript,
  findTranscript,
  keepHeard,
  type TakenTranscript,
  takeTranscript,
} from './store.ts';
import { understand } from './understand.ts';

/** Job: listens, understands, and in one transaction makes what was said known and found. */
export function transcribe(app: App, job: RunningJob): Promise<typeof again | undefined> {
  return runMaking<TakenTranscript>(app, job, {
    made: 'transcripts',
    modality: 'speech',
    find: findTranscript,
    take: takeTranscript,
    make,
    fail: failTranscript,
    Failed: TranscriptionFailed,
    unreadable: 'its sound cannot be read',
  });
}

async function make(ctx: Ctx, job: RunningJob, held: TakenTranscript): Promise<void> {
  const { engine, actor } = ctx;
  const file = await findFile(engine.db, actor.accountId, held.memory_id);
  const memory = await findMemory(engine.db, actor.accountId, held.memory_id);
  if (!file || !memory) return;
  await requireBytes(ctx, file);
  const { options } = held;
  const transcriber = transcriberOf(ctx, options.provider);
  if (!transcriber) {
    const who = options.provider ?? 'transcription';
    throw new TranscriptionFailed(`${who} is no longer configured (MNEME_TRANSCRIPTION_*)`);
  }
  const hints = hintsOf(options);
  await using pulse = new Pulse(ctx.clock, job);
  const heard = await listen(ctx, file, { transcriber, options: hints }, held.heard, {
    signal: pulse.signal,
    async keep(so_far, share) {
      pulse.report(share);
      if (!(await keepHeard(engine.db, held, so_far))) throw new LeaseLost();
      await job.progress(share);
    },
  });
  const at = memory.occurred_at ?? memory.created_at;
  const understood = await understand(ctx.language, heard.segments, at, options, pulse.signal);
  pulse.report(0.95);
  const hintTaken = transcriber.takes.has('language') ? hints.language : undefined;
  const words = heard.segments.map(({ text }) => text).join(' ');
  const stretches = heard.segments.map((segment) => ({ ...segment, labels: null }));
  const run: Run = {
    ...{ accountId: actor.accountId, memoryId: memory.id, modality: 'speech' },
    ...{ attempt: held.attempt, signal: pulse.signal },
    holds: (tx) => isHeld(tx, 'transcripts', held),
  };
  await removeOfOthers(ctx, run, [held.shown_attempt, held.attempt]);
  await writeSegments(ctx, run, stretches);
  await untilModelHolds(ctx, async () => {
    const said = { former: held.full_transcript, words };
    const content = await rewrite(ctx, memory.id, said, await contentBytesMax(ctx));
    await withTransaction(ctx, async (inTx) => {
      const made = {
        provider: transcriber.provider,
        full_transcript: words,
        language: heard.language ?? hintTaken ?? null,
        language_confidence: heard.languageConfidence,
        duration: file.duration ?? heard.seconds,
        ignored_options: ignoredOptions(transcriber, options, heard.segments),
        ...understood,
      };
      // First the memory, as everybody who locks both does: it neither moves nor goes meanwhile.
      await content.save(inTx);
      const [current] = await lockRecords(inTx.tx, actor.accountId, [memory.id]);
      const isOurs = await completeTranscript(inTx.tx, held, made, inTx.clock.now());
      if (!isOurs || !current) throw new LeaseLost();
      inTx.journal.event({
        accountId: current.account_id,
        type: 'audio.transcribed',
        spaceId: current.space_id,
        data: presentMemory(current, inTx.clock.now()),
      });
    });
  });
  await removeOfOthers(ctx, run, [held.attempt]);
}

/** A job acts for the account without a limit of its own: the plan is that of the account. */
async function contentBytesMax({ engine, actor }: Ctx): Promise<number> {
  const account = await accountActor(engine.db, actor.accountId);
  return planLimits[account?.actor.plan ?? actor.plan].content_bytes;
}
