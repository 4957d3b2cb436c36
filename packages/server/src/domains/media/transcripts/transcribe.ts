import { planLimits } from '@mneme/contract';
import { sharedOwner } from '../../../events/shared-owner.ts';
import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import type { RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { TranscriptionFailed } from '../../../providers/transcription/index.ts';
import { findAccountActor } from '../../accounts/index.ts';
import { type App, type Ctx, withTransaction } from '../../ctx.ts';
import {
  findMemory,
  lockMemoriesForNoKeyUpdate,
  presentEventMemory,
} from '../../memories/index.ts';
import { retryOnModelChange } from '../../search-index/index.ts';
import { requireBlob } from '../require-media.ts';
import { runMediaJob } from '../runs/media-job.ts';
import { isClaimed } from '../runs/store/job-claims.ts';
import { removeSegmentsOfOtherRuns, type SegmentRun, writeSegments } from '../segments/segments.ts';
import { findFile } from '../store/files.ts';
import { analyseTranscript } from './analyse-transcript.ts';
import { prepareContentUpdate } from './content.ts';
import { ignoredOptions, toProviderOptions } from './provider-options.ts';
import { findTranscriber } from './request.ts';
import {
  type AcquiredTranscript,
  acquireTranscript,
  completeTranscript,
  failTranscript,
  findTranscript,
  savePartialSegments,
  type TranscriptResult,
} from './store/transcripts.ts';
import { transcribeWindows } from './transcribe-windows.ts';

/** Job: transcribes a recording, analyses the transcript and stores the result. */
export function runTranscriptionJob(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  return runMediaJob<AcquiredTranscript>(app, job, {
    table: 'transcripts',
    modality: 'speech',
    find: findTranscript,
    acquire: acquireTranscript,
    run: produceTranscript,
    fail: failTranscript,
    ProviderError: TranscriptionFailed,
    unreadableMessage: 'the audio track cannot be decoded',
  });
}

async function produceTranscript(
  ctx: Ctx,
  job: RunningJob,
  claim: AcquiredTranscript,
): Promise<void> {
  const { engine, actor } = ctx;
  const file = await findFile(engine.db, actor.accountId, claim.memory_id);
  const memory = await findMemory(ctx, claim.memory_id);
  if (!file || !memory) return;
  await requireBlob(ctx, file);
  const { options } = claim;
  const transcriber = findTranscriber(ctx, options.provider);
  if (!transcriber) {
    const who = options.provider ?? 'transcription';
    throw new TranscriptionFailed(`${who} is no longer configured (MNEME_TRANSCRIPTION_*)`);
  }
  const hints = toProviderOptions(options);
  await using heartbeat = new JobHeartbeat(ctx.clock, job);
  const heard = await transcribeWindows(
    ctx,
    file,
    { transcriber, options: hints },
    claim.partial_segments,
    {
      signal: heartbeat.signal,
      async keep(partial, share) {
        heartbeat.reportProgress(share);
        if (!(await savePartialSegments(engine.db, claim, partial))) throw new LeaseLost();
        await job.saveProgress(share);
      },
    },
  );
  const at = memory.occurred_at ?? memory.created_at;
  const analysis = await analyseTranscript(
    ctx.language,
    heard.segments,
    at,
    options,
    heartbeat.signal,
  );
  heartbeat.reportProgress(0.95);
  const languageHint = transcriber.supportedHints.has('language') ? hints.language : undefined;
  const words = heard.segments.map(({ text }) => text).join(' ');
  const segments = heard.segments.map((segment) => ({ ...segment, labels: null }));
  const run: SegmentRun = {
    ...{ accountId: actor.accountId, memoryId: memory.id, modality: 'speech' },
    ...{ attempt: claim.attempt, signal: heartbeat.signal },
    isClaimed: (tx) => isClaimed(tx, 'transcripts', claim),
  };
  await removeSegmentsOfOtherRuns(ctx, run, [claim.completed_attempt, claim.attempt]);
  await writeSegments(ctx, run, segments);
  const result = {
    provider: transcriber.provider,
    full_transcript: words,
    language: heard.language ?? languageHint ?? null,
    language_confidence: heard.languageConfidence,
    duration: file.duration ?? heard.seconds,
    ignored_options: ignoredOptions(transcriber, options, heard.segments),
    ...analysis,
  };
  await storeTranscript(ctx, claim, result);
  await removeSegmentsOfOtherRuns(ctx, run, [claim.attempt]);
}

/** Stores the transcript and the content of its memory in one transaction. Throws LeaseLost. */
async function storeTranscript(
  ctx: Ctx,
  claim: AcquiredTranscript,
  result: TranscriptResult & { readonly full_transcript: string },
): Promise<void> {
  const { accountId } = ctx.actor;
  await retryOnModelChange(ctx, async () => {
    const transcripts = { previous: claim.full_transcript, words: result.full_transcript };
    const content = await prepareContentUpdate(
      ctx,
      claim.memory_id,
      transcripts,
      await contentBytesMax(ctx),
    );
    await withTransaction(ctx, async (inTx) => {
      // The memory is locked before the transcript, as in all transactions that lock both.
      await content.save(inTx);
      const [current] = await lockMemoriesForNoKeyUpdate(inTx.tx, accountId, [claim.memory_id]);
      const isStillClaimed = await completeTranscript(inTx.tx, claim, result, inTx.clock.now());
      if (!isStillClaimed || !current) throw new LeaseLost();
      inTx.journal.addEvent({
        accountId: current.account_id,
        type: 'audio.transcribed',
        spaceId: current.space_id,
        owner: sharedOwner([current]),
        data: await presentEventMemory(inTx, current),
      });
    });
  });
}

/** A job's actor has no limits, so the limit is read from the plan of the account. */
async function contentBytesMax({ engine, actor }: Ctx): Promise<number> {
  const account = await findAccountActor(engine.db, actor.accountId);
  return planLimits[account?.actor.plan ?? actor.plan].content_bytes;
}
