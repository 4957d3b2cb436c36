import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { CheckResult, Problem } from '../domains/operations/index.ts';
import { missingDatabaseFiles } from '../engine/index.ts';
import type { Config } from '../kernel/config.ts';
import { DataFolderUnusable, requireReadWrite } from '../kernel/data-folder.ts';
import {
  DataFolderForeign,
  hasEmbeddedDatabase,
  refuseOtherEngine,
} from '../kernel/folder-owner.ts';
import { problemOf } from './problem.ts';

const restore = 'Restore a backup of the data folder, or choose another one for an empty database.';

/** The data folder without the database in it being opened. Nothing in it is changed. */
export async function checkFolder(config: Config): Promise<CheckResult> {
  const { dataDir, databaseUrl } = config;
  if (!existsSync(dataDir)) {
    const message = `There is no data folder ${dataDir}.`;
    return { problems: [unusable(message)] };
  }
  try {
    await requireReadWrite(dataDir);
    await refuseOtherEngine(config);
  } catch (error) {
    if (error instanceof DataFolderUnusable) {
      return { problems: [problemOf(error, 'unusable_folder')] };
    }
    if (error instanceof DataFolderForeign)
      return { problems: [problemOf(error, 'foreign_folder')] };
    throw error;
  }
  const problems = await unfinished(dataDir);
  if (databaseUrl === null) problems.push(...missing(dataDir));
  return { detail: dataDir, problems };
}

const unusable = (message: string): Problem => ({
  kind: 'unusable_folder',
  severity: 'error',
  message,
  action:
    'Set MNEME_DATA_DIR to the data folder of the server, or MNEME_DATABASE_URL to its database. ' +
    'The first start makes a new folder.',
});

/** A database, or a file, is made under another name that ends so and renamed when it is whole. */
async function unfinished(dataDir: string): Promise<Problem[]> {
  const names = (await readdir(dataDir)).filter((name) => name.endsWith('.new'));
  return names.map((name) => ({
    kind: 'unfinished_files',
    severity: 'warning',
    message: `${path.join(dataDir, name)} was not finished: its process ended before.`,
    action: 'Remove it while no server uses the folder.',
  }));
}

function missing(dataDir: string): Problem[] {
  if (!hasEmbeddedDatabase(dataDir)) return [unusable(`${dataDir} holds no database.`)];
  const folder = path.join(dataDir, 'pg');
  return missingDatabaseFiles(folder).map((name) => ({
    kind: 'missing_file',
    severity: 'error',
    message: `${path.join(folder, name)} is missing: the database cannot be opened without it.`,
    action: restore,
  }));
}
