/** Reads what strace -f -y wrote: was each answer sent after its commit had reached the disk? */

export interface TraceReport {
  readonly answers: number;
  /** Lines that send an answer with no write and completed sync of the log before it. */
  readonly unsynced: readonly string[];
}

const wal = /<[^>]*\/pg_wal\/[^>]*>/;
const call = /^(\d+) +[\d.]+ (?:<\.\.\. )?(\w+)(.*)$/;

/**
 * For requests that were sent one after the other. The order of lines is the order of what
 * happened: a whole line is printed at its return, an unfinished one returns where it is resumed.
 */
export function checkSyncOrder(trace: string, answer: RegExp): TraceReport {
  let written = false;
  let synced = false;
  let answers = 0;
  const unsynced: string[] = [];
  const syncing = new Set<string>();
  for (const line of trace.split('\n')) {
    const [, thread = '', name = '', rest = ''] = call.exec(line) ?? [];
    const begins = !rest.startsWith(' resumed>');
    if (begins && answer.test(rest)) {
      answers += 1;
      if (!synced) unsynced.push(line);
      written = false;
      synced = false;
    } else if (begins && /write/.test(name) && wal.test(rest)) {
      written = true;
    } else if (/^f(?:data)?sync$/.test(name)) {
      const unfinished = rest.endsWith('<unfinished ...>');
      if (begins && unfinished && wal.test(rest) && written) syncing.add(thread);
      const whole = begins && !unfinished && wal.test(rest) && written;
      const resumed = !begins && syncing.delete(thread);
      if ((whole || resumed) && / = 0$/.test(rest)) synced = true;
    }
  }
  return { answers, unsynced };
}
