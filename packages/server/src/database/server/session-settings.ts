export interface SessionLimits {
  /** 0: none, as for the other. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** Sent once on each new connection; the forms of output are those that our parsers read. */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs }: SessionLimits): string {
  return [
    `set statement_timeout = ${statementTimeoutMs}`,
    `set lock_timeout = ${lockTimeoutMs}`,
    // A process that is gone without a word must not hold its locks until TCP notices, in hours.
    `set idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    "set timezone = 'UTC'",
    "set datestyle = 'ISO, MDY'",
    "set intervalstyle = 'postgres'",
    'set extra_float_digits = 1',
    "set bytea_output = 'hex'",
    // Statements are short: compiling one takes longer than running it.
    'set jit = off',
  ].join(';');
}
