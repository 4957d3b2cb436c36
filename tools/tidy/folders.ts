import { createFinding, type Finding, type SourceFile } from './finding.ts';
import { domainOrder } from './layers.ts';

const domains = 'packages/server/src/domains/';
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
