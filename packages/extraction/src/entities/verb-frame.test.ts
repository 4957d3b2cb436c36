import { describe, expect, it } from 'vitest';
import { extractEntitiesAndFacts } from './extract.ts';
import { inflectVerb } from './verb-frame.ts';

const at = new Date('2026-06-10T09:00:00Z');

function factsIn(text: string, speaker?: string): string[] {
  const { entities, facts } = extractEntitiesAndFacts(
    speaker === undefined ? { text, at } : { text, at, speaker },
  );
  const named = (place: number): string => entities[place]?.name ?? '';
  return facts.map((fact) => `${named(fact.subject)} ${fact.predicate} ${named(fact.object)}`);
}

const typesIn = (text: string): string[] =>
  extractEntitiesAndFacts({ text, at }).entities.map(({ type, name }) => `${type} ${name}`);

describe('forms of verbs', () => {
  it.each([
    ['hire', ['hire', 'hires', 'hiring', 'hired']],
    ['run/ran', ['run', 'runs', 'running', 'ran']],
    ['marry', ['marry', 'marries', 'marrying', 'married']],
    ['walk_away/walked_away', ['walk away', 'walks away', 'walking away', 'walked away']],
  ])('%s', (verb, forms) => expect(inflectVerb(verb)).toEqual(expect.arrayContaining(forms)));
});

describe('facts from verbs and nouns', () => {
  it.each([
    ['Nkechi supervises Florian.', 'Florian reports_to Nkechi'],
    ['Bjarte hired Philippa as his deputy.', 'Philippa reports_to Bjarte'],
    ['The University of Tromsø employs Solveig.', 'Solveig works_at University of Tromsø'],
    ['Quillfeather, headquartered in Ghent, makes pens.', 'Quillfeather located_in Ghent'],
    ['Bluefin Media was swallowed up by Orwell Group.', 'Bluefin Media part_of Orwell Group'],
    ['Casimir holds a certificate in forensic accounting.', 'Casimir knows forensic accounting'],
    ['Emeka can speak Welsh.', 'Emeka knows Welsh'],
    ['Zuleikha swears by Scrivener.', 'Zuleikha uses Scrivener'],
    ['Saoirse is stepmother to Fionn.', 'Saoirse related_to Fionn'],
    ['Stellan works alongside Priyanka.', 'Stellan collaborates_with Priyanka'],
    ['Birk speaks no French but reads Latin.', 'Birk knows Latin'],
  ])('%s', (text, fact) => expect(factsIn(text)).toContain(fact));

  it('excludes negated, hypothetical and questioned facts', () => {
    expect(factsIn("Farouk doesn't work for Meridian Air.")).toEqual([]);
    expect(factsIn('Kjell might join Norrland Timber.')).toEqual([]);
    expect(factsIn('Has Tamsin joined Norrland Timber?')).toEqual([]);
  });
});

describe('names by their context', () => {
  it.each([
    ['We buy from a cooperative called Hedgerow.', 'organization Hedgerow'],
    ['Ruud is part of the incident response team.', 'organization incident response team'],
    ['Our spring kickoff was fun.', 'event spring kickoff'],
    ['She runs the Lisbon half marathon.', 'event Lisbon half marathon'],
    ['Hurricane Katrina changed the city.', 'event Hurricane Katrina'],
    ['Haruto has a knack for upholstery.', 'skill upholstery'],
    ['The Ghent-based shop closed.', 'location Ghent'],
  ])('%s', (text, entity) => expect(typesIn(text)).toContain(entity));

  it('does not treat common capitalised words as names', () => {
    const found = typesIn('Set the Accept header; Content-Type stays.');
    expect(found.filter((entity) => entity.startsWith('person'))).toEqual([]);
  });
});
