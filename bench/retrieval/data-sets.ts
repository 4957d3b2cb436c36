/** The texts and questions that retrieval is measured on, as one shape for every source. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The two sets of conversations; both lie outside of the repository and stay there. */
export const conversationFiles = {
  conversations: 'locomo-dev.json',
  chats: 'agent-chats-dev.json',
} as const;
export type ConversationFile = (typeof conversationFiles)[keyof typeof conversationFiles];

interface Turn {
  readonly id: string;
  readonly session: number;
  /** What is stored: with the speaker's name where there is one. */
  readonly content: string;
  readonly occurredAt: Date;
  readonly metadata: Readonly<Record<string, string>>;
}

interface ConversationQuestion {
  readonly text: string;
  /** Ids of turns. */
  readonly evidence: readonly string[];
  readonly category: string;
}

export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
  readonly questions: readonly ConversationQuestion[];
}

interface RawTurn {
  dia_id: string;
  session: number;
  date_time: string;
  speaker?: string;
  role?: string;
  text: string;
  blip_caption?: string;
}

interface RawConversation {
  sample_id: string;
  turns: RawTurn[];
  qa: { question: string; evidence: string[]; category: number | string }[];
}

const categoryNames: Readonly<Record<string, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
};

/** Null when the folder has no such file. */
export function loadConversations(dir: string, file: ConversationFile): Conversation[] | null {
  const from = path.join(dir, file);
  if (!existsSync(from)) return null;
  const written = JSON.parse(readFileSync(from, 'utf8')) as RawConversation[];
  return written.map(({ sample_id: id, turns, qa }) => ({
    id,
    turns: turns.map(parseTurn),
    questions: qa.map(({ question, evidence, category }) => ({
      text: question,
      evidence: [...new Set(evidence)],
      category: categoryNames[category] ?? String(category),
    })),
  }));
}

function parseTurn(turn: RawTurn): Turn {
  const { dia_id, session, date_time, speaker, role, text, blip_caption: caption } = turn;
  const said = speaker === undefined ? text : `${speaker}: ${text}`;
  return {
    id: dia_id,
    session,
    content: caption === undefined ? said : `${said} [shares image: ${caption}]`,
    occurredAt: readDate(date_time),
    metadata: { dia_id, date_time, ...(role === undefined ? {} : { role }) },
  };
}

const clockTime = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})$/;

/** "1:56 pm on 8 May, 2023" or "2024-03-15", as UTC. Throws for anything else. */
export function readDate(written: string): Date {
  const [, hour, minute, half, day, month, year] = clockTime.exec(written) ?? [];
  const iso = /^\d{4}-\d{2}-\d{2}$/.test(written);
  const date = new Date(iso ? `${written}T00:00:00Z` : `${day} ${month} ${year} 00:00:00 UTC`);
  if (Number.isNaN(date.getTime())) throw new Error(`no date that is known: ${written}`);
  if (iso) return date;
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return new Date(date.getTime() + (hours * 60 + Number(minute)) * 60_000);
}

export interface StoredDocument {
  readonly id: string;
  readonly content: string;
}

export interface DocumentQuestion {
  readonly text: string;
  /** Id of a document → its grade: 1 helps, 2 answers. */
  readonly relevant: Readonly<Record<string, number>>;
}

export interface DocumentSet {
  readonly documents: readonly StoredDocument[];
  readonly questions: readonly DocumentQuestion[];
}

const documentsDir = new URL('documents/', import.meta.url);
const questionsFile = 'questions.txt';

/**
 * Documents that stand alone, and questions to them. `documents/*.md` holds documents, each under
 * a line `<!-- id -->`; `questions.txt` a question a line: `text | id=grade id=grade`.
 */
export function loadDocuments(dir: URL = documentsDir): DocumentSet {
  const files = readdirSync(dir).filter((name) => name.endsWith('.md'));
  const documents = files
    .toSorted()
    .flatMap((name) => parseDocuments(readFileSync(new URL(name, dir), 'utf8')));
  const lines = readFileSync(new URL(questionsFile, dir), 'utf8').split('\n');
  return { documents, questions: lines.filter((line) => line.trim() !== '').map(parseQuestion) };
}

export function parseDocuments(file: string): StoredDocument[] {
  const [, ...parts] = file.split(/^<!-- ([a-z0-9-]+) -->$/m);
  return parts.flatMap((id, i) =>
    i % 2 === 0 ? [{ id, content: (parts[i + 1] ?? '').trim() }] : [],
  );
}

/** Throws when the line has no text or no grades. */
export function parseQuestion(line: string): DocumentQuestion {
  const at = line.lastIndexOf('|');
  const pairs = [...line.slice(at + 1).matchAll(/([a-z0-9-]+)=([12])(?:\s|$)/g)];
  const text = line.slice(0, Math.max(0, at)).trim();
  if (text === '' || pairs.length === 0) throw new Error(`no question with grades: ${line}`);
  return {
    text,
    relevant: Object.fromEntries(pairs.map(([, id = '', grade]) => [id, Number(grade)])),
  };
}
