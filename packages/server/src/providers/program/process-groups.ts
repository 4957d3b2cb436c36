import type { ChildProcess } from 'node:child_process';

/**
 * The running programs, each the leader of its own process group (`detached`): their child
 * processes are killed with them, and all of them when this process exits.
 */
export class ProcessGroups {
  readonly #running = new Set<ChildProcess>();
  readonly #endAll = (): void => {
    for (const child of this.#running) killGroup(child);
  };

  /** Tracks a program until disposal, which kills the rest of its group. */
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
    // The group is empty, or process groups are not supported, as on Windows.
    child.kill('SIGKILL');
  }
}
