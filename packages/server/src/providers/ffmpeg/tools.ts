import { ProgramFailed, type ProgramRunner } from '../program/index.ts';
import { locateTool, type Tool } from './locate-tool.ts';

export interface ToolPaths {
  /** Null: found on the PATH, or as packages. */
  readonly ffmpeg: string | null;
  readonly ffprobe: string | null;
  readonly searchPath: string;
}

const versionLimits = { timeoutMs: 5_000, cpuSeconds: null, outputBytes: 2 ** 20 };

/** Where the programs are and what they are: looked for until found, and then known. */
export class Tools {
  readonly #places: ToolPaths;
  readonly #run: ProgramRunner;
  readonly #found = new Map<Tool, Promise<string>>();
  readonly #versions = new Map<Tool, Promise<string>>();

  constructor(places: ToolPaths, run: ProgramRunner) {
    this.#places = places;
    this.#run = run;
  }

  /** Throws ToolMissing. */
  getPath(tool: Tool): Promise<string> {
    const { searchPath } = this.#places;
    return getOrCompute(this.#found, tool, () => locateTool(tool, this.#places[tool], searchPath));
  }

  /** Such as 5.1.8; builds of a day have a name instead. Throws ToolMissing, RunFailed. */
  getVersion(tool: Tool): Promise<string> {
    return getOrCompute(this.#versions, tool, async () => {
      const { stdout } = await this.#run(await this.getPath(tool), ['-version'], versionLimits);
      const told = /^\S+ version (\S+)/.exec(stdout.toString('latin1'))?.[1];
      if (told === undefined) throw new ProgramFailed('it tells no version');
      return told;
    });
  }
}

/** What failed is tried again: the program may be installed meanwhile. */
function getOrCompute(
  known: Map<Tool, Promise<string>>,
  tool: Tool,
  look: () => Promise<string>,
): Promise<string> {
  const looking = known.get(tool) ?? look();
  known.set(tool, looking);
  looking.catch(() => known.delete(tool));
  return looking;
}
