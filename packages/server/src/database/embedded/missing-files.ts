import { existsSync } from 'node:fs';
import path from 'node:path';

/** Without these PostgreSQL would make a new database, or stop without a word. */
const needed = ['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'];

/** Which of the files that a database cannot be without are missing from its folder. */
export const findMissingDatabaseFiles = (folder: string): string[] =>
  needed.filter((name) => !existsSync(path.join(folder, name)));
