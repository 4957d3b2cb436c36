/**
 * Long documents of several kinds, with a question for each of many passages: handbooks of 10,000
 * words, logs, tables, lists and code. Generated from written paragraphs, so that each document is
 * like the others except for what its passages say.
 */
import { readFileSync } from 'node:fs';
import { createRandom } from '../../random.ts';
import type { DocumentParts, LongDocuments, PassageQuestion } from './document-parts.ts';
import { codeDocument, listDocument, logDocument, tableDocument } from './structured.ts';

interface Case {
  readonly heading: string;
  readonly statement: string;
  readonly byMeaning: string;
  readonly byWords: string;
}

const cases: readonly Case[] = readFileSync(new URL('cases.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [heading = '', statement = '', byMeaning = '', byWords = ''] = line.split(' | ');
    return { heading, statement, byMeaning, byWords };
  });

const syllables = [
  'Bor',
  'Kel',
  'Mar',
  'Tos',
  'Vin',
  'Hal',
  'Ost',
  'Ran',
  'Sel',
  'Dun',
  'Fer',
  'Gol',
];
const endings = ['ford', 'holm', 'mouth', 'wick', 'stead', 'berg', 'ley', 'ham', 'by', 'dale'];
const firstNames = [
  'Ada',
  'Bruno',
  'Carla',
  'Dario',
  'Edda',
  'Falk',
  'Greta',
  'Henk',
  'Ilse',
  'Jonas',
];
const lastNames = ['Brandt', 'Castel', 'Duarte', 'Eklund', 'Farrow', 'Gerber', 'Holt', 'Ivarsen'];
const months = ['January', 'March', 'May', 'June', 'August', 'October', 'November'];

/** @param words least length of each handbook */
export function generateLongDocuments(
  seed: number,
  { handbooks, words }: { readonly handbooks: number; readonly words: number },
): LongDocuments {
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const places = syllables.flatMap((start) => endings.map((end) => start + end));
  // Each case is told of a place once, so that case and place name one paragraph of all.
  const pairs = shuffle(
    cases.flatMap((one) => places.map((place) => ({ ...one, place }))),
    random,
  );
  const documents: { id: string; content: string }[] = [];
  const questions: PassageQuestion[] = [];
  const add = (id: string, { content, questions: own }: DocumentParts): void => {
    documents.push({ id, content });
    questions.push(...own.map((question) => ({ ...question, documentId: id })));
  };
  let number = 100;
  const fill = (text: string, place: string): string =>
    text
      .replaceAll('{place}', place)
      .replaceAll('{person}', `${pick(firstNames)} ${pick(lastNames)}`)
      .replaceAll('{month}', pick(months))
      .replaceAll('{n}', String(3 + Math.floor(random() * 90)));
  for (let i = 0; i < handbooks; i += 1) {
    const paragraphs: string[] = [`# Handbook ${i + 1}`];
    const own: Omit<PassageQuestion, 'documentId'>[] = [];
    for (let length = 0; length < words; ) {
      const { heading, place, ...texts } = pairs.pop() as (typeof pairs)[number];
      number += 1;
      const code = `${place.slice(0, 2).toUpperCase()}-${number}`;
      const paragraph = fill(texts.statement, place).replaceAll('{code}', code);
      // A section has two paragraphs.
      if (own.length % 4 === 0) paragraphs.push(`## ${heading} and more`);
      paragraphs.push(paragraph);
      own.push(
        { text: fill(texts.byMeaning, place), answer: code, kind: 'meaning' },
        { text: fill(texts.byWords, place), answer: code, kind: 'words' },
      );
      length += paragraph.split(' ').length;
    }
    add(`handbook-${i + 1}`, { content: paragraphs.join('\n\n'), questions: own });
  }
  for (const place of shuffle(places, random).slice(0, handbooks)) {
    add(`log-${place.toLowerCase()}`, logDocument(place, random));
    add(`table-${place.toLowerCase()}`, tableDocument(place, random));
    add(`list-${place.toLowerCase()}`, listDocument(place, random));
    add(`code-${place.toLowerCase()}`, codeDocument(place, random));
  }
  return { documents, questions };
}

/** Fisher and Yates. */
function shuffle<T>(values: readonly T[], random: () => number): T[] {
  const shuffled = [...values];
  for (let i = shuffled.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
  }
  return shuffled;
}
