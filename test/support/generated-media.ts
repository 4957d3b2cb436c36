import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Generates a file with FFmpeg; the extension of `name` selects the format. */
export async function generateWithFfmpeg(name: string, ...args: string[]): Promise<Buffer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-made-'));
  try {
    const file = path.join(folder, name);
    await run('ffmpeg', ['-v', 'error', '-nostdin', ...args, file]);
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const toneInput = (seconds: number, frequency = 440): string[] => [
  ...['-f', 'lavfi', '-i', `sine=frequency=${frequency}:duration=${seconds}`],
];
const pictureInput = (seconds: number): string[] => [
  ...['-f', 'lavfi', '-i', `testsrc=size=160x120:rate=10:duration=${seconds}`],
];

/** A tone; a different frequency yields different bytes. */
export const generateAudio = (name: string, seconds = 2, frequency = 440): Promise<Buffer> =>
  generateWithFfmpeg(
    name,
    ...toneInput(seconds, frequency),
    ...(name.endsWith('ogg') ? ['-c:a', 'libopus'] : []),
  );

/** A moving picture with a tone. */
export const generateVideo = (name: string, seconds = 2): Promise<Buffer> =>
  generateWithFfmpeg(name, ...pictureInput(seconds), ...toneInput(seconds), '-shortest');

/** The duration in seconds according to ffprobe. */
export async function mediaSeconds(bytes: Uint8Array): Promise<number> {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', 'pipe:0'];
  const probing = run('ffprobe', args);
  probing.child.stdin?.end(bytes);
  return Number((await probing).stdout);
}
