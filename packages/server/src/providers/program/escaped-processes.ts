import { readdir, readFile } from 'node:fs/promises';

/** A variable of a run's environment, which whatever it starts inherits. */
export const runIdVariable = 'MNEME_RUN';

/**
 * Ends the processes whose environment has the mark: those that a run left behind in groups and
 * sessions of their own. One that has cleared its environment is not found, and neither is any
 * where the system has no /proc.
 */
export async function killEscapedProcesses(mark: string): Promise<void> {
  const wanted = `${runIdVariable}=${mark}`;
  // Again while there are some: one may have started another before it ended.
  for (let found = 1, rounds = 0; found > 0 && rounds < 5; rounds += 1) {
    const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const marked = await Promise.all(pids.map((pid) => hasRunId(pid, wanted)));
    found = pids.filter((pid, i) => marked[i] && kill(Number(pid))).length;
  }
}

async function hasRunId(pid: string, wanted: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(wanted);
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return false;
  }
}
