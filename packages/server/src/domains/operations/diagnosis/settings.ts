import type { CheckResult, Problem } from './report.ts';

/** Lines that each begin with a variable. */
export interface SettingProblems {
  /** The server does not start with these values. */
  readonly invalid?: readonly string[];
  /** The server uses the defaults instead of these values. */
  readonly ignored?: readonly string[];
  /** The names look like those of settings, but are not. */
  readonly unknown: readonly string[];
}

export const checkSettings = ({
  invalid = [],
  ignored = [],
  unknown,
}: SettingProblems): CheckResult => ({
  problems: [
    ...invalid.map(
      (line): Problem => ({
        kind: 'invalid_setting',
        severity: 'error',
        message: `${line}.`,
        action: 'Correct the setting: the server does not start with it.',
      }),
    ),
    ...ignored.map(
      (line): Problem => ({
        kind: 'invalid_setting',
        severity: 'warning',
        message: `${line}.`,
        action: 'Correct the value or unset the variable.',
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
