import { limits } from '@mneme/contract';
import { nameKey } from '../model.ts';

/** Room for a number behind it. */
const labelCharactersMax = limits.nameCharactersMax - 10;

/** A name that nobody of the scope has yet: the label, with a number from 2 on where taken. */
export function availableName(label: string, taken: { has(key: string): boolean }): string {
  const characters = Array.from(label.trim()).slice(0, labelCharactersMax);
  const base = characters.join('') || 'Cluster';
  let name = base;
  for (let n = 2; taken.has(nameKey(name)); n += 1) name = `${base} ${n}`;
  return name;
}
