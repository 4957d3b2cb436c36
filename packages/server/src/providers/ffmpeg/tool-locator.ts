import { ProgramFailed, type ProgramRunner } from '../program/index.ts';
import { type FfmpegTool, locateTool } from './locate-tool.ts';

export interface FfmpegToolPaths {
  /** Null: search the PATH and the packages. */
  readonly ffmpeg: string | null;
  readonly ffprobe: string | null;
  readonly searchPath: string;
}

const versionLimits = { timeoutMs: 5_000, cpuSeconds: null, outputBytes: 2 ** 20 };

/** Locates the programs and their versions; retries until found, then caches the result. */
export class FfmpegToolLocator {
  readonly #paths: FfmpegToolPaths;
  readonly #run: ProgramRunner;
  readonly #found = new Map<FfmpegTool, Promise<string>>();
  readonly #versions = new Map<FfmpegTool, Promise<string>>();

  constructor(paths: FfmpegToolPaths, run: ProgramRunner) {
    this.#paths = paths;
    this.#run = run;
  }

  /** Throws ToolMissing. */
  getPath(tool: FfmpegTool): Promise<string> {
    const { searchPath } = this.#paths;
    return getOrCompute(this.#found, tool, () => locateTool(tool, this.#paths[tool], searchPath));
  }

  /**
   * Version such as 5.1.8; nightly builds have a name instead. Throws ToolMissing, ProgramFailed.
   */
  getVersion(tool: FfmpegTool): Promise<string> {
    return getOrCompute(this.#versions, tool, async () => {
      const { stdout } = await this.#run(await this.getPath(tool), ['-version'], versionLimits);
      const version = /^\S+ version (\S+)/.exec(stdout.toString('latin1'))?.[1];
      if (version === undefined) throw new ProgramFailed('its output contains no version');
      return version;
    });
  }
}

/** Failures are not cached: the program may be installed later. */
function getOrCompute(
  cache: Map<FfmpegTool, Promise<string>>,
  tool: FfmpegTool,
  compute: () => Promise<string>,
): Promise<string> {
  const pending = cache.get(tool) ?? compute();
  cache.set(tool, pending);
  pending.catch(() => cache.delete(tool));
  return pending;
}
