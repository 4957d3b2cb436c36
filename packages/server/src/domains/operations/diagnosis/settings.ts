import type { CheckResult, Problem } from './report.ts';

/** `unknown`: one line for each variable whose name looks like a setting but is not one. */
export const checkSettings = (
  unknown: readonly string[],
  invalidSettings: readonly string[] = [],
): CheckResult => ({
  problems: [
    ...invalidSettings.map(
      (line): Problem => ({
        kind: 'invalid_setting',
        severity: 'error',
        message: `${line}.`,
        action: 'Correct the setting: the server does not start with it.',
      }),
    ),
    ...unknown.map(
      (line): Problem => ({
        kind: 'unknown_setting',
        severity: 'warning',
        message: line,
        action: 'Correct the name or unset the variable: the server ignores it.',
      }),
    ),
  ],
});
