import type { DotProductTask, DotProgram } from './dot-program.ts';

/** What dot products are computed of, and with. */
export interface ChunkTask extends DotProductTask {
  readonly memory: SharedWebAssemblyMemory;
  readonly program: DotProgram;
}

/** Another thread, which takes part in the dot products of large accounts. */
export interface DotProductHelper {
  /** Whether it can take part in so many chunks, and writes nothing of an earlier task any more. */
  canTake(chunks: number): boolean;
  /**
   * Begins; what is returned computes what is left, and returns when all is computed. Null: the
   * caller computes alone.
   */
  begin(task: ChunkTask, chunks: readonly number[]): (() => void) | null;
  /** A memory that is used no more. */
  forget(memory: SharedWebAssemblyMemory): void;
}
