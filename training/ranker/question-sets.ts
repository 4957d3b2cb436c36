/** The sets that the ranker is fitted on: stores of memories with questions to each. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  conversationFiles,
  type DocumentSet,
  loadConversations,
  loadDocuments,
} from '../../bench/retrieval/data-sets.ts';
import { everydayFile } from '../../bench/retrieval/everyday.ts';
import { loadNotes } from '../../bench/retrieval/notes.ts';
import { loadScoreTexts } from '../../bench/retrieval/score-texts.ts';

interface StoredText {
  readonly key: string;
  readonly content: string;
  readonly occurredAt?: string;
  /** Turns of one session share a key. */
  readonly session?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface StoreQuestion {
  readonly text: string;
  /** Grade by key; empty: the store has no answer. */
  readonly answers: Readonly<Record<string, number>>;
  /** Keys of outdated memories. */
  readonly stale: readonly string[];
  readonly kind: string;
}

export interface Store {
  readonly set: string;
  /** Stores of one group are in the same fold of the cross-validation. */
  readonly group: string;
  readonly texts: readonly StoredText[];
  readonly questions: readonly StoreQuestion[];
}

const question = (text: string, answers: readonly string[], kind: string): StoreQuestion => ({
  text,
  answers: Object.fromEntries(answers.map((key) => [key, 1])),
  stale: [],
  kind,
});

const everySecond = <T>(all: readonly T[]): T[] => all.filter((_, i) => i % 2 === 0);

/** Questions of the next store, which this one cannot answer. */
const withForeignQuestions = (stores: readonly Store[]): Store[] =>
  stores.map((store, i) => {
    const next = stores[(i + 1) % stores.length] as Store;
    const foreign = everySecond(everySecond(next.questions));
    const asked = foreign.map(({ text }) => question(text, [], 'foreign'));
    return { ...store, questions: [...store.questions, ...asked] };
  });

function loadConversationStores(dataDir: string, set: keyof typeof conversationFiles): Store[] {
  const conversations = loadConversations(dataDir, conversationFiles[set]) ?? [];
  return conversations.map(({ id, turns, questions }) => ({
    set,
    group: id,
    texts: turns.map((turn) => ({
      key: turn.id,
      content: turn.content,
      occurredAt: turn.occurredAt.toISOString(),
      session: String(turn.session),
      metadata: turn.metadata,
    })),
    questions: questions.map(({ text, evidence, category }) => question(text, evidence, category)),
  }));
}

interface EverydayAccount {
  readonly id: string;
  readonly memories: readonly { key: string; content: string; occurred_at: string }[];
  readonly questions: readonly { q: string; answers: string[]; stale: string[]; kind: string }[];
}

/** The unanswerable questions of every second account, by name, are held back. */
function loadEverydayStores(dataDir: string): Store[] {
  const read = (file: string | URL) => JSON.parse(readFileSync(file, 'utf8'));
  const { accounts } = read(path.join(dataDir, everydayFile)) as { accounts: EverydayAccount[] };
  const unanswerable = read(
    new URL('../../bench/retrieval/unanswerable.json', import.meta.url),
  ) as { account: string; q: string }[];
  const fitted = new Set(everySecond(accounts.map(({ id }) => id).toSorted()));
  return accounts.map(({ id, memories, questions }) => ({
    set: 'everyday',
    group: id,
    texts: memories.map(({ key, content, occurred_at }) => ({
      key,
      content,
      occurredAt: occurred_at,
    })),
    questions: [
      ...questions.map(({ q, answers, stale, kind }) => ({ ...question(q, answers, kind), stale })),
      ...unanswerable
        .filter(({ account }) => account === id && fitted.has(id))
        .map(({ q }) => question(q, [], 'unanswerable')),
    ],
  }));
}

const loadNoteStores = (): Store[] =>
  loadNotes().fitting.map(({ id, notes, questions }) => ({
    set: 'notes',
    group: id,
    texts: notes.map(({ key, content, occurred_at }) => ({
      key,
      content,
      occurredAt: occurred_at,
    })),
    questions: questions.map((one) => question(one.question, one.answers, 'note')),
  }));

const documentGroups = 5;

/** One store, in as many copies as there are folds; each has its share of the questions. */
function toDocumentStores(set: string, { documents, questions }: DocumentSet): Store[] {
  const texts = documents.map(({ id, content }) => ({ key: id, content }));
  return Array.from({ length: documentGroups }, (_, group) => ({
    set,
    group: String(group),
    texts,
    questions: questions
      .filter((_one, i) => i % documentGroups === group)
      .map(({ text, relevant }) => ({ text, answers: relevant, stale: [], kind: 'document' })),
  }));
}

function loadDocumentStores(): Store[] {
  const short = loadDocuments();
  const long = loadDocuments(new URL('../../bench/retrieval/library/', import.meta.url));
  const all = { documents: [...short.documents, ...long.documents], questions: long.questions };
  const foreign = everySecond(everySecond(loadNoteStores().flatMap((store) => store.questions)));
  return [...toDocumentStores('documents', short), ...toDocumentStores('library', all)].map(
    (store) => ({
      ...store,
      questions: [...store.questions, ...foreign.map(({ text }) => question(text, [], 'foreign'))],
    }),
  );
}

const scenesInStore = 6;

/** Stores of scenes of different subjects, none of which the sentence encoder was trained on. */
function loadSceneStores(): Store[] {
  const folder = new URL('../encoder/', import.meta.url);
  const subjects = readFileSync(new URL('held-out.txt', folder), 'utf8').trim().split('\n');
  const bySubject = subjects.map((subject) =>
    parseScenes(readFileSync(new URL(`texts/${subject}.txt`, folder), 'utf8')),
  );
  const longest = Math.max(...bySubject.map(({ length }) => length));
  // Scene by scene, so that neighbours in the list are of different subjects.
  const scenes = Array.from({ length: longest }, (_, i) =>
    bySubject.flatMap((own) => own[i] ?? []),
  ).flat();
  const stores: Store[] = [];
  for (let from = 0; from + scenesInStore <= scenes.length; from += scenesInStore) {
    const own = scenes.slice(from, from + scenesInStore);
    const keyed = own.map((scene, i) => parseScene(scene, `s${i}`));
    stores.push({
      set: 'scenes',
      group: String(from),
      texts: keyed.flatMap(({ texts }) => texts),
      questions: keyed.flatMap(({ questions }) => questions),
    });
  }
  return stores;
}

const parseScenes = (file: string): string[] => file.split(/^## /m).slice(1);

function parseScene(scene: string, prefix: string): Pick<Store, 'texts' | 'questions'> {
  const texts: StoredText[] = [];
  const questions: StoreQuestion[] = [];
  for (const line of scene.split('\n')) {
    const [, key, day, content = ''] = /^(m\d+) (\S+) \| (.+)$/.exec(line) ?? [];
    if (key) {
      texts.push({ key: `${prefix}${key}`, content, occurredAt: `${day}T12:00:00Z` });
      continue;
    }
    const [, keys = '', text] = /^q ([^|]+)\| (.+)$/.exec(line) ?? [];
    if (text === undefined) continue;
    const named = keys.trim().split(' ');
    const prefixed = (wanted: string[]) => wanted.map((one) => `${prefix}${one.replace('!', '')}`);
    const answers = prefixed(named.filter((one) => one.startsWith('m')));
    const stale = prefixed(named.filter((one) => one.startsWith('!')));
    const kind = answers.length > 0 ? 'scene' : 'unanswerable';
    questions.push({ ...question(text, answers, kind), stale });
  }
  return { texts, questions };
}

/** Statements searched by statements: for the score alone. */
function loadStatementStore(): Store {
  const { sharedWords, nearMiss, sameTopic } = loadScoreTexts();
  const all = [...sharedWords, ...nearMiss, ...sameTopic];
  return {
    set: 'statements',
    group: 'statements',
    texts: all.map(({ memory }, i) => ({ key: String(i), content: memory })),
    questions: all.flatMap(({ memory, restated, hard }, i) => [
      question(memory, [String(i)], 'exact'),
      question(restated, [String(i)], 'restated'),
      { ...question(hard, [], 'hard'), stale: [String(i)] },
    ]),
  };
}

/** Nothing of what is held back is in them. */
export const loadStores = (dataDir: string): Store[] => [
  ...withForeignQuestions(loadConversationStores(dataDir, 'conversations')),
  ...withForeignQuestions(loadConversationStores(dataDir, 'chats')),
  ...loadEverydayStores(dataDir),
  ...withForeignQuestions(loadNoteStores()),
  ...loadDocumentStores(),
  ...loadSceneStores(),
  loadStatementStore(),
];
