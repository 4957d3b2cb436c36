import { describe, expect, test } from 'vitest';
import { extractEntitiesAndFacts } from './extract.ts';

const at = new Date('2026-06-10T10:00:00Z');

function told(text: string): string[] {
  const { entities, facts } = extractEntitiesAndFacts({ text, at });
  return facts.map(
    ({ subject, predicate, object }) =>
      `${entities[subject]?.name} ${predicate} ${entities[object]?.name}`,
  );
}

describe('a letter', () => {
  test('uses "your" for the person it greets', () => {
    expect(
      told('Hello Tom, your cousin Lorato works at the Ministry of Lands.\nKeabetswe'),
    ).toContain('Lorato related_to Tom');
    expect(told('Tom is here. Your cousin Lorato works at the Ministry of Lands.')).not.toContain(
      'Lorato related_to Tom',
    );
  });

  test('uses "our" for the organisation that signs it, and family terms for the signer', () => {
    const body = 'The doors open at six. Our astronomer Itziar Agirre uses a Celestron 14.';
    expect(told(`${body}\n\nObservatorio Pilar, Bilbao`)).toContain(
      'Itziar Agirre works_at Observatorio Pilar',
    );
    expect(told(body)).not.toContain('Itziar Agirre works_at Observatorio Pilar');
    const family = told('Dear Rolf,\nour daughter Eva is fine.\nBest,\nIlse\nHeron Bank AG');
    expect(family).toContain('Eva related_to Ilse');
  });

  test('is not signed by a person in its last sentence', () => {
    const facts = told(
      'The call was on Monday, as agreed. My boss is Kerem Aydin. Salma Haddad sends the minutes.',
    );
    expect(facts).not.toContain('Salma Haddad reports_to Kerem Aydin');
  });
});
