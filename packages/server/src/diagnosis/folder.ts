import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findMissingDatabaseFiles } from '../database/index.ts';
import type { CheckResult, Problem } from '../domains/operations/index.ts';
import type { Config } from '../kernel/config.ts';
import { DataFolderUnusable, requireReadWrite } from '../kernel/data-folder.ts';
import {
  DataFolderForeign,
  hasEmbeddedDatabase,
  requireMatchingEngine,
} from '../kernel/folder-owner.ts';
import { toProblem } from './problem.ts';

const restoreAction =
  'Restore a backup of the data folder, or choose another one for an empty database.';

/** The data folder without the database in it being opened. Nothing in it is changed. */
export async function checkFolder(config: Config): Promise<CheckResult> {
  const { dataDir, databaseUrl } = config;
  if (!existsSync(dataDir)) {
    const message = `There is no data folder ${dataDir}.`;
    return { problems: [unusableFolder(message)] };
  }
  try {
    await requireReadWrite(dataDir);
    await requireMatchingEngine(config);
  } catch (error) {
    if (error instanceof DataFolderUnusable) {
      return { problems: [toProblem(error, 'unusable_folder')] };
    }
    if (error instanceof DataFolderForeign)
      return { problems: [toProblem(error, 'foreign_folder')] };
    throw error;
  }
  const problems = await findUnfinishedFiles(dataDir);
  if (databaseUrl === null) problems.push(...findMissingFiles(dataDir));
  return { detail: dataDir, problems };
}

const unusableFolder = (message: string): Problem => ({
  kind: 'unusable_folder',
  severity: 'error',
  message,
  action:
    'Set MNEME_DATA_DIR to the data folder of the server, or MNEME_DATABASE_URL to its database. ' +
    'The first start makes a new folder.',
});

/** A database, or a file, is made under another name that ends so and renamed when it is whole. */
async function findUnfinishedFiles(dataDir: string): Promise<Problem[]> {
  const names = (await readdir(dataDir)).filter((name) => name.endsWith('.new'));
  return names.map((name) => ({
    kind: 'unfinished_files',
    severity: 'warning',
    message: `${path.join(dataDir, name)} was not finished: its process ended before.`,
    action: 'Remove it while no server uses the folder.',
  }));
}

function findMissingFiles(dataDir: string): Problem[] {
  if (!hasEmbeddedDatabase(dataDir)) return [unusableFolder(`${dataDir} holds no database.`)];
  const folder = path.join(dataDir, 'pg');
  return findMissingDatabaseFiles(folder).map((name) => ({
    kind: 'missing_file',
    severity: 'error',
    message: `${path.join(folder, name)} is missing: the database cannot be opened without it.`,
    action: restoreAction,
  }));
}
