import {
  AdminKeyMalformed,
  AdminKeyNotReset,
  SecretKeyMismatch,
} from '../domains/accounts/index.ts';
import { UpgradeBackupFailed } from '../domains/operations/index.ts';
import {
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  DiskFull,
  EngineFailed,
  isDamaged,
  isStorageFault,
  MigrationRefused,
} from '../engine/index.ts';
import { ConfigError } from '../kernel/config.ts';
import { DataFolderUnusable } from '../kernel/data-folder.ts';
import { DataFolderForeign } from '../kernel/folder-owner.ts';
import { ArchiveRefused, WrongPassphrase } from '../providers/archive/index.ts';
import { EmbeddingFailed } from '../providers/embedding/index.ts';
import { RestoreRefused } from '../restore/errors.ts';
import { AddressUnusable } from '../serve.ts';
import { DatabaseMoved } from '../work/moved.ts';

const plainFaults = [
  AddressUnusable,
  AdminKeyMalformed,
  AdminKeyNotReset,
  ArchiveRefused,
  ConfigError,
  DatabaseMoved,
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderForeign,
  DataFolderInUse,
  DataFolderUnusable,
  DiskFull,
  EmbeddingFailed,
  EngineFailed,
  MigrationRefused,
  RestoreRefused,
  SecretKeyMismatch,
  UpgradeBackupFailed,
  WrongPassphrase,
];

/** True where a person at the terminal can act on the message alone; a stack would hide it. */
export const isPlainFault = (error: unknown): error is Error =>
  plainFaults.some((kind) => error instanceof kind) || isDatabaseFault(error);

/** PostgreSQL's own words: no connection, no space, a damaged table. */
const isDatabaseFault = (error: unknown): boolean =>
  isStorageFault(error) || isDamaged(error) || /^XX/.test((error as { code?: string }).code ?? '');
