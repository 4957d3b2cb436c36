/** A model cannot be installed; the message says what to do. */
export class ModelNotInstalled extends Error {
  override readonly name = 'ModelNotInstalled';
}

const storageProblems: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exhausted',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
};

/** Converts an error of the file system that the user can correct. */
export function toModelNotInstalled(file: string, error: unknown): unknown {
  const problem = storageProblems[(error as NodeJS.ErrnoException).code ?? ''];
  if (problem === undefined) return error;
  const advice = 'Correct this and repeat the installation, which continues where it ended.';
  return new ModelNotInstalled(`${file} cannot be written: ${problem}. ${advice}`, {
    cause: error,
  });
}
