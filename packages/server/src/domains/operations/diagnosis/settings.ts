import type { CheckResult, Problem } from './report.ts';

/** `unknown`: one line for each variable that has a name like a setting and is none. */
export const checkSettings = (
  unknown: readonly string[],
  faults: readonly string[] = [],
): CheckResult => ({
  problems: [
    ...faults.map(
      (fault): Problem => ({
        kind: 'invalid_setting',
        severity: 'error',
        message: `${fault}.`,
        action: 'Correct the setting: the server does not start with it.',
      }),
    ),
    ...unknown.map(
      (line): Problem => ({
        kind: 'unknown_setting',
        severity: 'warning',
        message: line,
        action: 'Correct the name, or unset the variable: the server ignores it.',
      }),
    ),
  ],
});
