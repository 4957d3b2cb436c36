import type { Mutant } from './mutation.ts';
import type { MutantResult } from './mutation-folder.ts';

interface Row {
  readonly mutant: Mutant;
  readonly result: MutantResult;
}

const changeCharactersMax = 140;
const columns = ['area', 'mutants', 'npm test', 'test:all', 'survived'];

/** The counts by area, and each survivor with its place and change, as Markdown. */
export function renderReport(
  mutants: readonly Mutant[],
  outcomes: ReadonlyMap<number, MutantResult>,
): string {
  const rows = mutants.flatMap((mutant) => {
    const outcome = outcomes.get(mutant.id);
    return outcome ? [{ mutant, result: outcome }] : [];
  });
  const areas = [...Map.groupBy(rows, ({ mutant }) => mutant.area)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const left = mutants.length - rows.length;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...areas.map(([area, own]) => line([area, ...renderCounts(own)])),
    line(['total', ...renderCounts(rows)]),
    ...(left > 0 ? ['', `${left} mutants have no outcome yet.`] : []),
    ...renderList('Found by test:all only', rows, ({ result }) => result.foundBy === 'all'),
    ...renderList('Survived', rows, ({ result }) => result.foundBy === null),
  ].join('\n');
}

const isFoundByTest = ({ result }: Row) => result.foundBy === 'unit' || result.foundBy === 'api';

function renderCounts(rows: readonly Row[]): string[] {
  const found = rows.filter(({ result }) => result.foundBy !== null).length;
  const counts = [rows.length, rows.filter(isFoundByTest).length, found, rows.length - found];
  return counts.map(String);
}

function renderList(
  title: string,
  rows: readonly Row[],
  isListed: (row: Row) => boolean,
): string[] {
  const listed = rows.filter(isListed);
  if (listed.length === 0) return [];
  return [
    '',
    `${title}:`,
    '',
    ...listed.map((row) => `- ${renderMutant(row.mutant)}${renderNotes(row)}`),
  ];
}

/** A mutant with its place and change. */
export const renderMutant = ({ id, path, line: row, kind, description }: Mutant): string =>
  `${id} ${path}:${row} ${kind}: \`${truncate(description)}\``;

function renderNotes({ result }: Row): string {
  const notes = [
    ...(result.filesRun === 0 ? ['no test reaches it'] : []),
    ...(result.filesNotRun > 0 ? [`${result.filesNotRun} files not run`] : []),
    ...(result.file ? [result.file] : []),
  ];
  return notes.length > 0 ? ` (${notes.join(', ')})` : '';
}

const truncate = (text: string): string =>
  text.length > changeCharactersMax ? `${text.slice(0, changeCharactersMax)} …` : text;

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
