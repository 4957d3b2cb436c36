import type { ChildProcess } from 'node:child_process';

/**
 * The programs that run, each the first of a process group of its own (`detached`): what they
 * start ends with them, and all of them end when this process exits.
 */
export class ProcessGroups {
  readonly #running = new Set<ChildProcess>();
  readonly #endAll = (): void => {
    for (const child of this.#running) killGroup(child);
  };

  /** Until it is disposed of, which ends whatever is left of the group. */
  track(child: ChildProcess): Disposable {
    if (this.#running.size === 0) process.on('exit', this.#endAll);
    this.#running.add(child);
    return {
      [Symbol.dispose]: () => {
        killGroup(child);
        this.#running.delete(child);
        if (this.#running.size === 0) process.off('exit', this.#endAll);
      },
    };
  }
}

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left of it, or it is no group, as on Windows.
    child.kill('SIGKILL');
  }
}
