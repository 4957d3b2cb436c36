import pg from 'pg';
import { isPartial } from '../across-accounts.ts';
import type { EngineLog } from '../engine.ts';
import { NodeUnavailable } from '../errors.ts';
import { placementOf } from '../placement.ts';
import type { Statement } from './node-commands.ts';

/** So long statements on a node fail at once before one of them tries it again. */
const RETRY_AFTER_MS = 1_000;
/** Then another statement tries it: this one may be long, or wait for a connection that is lost. */
const RETRY_TIMEOUT_MS = 10_000;

/** SQLSTATE: connection failure, too many connections, server starting or shutting down. */
const CONNECTION_SQLSTATE = /^(?:08|53[34]|57P)/;
const QUERY_CANCELED = '57014';
/** How Citus names a node in the message of an error; the user may precede it. */
const NODE_IN_MESSAGE =
  /\b(?:to the remote node|to the node|for node|marked as essential:) (?:\S*@)?(\S+:\d+)/;
/** How Citus names the node that reported an error itself. */
const NODE_IN_CONTEXT = /while executing command on (\S+:\d+)/;
/** A node was lost during the commit; whether it has committed is not known. */
const COMMIT_FAILED = /^could not commit transaction for shard /;
/** How Citus reports the loss of a connection for which it does not fail. */
const LOST_IN_REPORT = /^(?:failed to connect|connection lost)/;
const ACCOUNT_PARAMETER = /\baccount_id"?\s*=\s*\$(\d+)/;
const INSERTED_COLUMNS = /^\s*insert into \S+ \(([^)]*)\)\s+values\s+\(([^)]*)/i;
const INSERTS = /\binsert into\b/i;
const TABLES = /\b(?:from|join|into|update)\s+"?([a-z_]+)/gi;

const NODE_OF_ACCOUNT = `
  select nodename || ':' || nodeport as node
  from pg_dist_placement join pg_dist_node using (groupid)
  where noderole = 'primary'
    and shardid = get_shard_id_for_distribution_column('memories', $1::uuid)`;
/** No row: another node has its place. */
const NODE_RESPONDS = `
  select citus_check_connection_to_node(nodename, nodeport) as responds
  from pg_dist_node where nodename = $1 and nodeport = $2::int`;
const SILENT_NODE = `
  select nodename || ':' || nodeport as node from pg_dist_node
  where noderole = 'primary' and groupid > 0
    and not citus_check_connection_to_node(nodename, nodeport) limit 1`;

/** Runs a statement on the coordinator. */
type RunOnCoordinator = (config: {
  text: string;
  values: unknown[];
}) => Promise<{ rows: Record<string, unknown>[] }>;

export interface UnavailableNodesDeps {
  readonly log: EngineLog;
  /** On a connection of its own: that of the statement may be in a failed transaction. */
  readonly runApart: RunOnCoordinator;
  /** Monotonic time. */
  readonly nowMs?: () => number;
}

/**
 * The nodes of a distributed database that do not respond. Statements on their accounts fail at
 * once, so that they do not occupy the connections that the other accounts need. Every second one
 * statement tries the node again, as a rule one at a time. On a plain server this does nothing.
 */
export class UnavailableNodes {
  /** Set where the database is distributed. */
  isDistributed = false;
  readonly #deps: UnavailableNodesDeps;
  readonly #nowMs: () => number;
  /** When a node is tried again, by `host:port`. */
  readonly #retryAt = new Map<string, number>();
  readonly #nodeOfAccount = new Map<string, string | null>();
  /** The node at which a statement over all accounts has failed, by its text. */
  readonly #nodeOfText = new Map<string, string>();

  constructor(deps: UnavailableNodesDeps) {
    this.#deps = deps;
    this.#nowMs = deps.nowMs ?? (() => performance.now());
  }

  get areAllAvailable(): boolean {
    return this.#retryAt.size === 0;
  }

  /** As `host:port`, sorted. */
  get names(): readonly string[] {
    return [...this.#retryAt.keys()].sort();
  }

  /**
   * Throws NodeUnavailable if the statement needs a node that does not respond. Returns the node
   * that the statement tries again, which is for `recordRetry`; null: none.
   *
   * @param run on the connection of the statement, before it
   */
  async admit(statement: Statement, run: RunOnCoordinator): Promise<string | null> {
    if (!needsNodes(statement.text)) return null;
    // Within a failed transaction the statement will fail, too.
    const node = await this.#nodeOf(statement, run).catch(() => null);
    const retryAt = node === null ? undefined : this.#retryAt.get(node);
    if (node === null || retryAt === undefined) return null;
    const now = this.#nowMs();
    if (now < retryAt) throw new NodeUnavailable(node);
    this.#retryAt.set(node, now + RETRY_TIMEOUT_MS);
    return node;
  }

  /** @param error how the statement that tried the node failed; null: it did not */
  recordRetry(node: string, error: unknown): void {
    if (error instanceof NodeUnavailable) {
      this.#retryAt.set(node, this.#nowMs() + RETRY_AFTER_MS);
      return;
    }
    if (!this.#retryAt.delete(node)) return;
    this.#nodeOfAccount.clear();
    this.#nodeOfText.clear();
    this.#deps.log.info({ node }, 'database node returned');
  }

  /** Returns NodeUnavailable for an error of a node that does not respond; otherwise the error. */
  async explain(error: unknown, statement: Statement): Promise<unknown> {
    if (!this.isDistributed) return error;
    if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') return error;
    if (COMMIT_FAILED.test(error.message)) return new NodeUnavailable(null, { cause: error });
    const node =
      error.code === QUERY_CANCELED ? await this.#findSilentNode(statement) : nodeOfError(error);
    if (node === null) return error;
    this.#record(node, statement, error);
    return new NodeUnavailable(node, { cause: error });
  }

  /**
   * Tries the nodes again for which it is time, in the background: the statement that calls it is
   * about the others, and a node that is silent would keep it waiting.
   */
  tryAgain(): void {
    const now = this.#nowMs();
    for (const [node, retryAt] of this.#retryAt) {
      if (now < retryAt) continue;
      this.#retryAt.set(node, now + RETRY_TIMEOUT_MS);
      void this.#responds(node)
        .catch(() => false)
        .then((responds) => this.recordRetry(node, responds ? null : new NodeUnavailable(node)));
    }
  }

  /**
   * Records that a node has failed a statement because it does not respond. If it does, throws what
   * it reported.
   */
  async requireUnavailable(node: string, reported: string): Promise<void> {
    if (!LOST_IN_REPORT.test(reported) && (await this.#responds(node))) {
      throw new Error(`The database node ${node} reported: ${reported}`);
    }
    this.#recordNode(node, reported);
  }

  #record(node: string, { text, parameters }: Statement, { message }: Error): void {
    const accountId = accountOf(text, parameters);
    if (accountId !== null) this.#nodeOfAccount.set(accountId, node);
    // An insert is about one account, also where it is not recognised.
    else if (!INSERTS.test(text)) this.#nodeOfText.set(text, node);
    this.#recordNode(node, message);
  }

  #recordNode(node: string, error: string): void {
    if (!this.#retryAt.has(node)) this.#deps.log.warn({ node, error }, 'database node unavailable');
    this.#retryAt.set(node, this.#nowMs() + RETRY_AFTER_MS);
  }

  async #nodeOf({ text, parameters }: Statement, run: RunOnCoordinator): Promise<string | null> {
    const accountId = accountOf(text, parameters);
    if (accountId === null) return this.#nodeOfText.get(text) ?? null;
    const known = this.#nodeOfAccount.get(accountId);
    if (known !== undefined) return known;
    const { rows } = await run({ text: NODE_OF_ACCOUNT, values: [accountId] });
    const node = rows.length > 0 ? String(rows[0]?.node) : null;
    this.#nodeOfAccount.set(accountId, node);
    return node;
  }

  /**
   * The node of the account, or any of a partial statement, if it accepts no connection; a slow
   * statement has another cause.
   */
  async #findSilentNode(statement: Statement): Promise<string | null> {
    const { runApart } = this.#deps;
    if (isPartial(statement.text)) {
      const { rows } = await runApart({ text: SILENT_NODE, values: [] });
      return rows.length > 0 ? String(rows[0]?.node) : null;
    }
    const node = await this.#nodeOf(statement, runApart);
    return node === null || (await this.#responds(node)) ? null : node;
  }

  async #responds(node: string): Promise<boolean> {
    const port = node.slice(node.lastIndexOf(':') + 1);
    const host = node.slice(0, -port.length - 1);
    const { rows } = await this.#deps.runApart({ text: NODE_RESPONDS, values: [host, port] });
    return rows[0]?.responds !== false;
  }
}

function nodeOfError({ code = '', message, where = '' }: pg.DatabaseError): string | null {
  if (!CONNECTION_SQLSTATE.test(code) && code !== 'XX000') return null;
  const named = NODE_IN_MESSAGE.exec(message)?.[1];
  if (named !== undefined) return named;
  return code === 'XX000' ? null : (NODE_IN_CONTEXT.exec(where)?.[1] ?? null);
}

/** False for statements that the coordinator runs alone. */
const needsNodes = (text: string): boolean =>
  [...text.matchAll(TABLES)].some(([, table = '']) => {
    const placement = placementOf(table.toLowerCase());
    return placement === 'tenant' || placement === 'reference';
  });

/** The account that the statement names as a constant; null: several, or not recognised. */
function accountOf(text: string, parameters: readonly unknown[]): string | null {
  const position = ACCOUNT_PARAMETER.exec(text)?.[1] ?? insertedAccount(text);
  const value = position === undefined ? null : parameters[Number(position) - 1];
  return typeof value === 'string' ? value : null;
}

/** The number of the parameter that is the account of the first row that is inserted. */
function insertedAccount(text: string): string | undefined {
  const [, columns = '', values = ''] = INSERTED_COLUMNS.exec(text) ?? [];
  const index = columns.split(',').findIndex((column) => /^"?account_id"?$/.test(column.trim()));
  return /^\$(\d+)/.exec(values.split(',')[index]?.trim() ?? '')?.[1];
}
