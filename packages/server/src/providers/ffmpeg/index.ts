import { stat } from 'node:fs/promises';
import os from 'node:os';
import type { Clock } from '../../kernel/clock.ts';
import {
  createProgramRunner,
  ProgramFailed,
  type ProgramRunner,
  type RunLimits,
} from '../program/index.ts';
import { CpuBudget } from './cpu-budget.ts';
import type { Tool } from './locate-tool.ts';
import { allowedFormats, NotMedia, type Probe, parseProbe, streamsMax } from './probe.ts';
import { type QueueOptions, Semaphore } from './semaphore.ts';
import { type ToolPaths, Tools } from './tools.ts';

export { ProgramFailed } from '../program/index.ts';
export { CpuBudget } from './cpu-budget.ts';
export { ToolMissing } from './locate-tool.ts';
export { NotMedia, type Probe } from './probe.ts';
export { FfmpegBusy } from './semaphore.ts';

/** How a file becomes another one, or what it prints. */
interface ConversionOptions extends QueueOptions {
  /** Between the input and the output: filters, codecs, a format. */
  readonly args: readonly string[];
  /** Before the input: where to begin in it. */
  readonly inputArgs?: readonly string[];
  /** A file that is written; left out: standard output, which is the result. */
  readonly outputFile?: string;
  readonly timeoutMs: number;
  /** Bytes of the file, or of the output; 64 MB unless told. */
  readonly bytesMax?: number;
  /** Shared by calls that belong together; left out: one of its own, of the file's size. */
  readonly cpuBudget?: CpuBudget;
}

/** FFmpeg's programs, on local files alone and within limits. */
export interface Ffmpeg {
  /** What a file is. Throws NotMedia, ToolMissing, FfmpegBusy. */
  probe(file: string, patience?: QueueOptions): Promise<Probe>;
  /** Throws RunFailed, ToolMissing, FfmpegBusy. */
  convert(file: string, making: ConversionOptions): Promise<Buffer>;
  /** The versions of both programs. Throws ToolMissing, RunFailed. */
  versions(): Promise<{ readonly ffmpeg: string; readonly ffprobe: string }>;
}

export interface FfmpegSettings extends ToolPaths {
  /** Programs that run at the same time; null: as many as processors, and at least two. */
  readonly ffmpegCallsMax: number | null;
}

const megabyte = 2 ** 20;
const probeLimits = {
  timeoutMs: 30_000,
  cpuSeconds: 8,
  addressBytes: 2_048 * megabyte,
  fileBytes: 0,
  outputBytes: 4 * megabyte,
};
const makeAddressBytes = 4_096 * megabyte;
const makeBytesMax = 64 * megabyte;
/** Pixels of a frame that is decoded: 8K and half as much again. */
const pixelsMax = ['-max_pixels', '50000000'];

/** Only files, and only formats that open no others. One stream too many is seen and refused. */
const inputRestrictions = [
  ...['-v', 'error', '-hide_banner', '-protocol_whitelist', 'file,pipe'],
  ...['-format_whitelist', allowedFormats.join(','), '-max_streams', String(streamsMax + 1)],
];
const cores = os.availableParallelism();
/** As many to read and as many to write. */
const threads = ['-threads', String(Math.max(1, Math.min(4, cores - 1)))];

/** @param run for tests: what runs the programs instead */
export function createFfmpeg(
  settings: FfmpegSettings,
  clock: Clock,
  run: ProgramRunner = createProgramRunner(clock),
): Ffmpeg {
  const tools = new Tools(settings, run);
  const turns = new Semaphore(settings.ffmpegCallsMax ?? Math.max(2, cores), clock);
  const inTurn = async (tool: Tool, args: string[], limits: RunLimits, patience: QueueOptions) => {
    const place = await tools.getPath(tool);
    using _turn = await turns.acquire(patience);
    return await run(place, args, { ...limits, signal: patience.signal });
  };
  return {
    async probe(file, patience = {}) {
      const asked = ['-print_format', 'json', '-show_format', '-show_streams'];
      const args = [...inputRestrictions, ...pixelsMax, ...asked, '-i', toFileUrl(file)];
      try {
        const { stdout } = await inTurn('ffprobe', args, probeLimits, patience);
        return parseProbe(stdout.toString('utf8'));
      } catch (error) {
        if (error instanceof ProgramFailed)
          throw new NotMedia('it cannot be read', { cause: error });
        throw error;
      }
    },
    async convert(
      file,
      { args, inputArgs = [], outputFile, timeoutMs, bytesMax = makeBytesMax, ...how },
    ) {
      const allowance = how.cpuBudget ?? new CpuBudget((await stat(file)).size);
      const input = ['-nostdin', ...pixelsMax, ...threads, ...inputArgs, '-i', toFileUrl(file)];
      const output = [
        ...threads,
        ...args,
        outputFile === undefined ? 'pipe:1' : toFileUrl(outputFile),
      ];
      const limits = {
        timeoutMs,
        cpuSeconds: allowance.getRemaining(),
        addressBytes: makeAddressBytes,
        fileBytes: outputFile === undefined ? 0 : bytesMax,
        outputBytes: outputFile === undefined ? bytesMax : megabyte,
      };
      const all = [...inputRestrictions, '-y', ...input, ...output];
      const { stdout, cpuSeconds } = await inTurn('ffmpeg', all, limits, how);
      allowance.spend(cpuSeconds);
      return stdout;
    },
    async versions() {
      const both = [tools.getVersion('ffmpeg'), tools.getVersion('ffprobe')] as const;
      const [ffmpeg, ffprobe] = await Promise.all(both);
      return { ffmpeg, ffprobe };
    },
  };
}

/** A path is never taken for an option or for an address. */
const toFileUrl = (file: string): string => `file:${file}`;
