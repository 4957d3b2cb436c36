import { readdir, readFile } from 'node:fs/promises';

/** An environment variable of a run, inherited by all of its child processes. */
export const runIdVariable = 'MNEME_RUN';

/**
 * Kills the processes whose environment contains the run id: those that left the process group or
 * session. Processes that cleared their environment are not found, nor is any on a system without
 * /proc.
 */
export async function killEscapedProcesses(runId: string): Promise<void> {
  const wanted = `${runIdVariable}=${runId}`;
  // Repeated: a process may have started another one before it was killed.
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
    // It has exited or belongs to another user.
    return false;
  }
}
