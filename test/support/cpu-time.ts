/**
 * Returns the least CPU time of a call in ms, of several tries. Other processes hardly affect it:
 * an upper bound that detects a wrong complexity also holds on a busy machine.
 */
export function leastCpuMs(run: () => unknown, tries = 3): number {
  const times = Array.from({ length: tries }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
