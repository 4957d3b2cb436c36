import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';

/** What the system holds a program to, where it can; see RunLimits. */
interface ResourceLimits {
  readonly cpuSeconds?: number | null;
  readonly addressBytes?: number;
  readonly memoryBytes?: number;
  readonly fileBytes?: number;
}

/** Programs of util-linux that hold another one; null where they are not. */
export interface LimitTools {
  readonly prlimit: string | null;
  readonly setpriv: string | null;
}

const prlimitPlace = '/usr/bin/prlimit';
const setprivPlace = '/usr/bin/setpriv';
/** The program is ended by the system when this process dies, even by SIGKILL. */
const withParent = ['--pdeathsig', 'KILL'];

export async function findLimitTools(): Promise<LimitTools> {
  const prlimit = access(prlimitPlace).then(
    () => prlimitPlace,
    () => null,
  );
  // Other makes of it, such as that of BusyBox, do not know the option.
  const setpriv = new Promise<string | null>((resolve) => {
    execFile(setprivPlace, [...withParent, '--version'], { env: {} }, (error) =>
      resolve(error === null ? setprivPlace : null),
    );
  });
  return { prlimit: await prlimit, setpriv: await setpriv };
}

/** What stands before a program's name so that the system holds it to limits. */
export function buildLimitCommand(
  { cpuSeconds = null, addressBytes, memoryBytes, fileBytes }: ResourceLimits,
  { prlimit }: LimitTools,
): string[] {
  if (prlimit === null) return [];
  const held = ['--core=0'];
  if (cpuSeconds !== null) held.push(`--cpu=${Math.max(1, Math.ceil(cpuSeconds))}`);
  if (addressBytes !== undefined) held.push(`--as=${addressBytes}`);
  if (memoryBytes !== undefined) held.push(`--data=${memoryBytes}`);
  if (fileBytes !== undefined) held.push(`--fsize=${fileBytes}`);
  return [prlimit, ...held, '--'];
}

/** The same, and so that it is ended where this process is killed. */
export function buildSupervisedCommand(limits: ResourceLimits, holders: LimitTools): string[] {
  const { setpriv } = holders;
  const parent = setpriv === null ? [] : [setpriv, ...withParent, '--'];
  return [...parent, ...buildLimitCommand(limits, holders)];
}
