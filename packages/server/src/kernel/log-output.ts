import { writeSync } from 'node:fs';

const standardOutput = 1;
/** Between attempts to write to a pipe that is full. */
const pauseMs = 10;
const pausesMax = 100;

/**
 * Standard output, for lines of the log. A line that cannot be written is lost and the service goes
 * on: a log on a full disk must not stop it. A slow reader of a pipe is waited for up to a second;
 * after that lines are lost without waiting until one has been written again.
 * @param fd for tests
 */
export function createLogOutput(fd: number = standardOutput): { write(line: string): void } {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let isStuck = false;
  let isCut = false;
  return {
    write(line) {
      const bytes = Buffer.from(isCut ? `\n${line}` : line);
      let writtenBytes = 0;
      for (let pauses = 0; writtenBytes < bytes.length; ) {
        try {
          writtenBytes += writeSync(fd, bytes, writtenBytes);
          isStuck = false;
        } catch (error) {
          const isSlow = (error as NodeJS.ErrnoException).code === 'EAGAIN';
          if (!isSlow || isStuck || pauses === pausesMax) {
            isStuck = true;
            break;
          }
          pauses += 1;
          Atomics.wait(never, 0, 0, pauseMs);
        }
      }
      if (writtenBytes > 0) isCut = writtenBytes < bytes.length;
    },
  };
}
