import { getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of a process to at most this one; never raises it. The priority stays where
 * the process has ended or the system forbids the call, as a filter of system calls does.
 */
export function lowerPriority(priority: number, pid = 0): void {
  try {
    setPriority(pid, Math.max(getPriority(pid), priority));
  } catch {
    // The work is the same with another priority.
  }
}
