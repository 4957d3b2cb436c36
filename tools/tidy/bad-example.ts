type File = readonly [path: string, text: string];

/** Files that break one rule at one place, with what the rule says about it. */
export interface BadExample {
  readonly files: readonly File[];
  readonly location: string;
  readonly message: string;
}

export const badExample = (path: string, text: string, says: string, line = 1): BadExample => ({
  files: [[path, text]],
  location: `${path}:${line}`,
  message: says,
});

/** In one file, with the line under test second, so that a rule that says "line 1" is caught. */
export const badExampleOnSecondLine = (path: string, text: string, says: string): BadExample =>
  badExample(path, `// first\n${text}`, says, 2);

/** A file with a forbidden import. */
export const badImport = (path: string, specifier: string, says: string): BadExample =>
  badExampleOnSecondLine(path, `import { a } from '${specifier}';`, says);
