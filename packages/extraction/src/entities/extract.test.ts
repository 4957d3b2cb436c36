import { describe, expect, test } from 'vitest';
import type { Extraction } from '../types.ts';
import { extractEntitiesAndFacts } from './extract.ts';

const at = new Date('2026-06-10T10:00:00Z');
const read = (text: string, speaker?: string): Extraction =>
  extractEntitiesAndFacts(speaker === undefined ? { text, at } : { text, at, speaker });

const typed = (text: string, speaker?: string): string[] =>
  read(text, speaker).entities.map(({ type, name }) => `${type} ${name}`);

function told(text: string, speaker?: string): string[] {
  const { entities, facts } = read(text, speaker);
  return facts.map(({ subject, predicate, object, validFrom, validTo }) =>
    [
      entities[subject]?.name,
      predicate,
      entities[object]?.name,
      ...(validFrom ? [`from ${validFrom}`] : []),
      ...(validTo ? [`to ${validTo}`] : []),
    ].join(' '),
  );
}

describe('names and their types', () => {
  test('skills are what somebody knows or was trained with', () => {
    expect(typed('She knows net mending.')).toEqual(['skill net mending']);
    expect(typed('She knows sign language.')).toEqual(['skill sign language']);
    expect(typed('Ana is trained with Kotlin.')).toEqual(['person Ana', 'skill Kotlin']);
  });

  test('titles are not part of a name', () => {
    expect(typed('Frau Dr. Lindner wrote to Captain Ruiz.')).toEqual([
      'person Lindner',
      'person Ruiz',
    ]);
  });

  test('prepositions distinguish companies from places', () => {
    expect(typed('Kaisa works at Verrotec in Oulu.')).toEqual([
      'person Kaisa',
      'organization Verrotec',
      'location Oulu',
    ]);
  });

  test('a number belongs to a model and not to a version', () => {
    expect(typed('She drives a Peugeot 205 and runs Postgres 17.')).toEqual([
      'product Peugeot 205',
      'product Postgres',
    ]);
  });

  test('an event includes the names and dates before its head', () => {
    expect(typed('The 12 March outage spoilt the Oslo offsite.')).toEqual([
      'event 12 March outage',
      'event Oslo offsite',
    ]);
  });

  test('languages are skills if somebody speaks them', () => {
    expect(typed('Otto speaks Basque, his Spanish bike is old.')).toEqual([
      'person Otto',
      'skill Basque',
    ]);
  });

  test('chats without capitals have names too', () => {
    expect(typed('met lorenzo from initech, he uses postgres', 'Kim')).toEqual([
      'person Kim',
      'person lorenzo',
      'organization initech',
      'product postgres',
    ]);
  });

  test('addresses, paths and code contain no names', () => {
    expect(
      typed('see docs/Anna.md, `Maria`, https://example.org/Paris and bo@example.org'),
    ).toEqual([]);
  });

  test('one person has all forms of their name', () => {
    const { entities } = read('Present: Greta Thorn, Omar Haddad\n- Greta: done. Haddad agreed.');
    expect(entities.map(({ mentions }) => mentions)).toEqual([
      ['Greta Thorn', 'Greta'],
      ['Omar Haddad', 'Haddad'],
    ]);
  });

  test('common words at the start of a sentence are not names', () => {
    expect(typed('Use the old one. Please check. Nothing works. Mark it red.')).toEqual([]);
  });
});

describe('facts', () => {
  test('cover work, places and superiors', () => {
    expect(told('Pieter van Dijk, head of sales at Heijmans, lives in Utrecht.')).toEqual([
      'Pieter van Dijk works_at Heijmans',
      'Pieter van Dijk located_in Utrecht',
    ]);
    expect(told("Frank's boss is now Ulla Berg.")).toEqual(['Frank reports_to Ulla Berg']);
  });

  test('resolve "I" and "my" to the speaker', () => {
    expect(told('My brother Felix joined Siemens in 2019.', 'Ida Roth')).toEqual([
      'Felix related_to Ida Roth',
      'Felix works_at Siemens from 2019',
    ]);
  });

  test('resolve a pronoun to the person mentioned', () => {
    expect(told('Ilse left Philips in 2011. She lives in Ghent.')).toEqual([
      'Ilse works_at Philips to 2011',
      'Ilse located_in Ghent',
    ]);
  });

  test('apply to each name of a list', () => {
    expect(told('Oumar and Binta use Redis.')).toEqual(['Oumar uses Redis', 'Binta uses Redis']);
  });

  test.each([
    'Rosa does not work at Bosch.',
    'Rosa might join Bosch.',
    'Does Rosa work at Bosch?',
    'If Rosa works at Bosch, we are lucky.',
    'Rosa wants to work at Bosch.',
    'Rosa joins Bosch in September.',
  ])('are none in "%s"', (text) => {
    expect(told(text)).toEqual([]);
  });

  test('that ended have an end', () => {
    expect(told('Tomasz used to work at Siemens.')).toEqual([
      'Tomasz works_at Siemens to 2026-06-10',
    ]);
    expect(told('Tomasz no longer works at Siemens.')).toEqual([
      'Tomasz works_at Siemens to 2026-06-10',
    ]);
    expect(told("Ana Ruiz doesn't live in Oslo any more.")).toEqual([
      'Ana Ruiz located_in Oslo to 2026-06-10',
    ]);
  });

  test('that ended did not start when the next one did', () => {
    expect(told('Ilse Roth left Philips in 2011 and has been at Bosch since then.')).toEqual([
      'Ilse Roth works_at Philips to 2011',
      'Ilse Roth works_at Bosch from 2011',
    ]);
  });

  test('joined by "and" share their date', () => {
    expect(told('Ana Ruiz left Siemens in March 2026 and joined Bosch.')).toEqual([
      'Ana Ruiz works_at Siemens to 2026-03',
      'Ana Ruiz works_at Bosch from 2026-03',
    ]);
  });

  test('apply in both directions between people', () => {
    expect(told('Kwabena and Esi are cousins.')).toEqual(['Kwabena related_to Esi']);
  });
});
