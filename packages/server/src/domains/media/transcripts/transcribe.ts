import { planLimits } from '@mneme/contract';
import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { LeaseLost, type RunningJob, type requeue } from '../../../jobs/job-worker.ts';
import { TranscriptionFailed } from '../../../providers/transcription/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import { findMemory, lockMemoriesForNoKeyUpdate, presentMemory } from '../../memories/index.ts';
import { retryOnModelChange } from '../../search-index/index.ts';
import { requireBlob } from '../require-media.ts';
import { runMediaJob } from '../runs/job.ts';
import { isClaimed } from '../runs/store.ts';
import { removeSegmentsOfOtherRuns, type SegmentRun, writeSegments } from '../segments/segments.ts';
import { findFile } from '../store/files.ts';
import { analyseTranscript } from './analyse-transcript.ts';
import { prepareContentUpdate } from './content.ts';
import { ignoredOptions, toProviderOptions } from './options.ts';
import { findTranscriber } from './request.ts';
import {
  type AcquiredTranscript,
  acquireTranscript,
  completeTranscript,
  failTranscript,
  findTranscript,
  savePartialSegments,
  type TranscriptResult,
} from './store.ts';
import { transcribeWindows } from './transcribe-windows.ts';

/** Job: listens, understands, and in one transaction makes what was said known and found. */
export function transcribe(app: App, job: RunningJob): Promise<typeof requeue | undefined> {
  return runMediaJob<AcquiredTranscript>(app, job, {
    table: 'transcripts',
    modality: 'speech',
    find: findTranscript,
    acquire: acquireTranscript,
    run: produceTranscript,
    fail: failTranscript,
    ProviderError: TranscriptionFailed,
    unreadableMessage: 'its sound cannot be read',
  });
}

async function produceTranscript(
  ctx: Ctx,
  job: RunningJob,
  held: AcquiredTranscript,
): Promise<void> {
  const { engine, actor } = ctx;
  const file = await findFile(engine.db, actor.accountId, held.memory_id);
  const memory = await findMemory(engine.db, actor.accountId, held.memory_id);
  if (!file || !memory) return;
  await requireBlob(ctx, file);
  const { options } = held;
  const transcriber = findTranscriber(ctx, options.provider);
  if (!transcriber) {
    const who = options.provider ?? 'transcription';
    throw new TranscriptionFailed(`${who} is no longer configured (MNEME_TRANSCRIPTION_*)`);
  }
  const hints = toProviderOptions(options);
  await using pulse = new JobHeartbeat(ctx.clock, job);
  const heard = await transcribeWindows(ctx, file, { transcriber, options: hints }, held.heard, {
    signal: pulse.signal,
    async keep(so_far, share) {
      pulse.reportProgress(share);
      if (!(await savePartialSegments(engine.db, held, so_far))) throw new LeaseLost();
      await job.saveProgress(share);
    },
  });
  const at = memory.occurred_at ?? memory.created_at;
  const understood = await analyseTranscript(
    ctx.language,
    heard.segments,
    at,
    options,
    pulse.signal,
  );
  pulse.reportProgress(0.95);
  const hintTaken = transcriber.supportedHints.has('language') ? hints.language : undefined;
  const words = heard.segments.map(({ text }) => text).join(' ');
  const stretches = heard.segments.map((segment) => ({ ...segment, labels: null }));
  const run: SegmentRun = {
    ...{ accountId: actor.accountId, memoryId: memory.id, modality: 'speech' },
    ...{ attempt: held.attempt, signal: pulse.signal },
    isClaimed: (tx) => isClaimed(tx, 'transcripts', held),
  };
  await removeSegmentsOfOtherRuns(ctx, run, [held.shown_attempt, held.attempt]);
  await writeSegments(ctx, run, stretches);
  const result = {
    provider: transcriber.provider,
    full_transcript: words,
    language: heard.language ?? hintTaken ?? null,
    language_confidence: heard.languageConfidence,
    duration: file.duration ?? heard.seconds,
    ignored_options: ignoredOptions(transcriber, options, heard.segments),
    ...understood,
  };
  await storeTranscript(ctx, held, result);
  await removeSegmentsOfOtherRuns(ctx, run, [held.attempt]);
}

/** The transcript and the content of its memory, in one transaction. Throws LeaseLost. */
async function storeTranscript(
  ctx: Ctx,
  held: AcquiredTranscript,
  result: TranscriptResult & { readonly full_transcript: string },
): Promise<void> {
  const { accountId } = ctx.actor;
  await retryOnModelChange(ctx, async () => {
    const said = { former: held.full_transcript, words: result.full_transcript };
    const content = await prepareContentUpdate(
      ctx,
      held.memory_id,
      said,
      await contentBytesMax(ctx),
    );
    await withTransaction(ctx, async (inTx) => {
      // First the memory, as everybody who locks both does: it neither moves nor goes meanwhile.
      await content.save(inTx);
      const [current] = await lockMemoriesForNoKeyUpdate(inTx.tx, accountId, [held.memory_id]);
      const isOurs = await completeTranscript(inTx.tx, held, result, inTx.clock.now());
      if (!isOurs || !current) throw new LeaseLost();
      inTx.journal.addEvent({
        accountId: current.account_id,
        type: 'audio.transcribed',
        spaceId: current.space_id,
        data: presentMemory(current, inTx.clock.now()),
      });
    });
  });
}

/** A job acts for the account without a limit of its own: the plan is that of the account. */
async function contentBytesMax({ engine, actor }: Ctx): Promise<number> {
  const account = await findAccountActor(engine.db, actor.accountId);
  return planLimits[account?.actor.plan ?? actor.plan].content_bytes;
}
