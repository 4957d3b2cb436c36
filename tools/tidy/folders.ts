import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { domainOrder } from './layers.ts';
import { isTestFile } from './source.ts';

const domains = 'packages/server/src/domains/';
const contract = 'packages/contract/src/';
const migrations = 'packages/server/migrations/';

/** Every domain has a place in the order, a README.md and a module.ts, and no file store.ts. */
export function checkDomains(files: readonly SourceFile[]): Finding[] {
  const paths = new Set(files.map(({ path }) => path));
  const storeFiles = [...paths]
    .filter((path) => path.startsWith(domains) && path.endsWith('/store.ts'))
    .map((path) => createFinding('domains', path, 1, 'must be store/<what it stores>.ts'));
  const folders = new Set(
    [...paths]
      .filter((path) => path.startsWith(domains))
      .map((path) => path.slice(domains.length).split('/'))
      .flatMap(([folder, ...rest]) => (folder && rest.length > 0 ? [folder] : [])),
  );
  const incomplete = [...folders].flatMap((folder) => {
    const lacking = ['README.md', 'module.ts']
      .filter((name) => !paths.has(`${domains}${folder}/${name}`))
      .map((name) => createFinding('domains', `${domains}${folder}/${name}`, 1, 'is missing'));
    const unknown = domainOrder.includes(folder)
      ? []
      : [
          createFinding(
            'domains',
            `${domains}${folder}`,
            1,
            'has no place in the order of domains',
          ),
        ];
    return [...lacking, ...unknown];
  });
  return [...storeFiles, ...incomplete];
}

/** Every area of the contract has a file in routes/ and one of the same name in schemas/. */
export function checkContract(files: readonly SourceFile[]): Finding[] {
  const namesIn = (folder: string): string[] =>
    files
      .filter(({ path }) => path.startsWith(`${contract}${folder}/`) && !isTestFile(path))
      .map(({ path }) => path.slice(`${contract}${folder}/`.length));
  const unpaired = (folder: string, other: string): Finding[] => {
    const counterparts = new Set(namesIn(other));
    return namesIn(folder)
      .filter((name) => !counterparts.has(name))
      .map((name) =>
        createFinding('contract', `${contract}${folder}/${name}`, 1, `has no ${other}/${name}`),
      );
  };
  return [...unpaired('routes', 'schemas'), ...unpaired('schemas', 'routes')];
}

/** Migrations are `NNNN_name.sql`, numbered from 0001 without a gap. */
export function checkMigrations(files: readonly SourceFile[]): Finding[] {
  const scripts = files
    .map(({ path }) => path)
    .filter((path) => path.startsWith(migrations) && path.endsWith('.sql'))
    .sort();
  return scripts.flatMap((path, i) => {
    const name = path.slice(migrations.length);
    const number = String(i + 1).padStart(4, '0');
    if (!/^\d{4}_[a-z0-9]+(?:_[a-z0-9]+)*\.sql$/.test(name)) {
      return [createFinding('migrations', path, 1, 'is not named NNNN_name.sql')];
    }
    if (name.startsWith(`${number}_`)) return [];
    return [
      createFinding(
        'migrations',
        path,
        1,
        `has no number ${number}: a gap, or a number used twice`,
      ),
    ];
  });
}
