import { readFileSync } from 'node:fs';
import { isAvailable } from './requirements.ts';

const file = '/proc/self/stat';

/**
 * CPU seconds of all terminated child processes; 0 on systems without /proc.
 */
export function childCpuSeconds(): number {
  if (!isAvailable('processFiles')) return 0;
  const stat = readFileSync(file, 'latin1');
  // The name may contain anything: fields 16 and 17, the times of children, follow the last `)`.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
