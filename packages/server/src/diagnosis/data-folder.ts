import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { findMissingDatabaseFiles } from '../database/index.ts';
import type { CheckResult, Problem } from '../domains/operations/index.ts';
import type { Config } from '../kernel/config.ts';
import { DataFolderUnusable, requireDataFolderAccess } from '../kernel/data-folder.ts';
import {
  DataFolderForeign,
  hasEmbeddedDatabase,
  requireMatchingEngine,
} from '../kernel/data-folder-owner.ts';
import { toProblem } from './problem.ts';

const restoreAction =
  'Restore a backup of the data folder, or choose another folder for an empty database.';

/** Checks the data folder without opening its database or changing any file. */
export async function checkDataFolder(config: Config): Promise<CheckResult> {
  const { dataDir, databaseUrl } = config;
  if (!existsSync(dataDir)) {
    const message = `The data folder ${dataDir} does not exist.`;
    return { problems: [unusableFolder(message)] };
  }
  try {
    await requireDataFolderAccess(dataDir);
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
    'The first start creates a new folder.',
});

/** Files and databases get the suffix `.new` while they are written; the last step renames them. */
async function findUnfinishedFiles(dataDir: string): Promise<Problem[]> {
  const names = (await readdir(dataDir)).filter((name) => name.endsWith('.new'));
  return names.map((name) => ({
    kind: 'unfinished_files',
    severity: 'warning',
    message: `${path.join(dataDir, name)} is incomplete: the process that wrote it ended early.`,
    action: 'Stop the server, then remove it.',
  }));
}

function findMissingFiles(dataDir: string): Problem[] {
  if (!hasEmbeddedDatabase(dataDir)) return [unusableFolder(`${dataDir} contains no database.`)];
  const folder = path.join(dataDir, 'pg');
  return findMissingDatabaseFiles(folder).map((name) => ({
    kind: 'missing_file',
    severity: 'error',
    message: `${path.join(folder, name)} is missing. The database does not open without it.`,
    action: restoreAction,
  }));
}
