import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server';

const charactersMax = 100;
const unsafe = /[^\w .()/:@+-]+/g;

/** A name and version as one short text: clients choose it, and it is logged and stored. */
function format(info: unknown): string | undefined {
  const { name, version } = Object(info) as { name?: unknown; version?: unknown };
  if (typeof name !== 'string') return undefined;
  return sanitize(typeof version === 'string' ? `${name}/${version}` : name);
}

const sanitize = (text: string): string | undefined =>
  text.replaceAll(unsafe, ' ').trim().slice(0, charactersMax) || undefined;

interface Message {
  readonly method?: unknown;
  readonly params?: unknown;
}

/** A session of the 2025 protocols is the client's name. None is stored, so that none expires. */
const sessionPrefix = 'client.';

export const toSessionId = (client: string): string =>
  sessionPrefix + Buffer.from(client).toString('base64url');

const fromSessionId = (id: string): string | undefined =>
  id.startsWith(sessionPrefix)
    ? sanitize(Buffer.from(id.slice(sessionPrefix.length, 400), 'base64url').toString())
    : undefined;

/**
 * The program that sent a message: as the message says (2026-07-28, and `initialize`), as it said
 * in `initialize`, otherwise its User-Agent.
 */
export function clientNameOf(headers: Headers, message: Message): string | undefined {
  const { _meta: meta, clientInfo } = Object(message.params) as Record<string, unknown>;
  return (
    format((Object(meta) as Record<string, unknown>)[CLIENT_INFO_META_KEY]) ??
    format(message.method === 'initialize' ? clientInfo : undefined) ??
    fromSessionId(headers.get('mcp-session-id') ?? '') ??
    sanitize(headers.get('user-agent') ?? '')
  );
}
