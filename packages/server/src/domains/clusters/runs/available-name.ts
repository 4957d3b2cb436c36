import { limits } from '@mneme/contract';
import { nameKey } from '../model.ts';

/** Reserves space for a number suffix. */
const labelCharactersMax = limits.nameCharactersMax - 10;

/** A name that is unused in the scope: the label, with a number from 2 on if it is in use. */
export function availableClusterName(
  label: string,
  usedNames: { has(key: string): boolean },
): string {
  const characters = Array.from(label.trim()).slice(0, labelCharactersMax);
  const base = characters.join('') || 'Cluster';
  let name = base;
  for (let n = 2; usedNames.has(nameKey(name)); n += 1) name = `${base} ${n}`;
  return name;
}
