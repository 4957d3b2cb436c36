export interface SessionLimits {
  /** 0: no timeout; also for `lockTimeoutMs`. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** Sent once on each new connection; the output formats are those that value-parsers.ts parses. */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs }: SessionLimits): string {
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set lock_timeout = ${lockTimeoutMs}`,
    // A process that disappeared must not hold its locks until TCP detects it, which takes hours.
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    "set timezone = 'UTC'",
    "set datestyle = 'ISO, MDY'",
    "set intervalstyle = 'postgres'",
    'set extra_float_digits = 1',
    "set bytea_output = 'hex'",
    // Statements are short: compiling takes longer than running.
    'set jit = off',
  ].join(';');
}
