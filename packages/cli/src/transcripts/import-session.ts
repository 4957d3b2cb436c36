import { addRedactionCounts, cleanTurn, type RedactionCounts } from '@mneme/contract/redaction';
import { type Client, isMnemeError } from '@mneme/sdk';
import type { Transcript } from './formats.ts';

/** A turn as it is sent. */
interface Message {
  readonly role: string;
  readonly content: string;
  readonly occurred_at: string;
}

export interface PreparedSession {
  readonly name: string;
  readonly folder: string | undefined;
  readonly messages: readonly Message[];
  readonly redacted: RedactionCounts;
}

/** The turns since a time as they are stored: redacted, and without injected context. */
export function prepareSession(
  { session, folder, turns }: Transcript,
  { since, contentBytesMax }: { readonly since: Date | null; readonly contentBytesMax: number },
): PreparedSession {
  let redacted: RedactionCounts = {};
  const messages: Message[] = [];
  for (const { role, text, at } of turns) {
    if (since !== null && at < since) continue;
    const clean = cleanTurn(text, contentBytesMax);
    if (clean.text === '') continue;
    redacted = addRedactionCounts(redacted, clean.counts);
    messages.push({ role, content: clean.text, occurred_at: at.toISOString() });
  }
  return { name: session.slice(0, 200), folder: folder?.slice(0, 255), messages, redacted };
}

export interface ImportContext {
  readonly client: Client;
  /** The name of the agent, which is the origin of its sessions. */
  readonly origin: string;
  readonly space: { readonly space?: string; readonly space_id?: string };
  sleep(ms: number): Promise<void>;
}

const batchMax = 100;

/** What became of a session: how many turns were stored, and whether hooks have stored it. */
export interface ImportedSession {
  readonly stored: number;
  readonly skipped: boolean;
}

/**
 * Stores the turns of a session that were not imported yet. A session that hooks recorded is
 * skipped: its turns are stored without times, so that they would be stored again.
 */
export async function importSession(
  context: ImportContext,
  { name, folder, messages }: PreparedSession,
): Promise<ImportedSession> {
  const found = await findSession(context, name);
  if (found?.metadata.recorded_by === 'hooks' || (found && found.status !== 'active')) {
    return { stored: 0, skipped: true };
  }
  const { imported_from: from = '', imported_through: through = '' } = (found?.metadata ??
    {}) as Record<string, string | undefined>;
  const isImported = ({ occurred_at: at }: Message): boolean => at >= from && at <= through;
  const pending = messages.filter((message) => !isImported(message));
  if (pending.length === 0) return { stored: 0, skipped: false };
  const { client } = context;
  const { id, message_count: before } = found ?? (await createSession(context, name, folder));
  for (let i = 0; i < pending.length; i += batchMax) {
    const batch = pending.slice(i, i + batchMax);
    await withinLimits(context, () =>
      client.memories.fromMessages({ body: { messages: batch, session_id: id } }),
    );
  }
  const times = [...messages.map(({ occurred_at: at }) => at), from, through]
    .filter((at) => at !== '')
    .toSorted();
  const metadata = { imported_from: times[0] ?? '', imported_through: times.at(-1) ?? '' };
  const after = await client.cliSessions.update({ params: { id }, body: { metadata } });
  return { stored: after.message_count - before, skipped: false };
}

async function findSession({ client, origin, space }: ImportContext, name: string) {
  const query = { search: name, origin_type: origin, include_archived: true, limit: 100, ...space };
  const { data } = await client.cliSessions.list({ query });
  return data.find((session) => session.name === name);
}

const createSession = (
  { client, origin, space }: ImportContext,
  name: string,
  folder: string | undefined,
) =>
  client.cliSessions.create({
    body: {
      name,
      origin_type: origin,
      ...space,
      metadata: { recorded_by: 'import', ...(folder === undefined ? {} : { folder }) },
    },
  });

/** Waits where the limit of a minute is reached, and calls again. */
async function withinLimits<T>({ sleep }: ImportContext, call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isMnemeError(error, 'rate_limit_exceeded') || error.retryAfterSeconds === null)
        throw error;
      await sleep(error.retryAfterSeconds * 1_000);
    }
  }
}
