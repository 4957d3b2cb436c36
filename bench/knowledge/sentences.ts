import type { TextGenerator } from '../text-generator.ts';

const split = (words: string): string[] => words.split(' ');
const firstNames = split(
  'Ana Ben Chloe David Elena Farid Grace Hiro Ines Jonas Karim Lena Marco Nadia Oskar Priya ' +
    'Quentin Rosa Samir Tara Umar Vera Wei Ximena Yusuf Zoe Amara Bruno Clara Diego Emma Felix',
);
const lastNames = split(
  'Adeyemi Bauer Costa Dubois Eriksson Fischer Garcia Haddad Ivanova Jansen Kowalski Larsen ' +
    'Moreau Nakamura Okafor Petrov Quinn Rossi Schmidt Tanaka Ueda Vargas Weber Xu Yilmaz Zhang ' +
    'Andersen Brennan Castillo Dvorak Engel Fernandes Greco Hoffmann Ishikawa Jovanovic',
);
const firms = split(
  'Acme Borealis Cobalt Delphi Ember Fathom Granite Harbor Indigo Juniper Krypton',
);
const kinds = split(
  'Labs Systems Industries Analytics Robotics Logistics Pharma Media Energy Bank',
);
const cities = split(
  'Berlin Lisbon Toronto Nairobi Osaka Madrid Oslo Vienna Prague Chicago Boston Dublin Lyon ' +
    'Hamburg Zurich Seattle Melbourne Warsaw Athens Helsinki',
);
const tools = split(
  'PostgreSQL Kubernetes Figma Slack Jira Terraform Grafana Kafka Redis Photoshop',
);
const months = split('January March April June July September October November');

/** About 1,150 people, 110 firms, 20 cities and 10 tools, as notes and minutes speak of them. */
export function sentenceWithNames(texts: TextGenerator): string {
  const one = (of: readonly string[]): string => of[texts.integerBelow(of.length)] ?? '';
  const person = (): string => `${one(firstNames)} ${one(lastNames)}`;
  const firm = (): string => `${one(firms)} ${one(kinds)}`;
  const sentences = [
    () => `${person()} works at ${firm()} in ${one(cities)}.`,
    () => `${person()} reports to ${person()} since ${one(months)} 2025.`,
    () => `${person()} moved to ${one(cities)} in ${one(months)}.`,
    () => `${firm()} uses ${one(tools)} for its reports, says ${person()}.`,
    () => `${person()} and ${person()} met with ${firm()} last Tuesday.`,
    () => `${firm()} is part of ${firm()}, and ${person()} leads the office in ${one(cities)}.`,
    () => `Talked to ${person()} about ${one(tools)}; she left ${firm()} on 12 May 2024.`,
    () => `${person()} knows ${person()} from ${one(cities)}.`,
  ];
  return sentences[texts.integerBelow(sentences.length)]?.() ?? '';
}

/** As a memory: such a sentence, and then some thirty words more. */
export const memoryWithNames = (texts: TextGenerator): string =>
  `${sentenceWithNames(texts)} ${texts.memory()}`;

/** Certain to be read for somebody; the last in a line tells that all before it were read. */
export const markerText = (number: number): string =>
  `Ana Kowalski works at Acme Labs in Berlin, as note ${number} says.`;
