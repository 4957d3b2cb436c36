import { type Run, RunFailed } from '../program/index.ts';
import { locate, type Tool } from './locate.ts';

export interface ToolPlaces {
  /** Null: found on the PATH, or as packages. */
  readonly ffmpeg: string | null;
  readonly ffprobe: string | null;
  readonly searchPath: string;
}

const versionLimits = { timeoutMs: 5_000, cpuSeconds: null, outputBytes: 2 ** 20 };

/** Where the programs are and what they are: looked for until found, and then known. */
export class Tools {
  readonly #places: ToolPlaces;
  readonly #run: Run;
  readonly #found = new Map<Tool, Promise<string>>();
  readonly #versions = new Map<Tool, Promise<string>>();

  constructor(places: ToolPlaces, run: Run) {
    this.#places = places;
    this.#run = run;
  }

  /** Throws ToolMissing. */
  place(tool: Tool): Promise<string> {
    const { searchPath } = this.#places;
    return knownOr(this.#found, tool, () => locate(tool, this.#places[tool], searchPath));
  }

  /** Such as 5.1.8; builds of a day have a name instead. Throws ToolMissing, RunFailed. */
  version(tool: Tool): Promise<string> {
    return knownOr(this.#versions, tool, async () => {
      const { printed } = await this.#run(await this.place(tool), ['-version'], versionLimits);
      const told = /^\S+ version (\S+)/.exec(printed.toString('latin1'))?.[1];
      if (told === undefined) throw new RunFailed('it tells no version');
      return told;
    });
  }
}

/** What failed is tried again: the program may be installed meanwhile. */
function knownOr(
  known: Map<Tool, Promise<string>>,
  tool: Tool,
  look: () => Promise<string>,
): Promise<string> {
  const looking = known.get(tool) ?? look();
  known.set(tool, looking);
  looking.catch(() => known.delete(tool));
  return looking;
}
