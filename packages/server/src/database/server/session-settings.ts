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
    // Citus waits 30 s for a node that does not respond, as long as a statement may take.
    `select set_config('citus.node_connection_timeout', '5000', false)
      where exists (select from pg_extension where extname = 'citus')`,
  ].join(';');
}
