import { JobHeartbeat } from '../../../jobs/job-heartbeat.ts';
import { LeaseLost, type RunningJob, type requeue } from '../../../jobs/job-worker.ts';
import { CpuBudget } from '../../../providers/ffmpeg/index.ts';
import {
  type FrameDescription,
  VisionFailed,
  type VisionModel,
} from '../../../providers/vision/index.ts';
import type { App, Ctx } from '../../ctx.ts';
import { findMemory } from '../../memories/index.ts';
import { requireBlob } from '../require-media.ts';
import { runMediaJob } from '../runs/job.ts';
import { isClaimed } from '../runs/store.ts';
import {
  removeSegmentsOfOtherRuns,
  type SegmentInput,
  type SegmentRun,
  writeSegments,
} from '../segments/segments.ts';
import { findFile, type MediaFile } from '../store/files.ts';
import { changeMin, framesPerSecond, parseSceneChanges, selectKeyTimes } from './frames.ts';
import {
  type AcquiredInterpretation,
  acquireInterpretation,
  completeInterpretation,
  failInterpretation,
  findInterpretation,
  type PartialFrames,
  savePartialFrames,
} from './store.ts';

interface Frame extends FrameDescription {
  readonly time: number;
}

const decodingMs = 1_800_000;
const pictureMs = 60_000;
const pictureBytesMax = 8 * 2 ** 20;
/** The longer side of a picture, in pixels. */
const sideMax = 1_280;

/** Job: key frames are described, and what they show is found. */
export function interpret(app: App, job: RunningJob): Promise<typeof requeue | undefined> {
  return runMediaJob<AcquiredInterpretation>(app, job, {
    table: 'video_interpretations',
    modality: 'frame',
    find: findInterpretation,
    acquire: acquireInterpretation,
    run: produceInterpretation,
    fail: failInterpretation,
    ProviderError: VisionFailed,
    unreadableMessage: 'its pictures cannot be read',
  });
}

async function produceInterpretation(
  ctx: Ctx,
  job: RunningJob,
  held: AcquiredInterpretation,
): Promise<void> {
  const { engine, actor, vision } = ctx;
  const file = await findFile(engine.db, actor.accountId, held.memory_id);
  const memory = await findMemory(engine.db, actor.accountId, held.memory_id);
  if (!file || !memory) return;
  await requireBlob(ctx, file);
  if (vision === null)
    throw new VisionFailed('nothing that can see is configured any more (MNEME_VISION_*)');
  await using pulse = new JobHeartbeat(ctx.clock, job);
  const frames = await describeFrames(ctx, vision, file, { held, job, pulse });
  const at = memory.occurred_at ?? memory.created_at;
  const told = frames.map(({ description }) => description).join('\n');
  const summary = told === '' ? '' : (await ctx.language.summary({ text: told, at })).value;
  pulse.reportProgress(0.95);
  const stretches = frames.map((frame, i): SegmentInput => {
    const end = frames[i + 1]?.time ?? file.duration ?? frame.time;
    const { description: text, labels } = frame;
    const [speaker, confidence] = [null, null];
    return { start: frame.time, end: Math.max(frame.time, end), text, labels, speaker, confidence };
  });
  const run: SegmentRun = {
    ...{ accountId: actor.accountId, memoryId: memory.id, modality: 'frame' },
    ...{ attempt: held.attempt, signal: pulse.signal },
    isClaimed: (tx) => isClaimed(tx, 'video_interpretations', held),
  };
  await removeSegmentsOfOtherRuns(ctx, run, [held.shown_attempt, held.attempt]);
  await writeSegments(ctx, run, stretches);
  const completed = { model: vision.model, summary, now: ctx.clock.now() };
  if (!(await completeInterpretation(engine.db, held, completed))) throw new LeaseLost();
  await removeSegmentsOfOtherRuns(ctx, run, [held.attempt]);
}

async function describeFrames(
  ctx: Ctx,
  vision: VisionModel,
  file: MediaFile,
  { held, job, pulse }: { held: AcquiredInterpretation; job: RunningJob; pulse: JobHeartbeat },
): Promise<Frame[]> {
  await using source = await ctx.blobs.openLocalFile(file.blob);
  const { framesMax } = ctx.config.media.vision;
  const known = held.looked;
  const how = { allowance: new CpuBudget(file.bytes), signal: pulse.signal };
  const times = known?.times ?? (await findKeyTimes(ctx, source.path, file, framesMax, how));
  let seen = known?.seen ?? [];
  while (seen.length < times.length) {
    const time = times[seen.length] as number;
    const jpeg = await extractFrame(ctx, source.path, time, how);
    seen = [...seen, jpeg && (await vision.describe({ jpeg, time }, pulse.signal))];
    const share = 0.1 + (0.8 * seen.length) / times.length;
    pulse.reportProgress(share);
    const looked: PartialFrames = { times, seen };
    if (!(await savePartialFrames(ctx.engine.db, held, looked))) throw new LeaseLost();
    await job.saveProgress(share);
  }
  return times.flatMap((time, i) => {
    const own = seen[i];
    return own ? [{ ...own, time }] : [];
  });
}

/** Of all calls for one video: what they may take together, and when they are to leave off. */
interface FrameOptions {
  readonly allowance: CpuBudget;
  readonly signal: AbortSignal;
}

/** The first track that is no cover picture. */
const videoTrack = ['-map', '0:V:0'];
/** Small letters are read in them. */
const jpegEncoding = ['-c:v', 'mjpeg', '-q:v', '2'];
/** Twice a second: chosen from what there is, since `fps` would fill any gap with pictures. */
const secondsPerFrame = 1 / framesPerSecond;
const sampledFrames = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${secondsPerFrame})'`;

/** Few and small: a cut is seen as well, and little is computed. */
async function findKeyTimes(
  { ffmpeg }: Ctx,
  source: string,
  { duration }: MediaFile,
  framesMax: number,
  how: FrameOptions,
): Promise<number[]> {
  const changes = `scale=160:-2,select='gte(scene,${changeMin})',metadata=print:file=-`;
  const printed = await ffmpeg.convert(source, {
    args: [...videoTrack, '-vf', `${sampledFrames},${changes}`, '-f', 'null'],
    timeoutMs: decodingMs,
    bytesMax: 16 * 2 ** 20,
    ...how,
  });
  return selectKeyTimes(parseSceneChanges(printed.toString('latin1')), duration ?? 0, framesMax);
}

/** Null past the last picture, where the file tells a longer duration than it has. */
async function extractFrame(
  { ffmpeg }: Ctx,
  source: string,
  time: number,
  how: FrameOptions,
): Promise<Buffer | null> {
  const within = `'min(${sideMax},iw)':'min(${sideMax},ih)'`;
  const fit = `scale=${within}:force_original_aspect_ratio=decrease`;
  const jpeg = await ffmpeg.convert(source, {
    inputArgs: ['-ss', time.toFixed(3)],
    args: [...videoTrack, '-frames:v', '1', '-vf', fit, '-f', 'image2pipe', ...jpegEncoding],
    timeoutMs: pictureMs,
    bytesMax: pictureBytesMax,
    ...how,
  });
  return jpeg.length > 0 ? jpeg : null;
}
