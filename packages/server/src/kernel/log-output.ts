import { writeSync } from 'node:fs';

const standardOutput = 1;
/** The pause between attempts to write to a full pipe. */
const pauseMs = 10;
const pausesMax = 100;

/**
 * Writes log lines to stdout. A line that cannot be written is lost, because a log on a full disk
 * must not stop the service. It waits up to a second for a slow reader of a pipe; after that, lines
 * are lost without a wait until a write succeeds.
 * @param fd for tests
 */
export function createLogOutput(fd: number = standardOutput): { write(line: string): void } {
  const sleepSignal = new Int32Array(new SharedArrayBuffer(4));
  let isStuck = false;
  let isLineTruncated = false;
  return {
    write(line) {
      const bytes = Buffer.from(isLineTruncated ? `\n${line}` : line);
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
          Atomics.wait(sleepSignal, 0, 0, pauseMs);
        }
      }
      if (writtenBytes > 0) isLineTruncated = writtenBytes < bytes.length;
    },
  };
}
