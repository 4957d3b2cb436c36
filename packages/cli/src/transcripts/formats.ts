/** One message of a transcript. */
interface TranscriptTurn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
  readonly at: Date;
}

export interface Transcript {
  /** The client's id of the session. */
  readonly session: string;
  /** The name of the folder of the project. */
  readonly folder: string | undefined;
  readonly turns: readonly TranscriptTurn[];
}

type Json = Readonly<Record<string, unknown>>;
const toObject = (value: unknown): Json => Object(value) as Json;

/** What a line of a file says; null for lines about anything else. */
interface ReadLine {
  readonly session?: string | undefined;
  readonly folder?: string | undefined;
  readonly turn?: TranscriptTurn | undefined;
}

interface TranscriptFormat {
  /** Below the home folder. */
  readonly folder: readonly string[];
  readonly readLine: (line: Json) => ReadLine;
}

/** Texts of the content blocks of one of these types, or the content itself. */
function textOf(content: unknown, types: readonly string[]): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(toObject)
    .filter(({ type, text }) => types.includes(String(type)) && typeof text === 'string')
    .map(({ text }) => String(text))
    .join('\n\n');
}

/** Blocks that the clients add to prompts of the user. */
const clientBlocks = new RegExp(
  '<(system-reminder|command-[a-z]+|local-command-[a-z]+|environment_context|user_instructions|' +
    'user-prompt-submit-hook|ide_[a-z_]+)>[\\s\\S]*?</\\1>',
  'g',
);
const clientNotes =
  /^(?:\[Request interrupted by user|# AGENTS\.md instructions|Caveat: The messages )/;

function toTurn(role: unknown, text: string, timestamp: unknown): TranscriptTurn | undefined {
  if (role !== 'user' && role !== 'assistant') return undefined;
  const at = new Date(String(timestamp));
  const own = role === 'user' ? text.replaceAll(clientBlocks, '').trim() : text.trim();
  if (own === '' || clientNotes.test(own) || Number.isNaN(at.getTime())) return undefined;
  return { role, text: own, at };
}

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Messages of sub-agents, summaries and notes of the client are no turns of the session. */
const isAside = ({ isSidechain, isMeta, isCompactSummary }: Json): boolean =>
  isSidechain === true || isMeta === true || isCompactSummary === true;

export const transcriptFormats: Readonly<Record<string, TranscriptFormat>> = {
  'claude-code': {
    folder: ['.claude', 'projects'],
    readLine(line) {
      if ((line.type !== 'user' && line.type !== 'assistant') || isAside(line)) return {};
      const { role, content } = toObject(line.message);
      return {
        session: stringOf(line.sessionId),
        folder: stringOf(line.cwd),
        turn: toTurn(role, textOf(content, ['text']), line.timestamp),
      };
    },
  },
  codex: {
    folder: ['.codex', 'sessions'],
    readLine(line) {
      const payload = toObject(line.payload);
      if (line.type === 'session_meta') {
        return { session: stringOf(payload.id), folder: stringOf(payload.cwd) };
      }
      if (line.type !== 'response_item' || payload.type !== 'message') return {};
      const text = textOf(payload.content, ['input_text', 'output_text', 'text']);
      return { turn: toTurn(payload.role, text, line.timestamp) };
    },
  },
};

/**
 * The session of a file. Of the answers between two prompts only the last one is a turn: those
 * before it say what the agent is about to do. Null without a session or without turns. Lines that
 * are not JSON are skipped, because the client may be writing the last one.
 */
export function parseTranscript(
  format: TranscriptFormat,
  lines: Iterable<string>,
): Transcript | null {
  let [session, folder]: (string | undefined)[] = [];
  const turns: TranscriptTurn[] = [];
  for (const line of lines) {
    const read = format.readLine(parseLine(line));
    session ??= read.session;
    folder ??= read.folder;
    const { turn } = read;
    if (!turn) continue;
    if (turn.role === 'assistant' && turns.at(-1)?.role === 'assistant') turns.pop();
    turns.push(turn);
  }
  if (session === undefined || turns.length === 0) return null;
  return { session, folder: folder?.split(/[/\\]/).findLast((part) => part !== ''), turns };
}

function parseLine(line: string): Json {
  try {
    return toObject(JSON.parse(line));
  } catch {
    return {};
  }
}
