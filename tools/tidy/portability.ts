import { createFinding, type Finding, type SourceFile } from './finding.ts';

const forbiddenPatterns: readonly { pattern: RegExp; message: string }[] = [
  { pattern: /registry\.(?:npmjs|yarnpkg)|^registry\s*=/, message: 'names a package registry' },
  {
    pattern: /(?<![\w.\-~}*)\]>])\/(?:home|root|work|Users)\//,
    message: 'names a path of one machine',
  },
];

/** What is committed holds on every machine: no registry hosts, no absolute home paths. */
export function checkPortability(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) =>
        forbiddenPatterns
          .filter(({ pattern }) => pattern.test(line))
          .map(({ message }) => createFinding('text', path, i + 1, message)),
      ),
  );
}
