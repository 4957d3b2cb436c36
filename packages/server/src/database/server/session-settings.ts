export interface SessionLimits {
  /** 0: no timeout; also for `lockTimeoutMs`. */
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/**
 * Whoever connects to a standby, during a failover, would read what is no longer true, and keep the
 * connection. SQLSTATE cannot_connect_now: a retry reaches the server that was promoted.
 */
const REFUSE_STANDBY = `do $$ begin
  if pg_is_in_recovery() then
    raise exception 'the server is a standby' using errcode = 'cannot_connect_now';
  end if;
end $$`;

/**
 * Sent once on each new connection; the output formats are those that value-parsers.ts parses.
 * Fails on a standby.
 */
export function sessionSettings({ statementTimeoutMs, lockTimeoutMs }: SessionLimits): string {
  return [
    REFUSE_STANDBY,
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
    // With it Citus sends `set local` to the nodes, in the message that begins a transaction there.
    `select set_config('citus.propagate_set_commands', 'local', false)
      where exists (select from pg_extension where extname = 'citus')`,
    // Citus waits 30 s for a node that does not respond, as long as a statement may take.
    `select set_config('citus.node_connection_timeout', '5000', false)
      where exists (select from pg_extension where extname = 'citus')`,
  ].join(';');
}
