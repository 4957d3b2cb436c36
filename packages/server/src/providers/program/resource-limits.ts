import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';

/** Limits that the system enforces where possible; see RunLimits. */
interface ResourceLimits {
  readonly cpuSeconds?: number | null;
  readonly addressBytes?: number;
  readonly memoryBytes?: number;
  readonly fileBytes?: number;
}

/** Programs of util-linux that set limits; null if not installed. */
export interface ResourceLimitTools {
  readonly prlimit: string | null;
  readonly setpriv: string | null;
}

const prlimitPath = '/usr/bin/prlimit';
const setprivPath = '/usr/bin/setpriv';
/** The system kills the program when this process dies, even by SIGKILL. */
const withParent = ['--pdeathsig', 'KILL'];

export async function findResourceLimitTools(): Promise<ResourceLimitTools> {
  const prlimit = access(prlimitPath).then(
    () => prlimitPath,
    () => null,
  );
  // Other implementations, such as BusyBox, do not support the option.
  const setpriv = new Promise<string | null>((resolve) => {
    execFile(setprivPath, [...withParent, '--version'], { env: {} }, (error) =>
      resolve(error === null ? setprivPath : null),
    );
  });
  return { prlimit: await prlimit, setpriv: await setpriv };
}

/** The command prefix that sets limits for a program. */
export function buildLimitCommand(
  { cpuSeconds = null, addressBytes, memoryBytes, fileBytes }: ResourceLimits,
  { prlimit }: ResourceLimitTools,
): string[] {
  if (prlimit === null) return [];
  const options = ['--core=0'];
  if (cpuSeconds !== null) options.push(`--cpu=${Math.max(1, Math.ceil(cpuSeconds))}`);
  if (addressBytes !== undefined) options.push(`--as=${addressBytes}`);
  if (memoryBytes !== undefined) options.push(`--data=${memoryBytes}`);
  if (fileBytes !== undefined) options.push(`--fsize=${fileBytes}`);
  return [prlimit, ...options, '--'];
}

/** The same, and the program is killed if this process is. */
export function buildSupervisedCommand(
  limits: ResourceLimits,
  limitTools: ResourceLimitTools,
): string[] {
  const { setpriv } = limitTools;
  const parent = setpriv === null ? [] : [setpriv, ...withParent, '--'];
  return [...parent, ...buildLimitCommand(limits, limitTools)];
}
