import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the instrumented copy is to do, in a file at its root. */
export interface MutationControl {
  /** The mutant that is active; null for none. */
  readonly active: number | null;
  /** A folder for notes of which mutants were reached; null where they are not recorded. */
  readonly hitsFolder: string | null;
  /** Test files as absolute paths, the first one first. */
  readonly testOrder: readonly string[];
}

export const writeControl = (copy: string, control: MutationControl): void =>
  writeFileSync(join(copy, '.mutant.json'), JSON.stringify(control));
