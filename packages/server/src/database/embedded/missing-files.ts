import { existsSync } from 'node:fs';
import path from 'node:path';

/** Without these files PostgreSQL would create a new database or stop without an error message. */
const REQUIRED_FILES = ['PG_VERSION', 'base', 'global/pg_control', 'pg_wal', 'pg_xact'];

/** The required files that are missing from a database folder. */
export const findMissingDatabaseFiles = (folder: string): string[] =>
  REQUIRED_FILES.filter((name) => !existsSync(path.join(folder, name)));
