import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import type { RunningJob, requeueResult } from '../../../jobs/job-worker.ts';
import { LeaseLost } from '../../../kernel/lease.ts';
import { CpuBudget } from '../../../providers/ffmpeg/index.ts';
import {
  type FrameDescription,
  VisionFailed,
  type VisionModel,
} from '../../../providers/vision/index.ts';
import type { App, Ctx } from '../../ctx.ts';
import { findMemory } from '../../memories/index.ts';
import { requireBlob } from '../require-media.ts';
import { runMediaJob } from '../runs/media-job.ts';
import { isClaimed } from '../runs/store/job-claims.ts';
import {
  removeSegmentsOfOtherRuns,
  type SegmentInput,
  type SegmentRun,
  writeSegments,
} from '../segments/segments.ts';
import { findFile, type MediaFile } from '../store/files.ts';
import {
  comparedFramesPerSecond,
  parseSceneChanges,
  sceneChangeScoreMin,
  selectKeyFrameTimes,
} from './frames.ts';
import {
  type AcquiredInterpretation,
  acquireInterpretation,
  completeInterpretation,
  type FrameDescriptionProgress,
  failInterpretation,
  findInterpretation,
  savePartialFrames,
} from './store/interpretations.ts';

interface Frame extends FrameDescription {
  readonly time: number;
}

const decodingMs = 1_800_000;
const pictureMs = 60_000;
const pictureBytesMax = 8 * 2 ** 20;
/** The longer side of a frame, in pixels. */
const sideMax = 1_280;

/** Job: describes the key frames of a video and indexes the descriptions. */
export function runInterpretationJob(
  app: App,
  job: RunningJob,
): Promise<typeof requeueResult | undefined> {
  return runMediaJob<AcquiredInterpretation>(app, job, {
    table: 'video_interpretations',
    modality: 'frame',
    find: findInterpretation,
    acquire: acquireInterpretation,
    run: produceInterpretation,
    fail: failInterpretation,
    ProviderError: VisionFailed,
    unreadableMessage: 'the video track cannot be decoded',
  });
}

async function produceInterpretation(
  ctx: Ctx,
  job: RunningJob,
  claim: AcquiredInterpretation,
): Promise<void> {
  const { engine, actor, vision } = ctx;
  const file = await findFile(engine.db, actor.accountId, claim.memory_id);
  const memory = await findMemory(ctx, claim.memory_id);
  if (!file || !memory) return;
  await requireBlob(ctx, file);
  if (vision === null)
    throw new VisionFailed('the vision provider is no longer configured (MNEME_VISION_*)');
  await using heartbeat = new JobHeartbeat(ctx.clock, job);
  const frames = await describeFrames(ctx, vision, file, { claim, job, heartbeat });
  const at = memory.occurred_at ?? memory.created_at;
  const text = frames.map(({ description }) => description).join('\n');
  const summary = text === '' ? '' : (await ctx.language.summary({ text: text, at })).value;
  heartbeat.reportProgress(0.95);
  const segments = frames.map((frame, i): SegmentInput => {
    const end = frames[i + 1]?.time ?? file.duration ?? frame.time;
    const { description: text, labels } = frame;
    const [speaker, confidence] = [null, null];
    return { start: frame.time, end: Math.max(frame.time, end), text, labels, speaker, confidence };
  });
  const run: SegmentRun = {
    ...{ accountId: actor.accountId, memoryId: memory.id, modality: 'frame' },
    ...{ attempt: claim.attempt, signal: heartbeat.signal },
    isClaimed: (tx) => isClaimed(tx, 'video_interpretations', claim),
  };
  await removeSegmentsOfOtherRuns(ctx, run, [claim.completed_attempt, claim.attempt]);
  await writeSegments(ctx, run, segments);
  const completed = { model: vision.model, summary, now: ctx.clock.now() };
  if (!(await completeInterpretation(engine.db, claim, completed))) throw new LeaseLost();
  await removeSegmentsOfOtherRuns(ctx, run, [claim.attempt]);
}

async function describeFrames(
  ctx: Ctx,
  vision: VisionModel,
  file: MediaFile,
  {
    claim,
    job,
    heartbeat,
  }: { claim: AcquiredInterpretation; job: RunningJob; heartbeat: JobHeartbeat },
): Promise<Frame[]> {
  await using source = await ctx.blobs.openLocalFile(file.blob);
  const { framesMax } = ctx.config.media.vision;
  const progress = claim.partial_frames;
  const options = { cpuBudget: new CpuBudget(file.bytes), signal: heartbeat.signal };
  const times = progress?.times ?? (await findKeyTimes(ctx, source.path, file, framesMax, options));
  let descriptions = progress?.seen ?? [];
  while (descriptions.length < times.length) {
    const time = times[descriptions.length] as number;
    const jpeg = await extractFrame(ctx, source.path, time, options);
    descriptions = [
      ...descriptions,
      jpeg && (await vision.describe({ jpeg, time }, heartbeat.signal)),
    ];
    const share = 0.1 + (0.8 * descriptions.length) / times.length;
    heartbeat.reportProgress(share);
    const partial: FrameDescriptionProgress = { times, seen: descriptions };
    if (!(await savePartialFrames(ctx.engine.db, claim, partial))) throw new LeaseLost();
    await job.saveProgress(share);
  }
  return times.flatMap((time, i) => {
    const description = descriptions[i];
    return description ? [{ ...description, time }] : [];
  });
}

/** Shared by all FFmpeg calls for one video. */
interface FrameOptions {
  readonly cpuBudget: CpuBudget;
  readonly signal: AbortSignal;
}

/** The first video track that is not a cover image. */
const videoTrack = ['-map', '0:V:0'];
/** High quality, so that small text stays legible. */
const jpegEncoding = ['-c:v', 'mjpeg', '-q:v', '2'];
/** Selects existing frames: the filter `fps` would fill gaps with duplicates. */
const secondsPerFrame = 1 / comparedFramesPerSecond;
const sampledFrames = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${secondsPerFrame})'`;

/** Compares few small frames, which is enough to detect cuts and uses little CPU time. */
async function findKeyTimes(
  { ffmpeg }: Ctx,
  source: string,
  { duration }: MediaFile,
  framesMax: number,
  options: FrameOptions,
): Promise<number[]> {
  const changes = `scale=160:-2,select='gte(scene,${sceneChangeScoreMin})',metadata=print:file=-`;
  const output = await ffmpeg.convert(source, {
    args: [...videoTrack, '-vf', `${sampledFrames},${changes}`, '-f', 'null'],
    timeoutMs: decodingMs,
    bytesMax: 16 * 2 ** 20,
    ...options,
  });
  return selectKeyFrameTimes(
    parseSceneChanges(output.toString('latin1')),
    duration ?? 0,
    framesMax,
  );
}

/** Null past the last frame: the declared duration of a file may be too long. */
async function extractFrame(
  { ffmpeg }: Ctx,
  source: string,
  time: number,
  options: FrameOptions,
): Promise<Buffer | null> {
  const within = `'min(${sideMax},iw)':'min(${sideMax},ih)'`;
  const scale = `scale=${within}:force_original_aspect_ratio=decrease`;
  const jpeg = await ffmpeg.convert(source, {
    inputArgs: ['-ss', time.toFixed(3)],
    args: [...videoTrack, '-frames:v', '1', '-vf', scale, '-f', 'image2pipe', ...jpegEncoding],
    timeoutMs: pictureMs,
    bytesMax: pictureBytesMax,
    ...options,
  });
  return jpeg.length > 0 ? jpeg : null;
}
