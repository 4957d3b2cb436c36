/** Writes docs/names.md from the contract; with --check only says whether it is up to date. */
import { readFileSync } from 'node:fs';
import {
  allRoutes,
  deprecatedAt,
  type ListTraits,
  listTraitsOf,
  renderNamesTables,
} from '@mneme/contract';
import { writeOrCheck } from './generated-document.ts';

const template = new URL('./names.template.md', import.meta.url);

const listsBy = (...pagings: readonly ListTraits['paging'][]): string =>
  allRoutes
    .filter(({ responses }) => {
      const traits = listTraitsOf(responses[200]);
      return traits && !traits.isRanked && pagings.includes(traits.paging);
    })
    .map(({ id }) => `\`${id}\``)
    .join(', ');

const placeholders: Readonly<Record<string, string>> = {
  date: String(deprecatedAt.getTime() / 1_000),
  tables: renderNamesTables(allRoutes),
  cursor: listsBy('cursor'),
  offset: listsBy('offset', 'cursor or offset'),
  all: listsBy('all'),
  best: listsBy('best'),
};

/** The page as it is committed. */
export const namesText = (): string =>
  readFileSync(template, 'utf8').replace(
    /<(\w+)>/g,
    (gap, name: string) => placeholders[name] ?? gap,
  );

if (import.meta.main) {
  const [path, command] = ['docs/names.md', 'npm run names'];
  process.exitCode = writeOrCheck({ path, command, text: namesText() }, process.argv);
}
