import { createRequire } from 'node:module';
import { findOnPath, isExecutable } from '../program/index.ts';

export type FfmpegTool = 'ffmpeg' | 'ffprobe';

/**
 * The program is neither on the PATH nor installed as a package; the message says what to install.
 */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing';
  constructor(tool: FfmpegTool) {
    super(
      `${tool} is not installed: install FFmpeg (Debian: apt install ffmpeg), or the package ` +
        `@${tool}-installer/${tool}, or set MNEME_${tool.toUpperCase()} to its path.`,
    );
  }
}

/**
 * Path of the program: as configured, on the PATH, or in its package. Throws ToolMissing.
 * @param from the module from which packages are resolved
 */
export async function locateTool(
  tool: FfmpegTool,
  configured: string | null,
  PATH: string,
  from: string = import.meta.url,
): Promise<string> {
  const ending = process.platform === 'win32' ? '.exe' : '';
  const toolPath =
    configured ?? (await findOnPath(tool + ending, PATH)) ?? packagedPath(tool, from);
  if (toolPath !== null && (await isExecutable(toolPath))) return toolPath;
  throw new ToolMissing(tool);
}

/** Both packages export the path of their program as `path`; they are optional. */
function packagedPath(tool: FfmpegTool, from: string): string | null {
  try {
    const found = createRequire(from)(`@${tool}-installer/${tool}`) as { path: string };
    return found.path;
  } catch {
    return null;
  }
}
