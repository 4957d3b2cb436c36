import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** When a phase of a server ran, in microseconds of the clock that CPU profiles use. */
export interface ProfileWindow {
  readonly server: string;
  readonly phase: string;
  readonly fromUs: number;
  readonly toUs: number;
}

export const nowUs = (): number => Number(process.hrtime.bigint() / 1_000n);

/** Beside the profiles, for bench/profile.ts. */
export async function writeProfileWindows(
  profileDir: string,
  windows: readonly ProfileWindow[],
): Promise<void> {
  await mkdir(profileDir, { recursive: true });
  await writeFile(path.join(profileDir, 'windows.json'), JSON.stringify(windows));
}
