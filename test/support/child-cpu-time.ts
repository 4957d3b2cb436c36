import { readFileSync } from 'node:fs';
import { isAvailable } from './requirements.ts';

const file = '/proc/self/stat';

/**
 * Seconds of processor time of all programs that this process has started and seen end; 0 where
 * the system has no such figures.
 */
export function childCpuSeconds(): number {
  if (!isAvailable('processFiles')) return 0;
  const told = readFileSync(file, 'latin1');
  // After the name, which may hold anything: the children's times are the 16th and 17th field.
  const fields = told.slice(told.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
