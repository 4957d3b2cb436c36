import { Allowance } from '../../../providers/ffmpeg/index.ts';
import { type Seen, type Vision, VisionFailed } from '../../../providers/vision/index.ts';
import { Pulse } from '../../../work/pulse.ts';
import { type again, LeaseLost, type RunningJob } from '../../../work/worker.ts';
import type { App, Ctx } from '../../ctx.ts';
import { findMemory } from '../../memories/index.ts';
import { requireBytes } from '../known.ts';
import { runMaking } from '../runs/job.ts';
import { isHeld } from '../runs/store.ts';
import { type Run, removeOfOthers, type Stretch, writeSegments } from '../segments/segments.ts';
import { findFile, type MediaFile } from '../store/files.ts';
import { changeMin, keyTimes, picturesASecond, readChanges } from './frames.ts';
import {
  completeInterpretation,
  failInterpretation,
  findInterpretation,
  keepLooked,
  type Looked,
  type TakenInterpretation,
  takeInterpretation,
} from './store.ts';

interface Frame extends Seen {
  readonly time: number;
}

const decodingMs = 1_800_000;
const pictureMs = 60_000;
const pictureBytesMax = 8 * 2 ** 20;
/** The longer side of a picture, in pixels. */
const sideMax = 1_280;

/** Job: key frames are described, and what they show is found. */
export function interpret(app: App, job: RunningJob): Promise<typeof again | undefined> {
  return runMaking<TakenInterpretation>(app, job, {
    made: 'video_interpretations',
    modality: 'frame',
    find: findInterpretation,
    take: takeInterpretation,
    make,
    fail: failInterpretation,
    Failed: VisionFailed,
    unreadable: 'its pictures cannot be read',
  });
}

async function make(ctx: Ctx, job: RunningJob, held: TakenInterpretation): Promise<void> {
  const { engine, actor, vision } = ctx;
  const file = await findFile(engine.db, actor.accountId, held.memory_id);
  const memory = await findMemory(engine.db, actor.accountId, held.memory_id);
  if (!file || !memory) return;
  await requireBytes(ctx, file);
  if (vision === null)
    throw new VisionFailed('nothing that can see is configured any more (MNEME_VISION_*)');
  await using pulse = new Pulse(ctx.clock, job);
  const frames = await look(ctx, vision, file, { held, job, pulse });
  const at = memory.occurred_at ?? memory.created_at;
  const told = frames.map(({ description }) => description).join('\n');
  const summary = told === '' ? '' : (await ctx.language.summary({ text: told, at })).value;
  pulse.report(0.95);
  const stretches = frames.map((frame, i): Stretch => {
    const end = frames[i + 1]?.time ?? file.duration ?? frame.time;
    const { description: text, labels } = frame;
    const [speaker, confidence] = [null, null];
    return { start: frame.time, end: Math.max(frame.time, end), text, labels, speaker, confidence };
  });
  const run: Run = {
    ...{ accountId: actor.accountId, memoryId: memory.id, modality: 'frame' },
    ...{ attempt: held.attempt, signal: pulse.signal },
    holds: (tx) => isHeld(tx, 'video_interpretations', held),
  };
  await removeOfOthers(ctx, run, [held.shown_attempt, held.attempt]);
  await writeSegments(ctx, run, stretches);
  const completed = { model: vision.model, summary, now: ctx.clock.now() };
  if (!(await completeInterpretation(engine.db, held, completed))) throw new LeaseLost();
  await removeOfOthers(ctx, run, [held.attempt]);
}

async function look(
  ctx: Ctx,
  vision: Vision,
  file: MediaFile,
  { held, job, pulse }: { held: TakenInterpretation; job: RunningJob; pulse: Pulse },
): Promise<Frame[]> {
  await using source = await ctx.blobs.file(file.blob);
  const { framesMax } = ctx.config.media.vision;
  const known = held.looked;
  const how = { allowance: new Allowance(file.bytes), signal: pulse.signal };
  const times = known?.times ?? (await findTimes(ctx, source.path, file, framesMax, how));
  let seen = known?.seen ?? [];
  while (seen.length < times.length) {
    const time = times[seen.length] as number;
    const jpeg = await pictureAt(ctx, source.path, time, how);
    seen = [...seen, jpeg && (await vision.look({ jpeg, time }, pulse.signal))];
    const share = 0.1 + (0.8 * seen.length) / times.length;
    pulse.report(share);
    const looked: Looked = { times, seen };
    if (!(await keepLooked(ctx.engine.db, held, looked))) throw new LeaseLost();
    await job.progress(share);
  }
  return times.flatMap((time, i) => {
    const own = seen[i];
    return own ? [{ ...own, time }] : [];
  });
}

/** Of all calls for one video: what they may take together, and when they are to leave off. */
interface How {
  readonly allowance: Allowance;
  readonly signal: AbortSignal;
}

/** The first track that is no cover picture. */
const track = ['-map', '0:V:0'];
/** Small letters are read in them. */
const jpegs = ['-c:v', 'mjpeg', '-q:v', '2'];
/** Twice a second: chosen from what there is, since `fps` would fill any gap with pictures. */
const seldom = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${1 / picturesASecond})'`;

/** Few and small: a cut is seen as well, and little is computed. */
async function findTimes(
  { ffmpeg }: Ctx,
  source: string,
  { duration }: MediaFile,
  framesMax: number,
  how: How,
): Promise<number[]> {
  const changes = `scale=160:-2,select='gte(scene,${changeMin})',metadata=print:file=-`;
  const printed = await ffmpeg.make(source, {
    args: [...track, '-vf', `${seldom},${changes}`, '-f', 'null'],
    timeoutMs: decodingMs,
    bytesMax: 16 * 2 ** 20,
    ...how,
  });
  return keyTimes(readChanges(printed.toString('latin1')), duration ?? 0, framesMax);
}

/** Null past the last picture, where the file tells a longer duration than it has. */
async function pictureAt(
  { ffmpeg }: Ctx,
  source: string,
  time: number,
  how: How,
): Promise<Buffer | null> {
  const within = `'min(${sideMax},iw)':'min(${sideMax},ih)'`;
  const fit = `scale=${within}:force_original_aspect_ratio=decrease`;
  const jpeg = await ffmpeg.make(source, {
    before: ['-ss', time.toFixed(3)],
    args: [...track, '-frames:v', '1', '-vf', fit, '-f', 'image2pipe', ...jpegs],
    timeoutMs: pictureMs,
    bytesMax: pictureBytesMax,
    ...how,
  });
  return jpeg.length > 0 ? jpeg : null;
}
