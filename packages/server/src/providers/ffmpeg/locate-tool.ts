import { createRequire } from 'node:module';
import { findOnPath, isExecutable } from '../program/index.ts';

export type Tool = 'ffmpeg' | 'ffprobe';

/** Neither on the PATH nor as a package: what has to be installed is in the message. */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing';
  constructor(tool: Tool) {
    super(
      `${tool} is not installed: install FFmpeg (Debian: apt install ffmpeg), or the package ` +
        `@${tool}-installer/${tool}, or set MNEME_${tool.toUpperCase()} to its path.`,
    );
  }
}

/**
 * Where the program is: as configured, on the PATH, or in its package. Throws ToolMissing.
 * @param from the file beside which, or above, packages are installed
 */
export async function locateTool(
  tool: Tool,
  configured: string | null,
  PATH: string,
  from: string = import.meta.url,
): Promise<string> {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const place = configured ?? (await findOnPath(tool + ending, PATH)) ?? packagedPath(tool, from);
  if (place !== null && (await isExecutable(place))) return place;
  throw new ToolMissing(tool);
}

/** Both packages say in `path` where their program is; they are not installed by themselves. */
function packagedPath(tool: Tool, from: string): string | null {
  try {
    const found = createRequire(from)(`@${tool}-installer/${tool}`) as { path: string };
    return found.path;
  } catch {
    return null;
  }
}
