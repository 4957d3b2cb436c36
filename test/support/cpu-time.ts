/**
 * The least processor time of this process in ms that a call takes, of some tries. Other programs
 * on the machine hardly change it, so that a bound which only a wrong complexity exceeds holds on
 * a busy machine as well.
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
