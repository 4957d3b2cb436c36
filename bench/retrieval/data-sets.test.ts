import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  loadConversations,
  loadDocuments,
  parseDocuments,
  parseQuestion,
  readDate,
} from './data-sets.ts';

const written = [
  {
    sample_id: 'c-1',
    turns: [
      {
        dia_id: 'D1:1',
        session: 1,
        date_time: '12:05 am on 1 May, 2023',
        speaker: 'Ana',
        text: 'Hi',
      },
      {
        dia_id: 'D1:2',
        session: 1,
        date_time: '1:56 pm on 8 May, 2023',
        speaker: 'Bo',
        text: 'Look!',
        blip_caption: 'a red boat',
      },
      { dia_id: '3', session: 2, date_time: '2024-03-15', role: 'user', text: 'Which boat?' },
    ],
    qa: [{ question: 'What did Bo show?', evidence: ['D1:2', 'D1:2'], category: 4 }],
  },
];

test('a turn is stored with its speaker, its caption, its time and its role', () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'mneme-bench-'));
  try {
    writeFileSync(path.join(dir, 'locomo-dev.json'), JSON.stringify(written));
    const [conversation] = loadConversations(dir, 'locomo-dev.json') ?? [];
    expect(conversation?.turns.map(({ content }) => content)).toEqual([
      'Ana: Hi',
      'Bo: Look! [shares image: a red boat]',
      'Which boat?',
    ]);
    expect(conversation?.turns[2]).toMatchObject({
      id: '3',
      session: 2,
      metadata: { dia_id: '3', date_time: '2024-03-15', role: 'user' },
    });
    expect(conversation?.turns[0]?.metadata).not.toHaveProperty('role');
    expect(conversation?.questions).toEqual([
      { text: 'What did Bo show?', evidence: ['D1:2'], category: 'single-hop' },
    ]);
    expect(loadConversations(dir, 'agent-chats-dev.json')).toBeNull();
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('dates are read as UTC, noon and midnight, too', () => {
  const iso = (text: string): string => readDate(text).toISOString();
  expect(iso('1:56 pm on 8 May, 2023')).toBe('2023-05-08T13:56:00.000Z');
  expect(iso('12:05 am on 1 May, 2023')).toBe('2023-05-01T00:05:00.000Z');
  expect(iso('12:30 pm on 31 December, 2022')).toBe('2022-12-31T12:30:00.000Z');
  expect(iso('2024-03-15')).toBe('2024-03-15T00:00:00.000Z');
  expect(() => readDate('last week')).toThrow('last week');
});

test('documents stand under their ids, questions beside their grades', () => {
  expect(parseDocuments('# Notes\n\n<!-- a-1 -->\nOne.\n\nTwo.\n\n<!-- b -->\nThree.\n')).toEqual([
    { id: 'a-1', content: 'One.\n\nTwo.' },
    { id: 'b', content: 'Three.' },
  ]);
  expect(parseQuestion('What does `a | b` do? | a-1=2 b=1')).toEqual({
    text: 'What does `a | b` do?',
    relevant: { 'a-1': 2, b: 1 },
  });
  expect(() => parseQuestion('What is this?')).toThrow('What is this?');
});

test('the documents are many, each with one id, of 20 to 400 words and without copies', () => {
  const { documents } = loadDocuments();
  expect(documents.length).toBeGreaterThanOrEqual(300);
  expect(new Set(documents.map(({ id }) => id)).size).toBe(documents.length);
  expect(new Set(documents.map(({ content }) => content)).size).toBe(documents.length);
  const sizes = documents.map(({ content }) => content.split(/\s+/).length);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(20);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(400);
});

test('each question to the documents is asked once and answered by documents that exist', () => {
  const { documents, questions } = loadDocuments();
  const known = new Set(documents.map(({ id }) => id));
  expect(questions.length).toBeGreaterThanOrEqual(100);
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length);
  const unknown = questions.flatMap(({ relevant }) =>
    Object.keys(relevant).filter((id) => !known.has(id)),
  );
  expect(unknown).toEqual([]);
  for (const { relevant } of questions) expect(Object.values(relevant)).toContain(2);
});
