import { stat } from 'node:fs/promises';
import os from 'node:os';
import type { Clock } from '../../kernel/clock.ts';
import { FairSemaphore } from '../../kernel/fair-semaphore.ts';
import {
  createProgramRunner,
  ProgramFailed,
  type ProgramRunner,
  type RunLimits,
} from '../program/index.ts';
import { CpuBudget } from './cpu-budget.ts';
import type { FfmpegTool } from './locate-tool.ts';
import {
  allowedFormats,
  NotMedia,
  type ProbeResult,
  parseProbeOutput,
  streamsMax,
} from './probe.ts';
import { acquirePermit, type QueueOptions } from './queue.ts';
import { FfmpegToolLocator, type FfmpegToolPaths } from './tool-locator.ts';

export { ProgramFailed } from '../program/index.ts';
export { CpuBudget } from './cpu-budget.ts';
export { ToolMissing } from './locate-tool.ts';
export { NotMedia, type ProbeResult } from './probe.ts';
export { FfmpegBusy } from './queue.ts';

/** How to convert a file, or what to print. */
interface ConversionOptions extends QueueOptions {
  /** Arguments between input and output: filters, codecs, a format. */
  readonly args: readonly string[];
  /** Arguments before the input: the start position. */
  readonly inputArgs?: readonly string[];
  /** The file to write; default: standard output, which is the result. */
  readonly outputFile?: string;
  readonly timeoutMs: number;
  /** Maximum bytes of the file or the output. Default: 64 MB. */
  readonly bytesMax?: number;
  /** Shared by related calls; default: a new one for the size of the file. */
  readonly cpuBudget?: CpuBudget;
}

/** FFmpeg's programs, restricted to local files and resource limits. */
export interface Ffmpeg {
  /** Identifies a file. Throws NotMedia, ToolMissing, FfmpegBusy. */
  probe(file: string, queueOptions?: QueueOptions): Promise<ProbeResult>;
  /** Throws ProgramFailed, ToolMissing, FfmpegBusy. */
  convert(file: string, options: ConversionOptions): Promise<Buffer>;
  /** The versions of both programs. Throws ToolMissing, ProgramFailed. */
  versions(): Promise<{ readonly ffmpeg: string; readonly ffprobe: string }>;
}

export interface FfmpegSettings extends FfmpegToolPaths {
  /** Maximum number of concurrent programs; null: the number of processors, and at least two. */
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
/** Maximum pixels of a decoded frame: 1.5 times 8K. */
const pixelsMax = ['-max_pixels', '50000000'];

/**
 * Only local files, and only formats that open no other files. One stream above the limit is
 * allowed, so that it is detected and rejected.
 */
const inputRestrictions = [
  ...['-v', 'error', '-hide_banner', '-protocol_whitelist', 'file,pipe'],
  ...['-format_whitelist', allowedFormats.join(','), '-max_streams', String(streamsMax + 1)],
];
const cores = os.availableParallelism();
/** The same number of threads for reading and writing. */
const threads = ['-threads', String(Math.max(1, Math.min(4, cores - 1)))];

/** @param run runs the programs; replaced in tests */
export function createFfmpeg(
  settings: FfmpegSettings,
  clock: Clock,
  run: ProgramRunner = createProgramRunner(clock),
): Ffmpeg {
  const tools = new FfmpegToolLocator(settings, run);
  const semaphore = new FairSemaphore(settings.ffmpegCallsMax ?? Math.max(2, cores));
  const runQueued = async (
    tool: FfmpegTool,
    args: string[],
    limits: RunLimits,
    queueOptions: QueueOptions,
  ) => {
    const toolPath = await tools.getPath(tool);
    using _permit = await acquirePermit(semaphore, clock, queueOptions);
    return await run(toolPath, args, { ...limits, signal: queueOptions.signal });
  };
  return {
    async probe(file, queueOptions = {}) {
      const showArgs = ['-print_format', 'json', '-show_format', '-show_streams'];
      const args = [...inputRestrictions, ...pixelsMax, ...showArgs, '-i', toFileUrl(file)];
      try {
        const { stdout } = await runQueued('ffprobe', args, probeLimits, queueOptions);
        return parseProbeOutput(stdout.toString('utf8'));
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
      const budget = how.cpuBudget ?? new CpuBudget((await stat(file)).size);
      const input = ['-nostdin', ...pixelsMax, ...threads, ...inputArgs, '-i', toFileUrl(file)];
      const output = [
        ...threads,
        ...args,
        outputFile === undefined ? 'pipe:1' : toFileUrl(outputFile),
      ];
      const limits = {
        timeoutMs,
        cpuSeconds: budget.getRemaining(),
        addressBytes: makeAddressBytes,
        fileBytes: outputFile === undefined ? 0 : bytesMax,
        outputBytes: outputFile === undefined ? bytesMax : megabyte,
      };
      const all = [...inputRestrictions, '-y', ...input, ...output];
      const { stdout, cpuSeconds } = await runQueued('ffmpeg', all, limits, how);
      budget.spend(cpuSeconds);
      return stdout;
    },
    async versions() {
      const both = [tools.getVersion('ffmpeg'), tools.getVersion('ffprobe')] as const;
      const [ffmpeg, ffprobe] = await Promise.all(both);
      return { ffmpeg, ffprobe };
    },
  };
}

/** Prevents that a path is parsed as an option or as an address. */
const toFileUrl = (file: string): string => `file:${file}`;
