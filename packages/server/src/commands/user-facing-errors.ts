import {
  DatabaseTooNew,
  DatabaseUnsuitable,
  DataFolderInUse,
  DiskFull,
  EngineFailed,
  isDamagedDataError,
  isStorageError,
  MigrationError,
} from '../database/index.ts';
import { AdminKeyNotReset, SecretKeyMismatch } from '../domains/accounts/index.ts';
import { UpgradeBackupFailed } from '../domains/operations/index.ts';
import { DatabaseMoved } from '../instance/database-moved.ts';
import { ConfigError } from '../kernel/config.ts';
import { DataFolderUnusable } from '../kernel/data-folder.ts';
import { DataFolderForeign } from '../kernel/data-folder-owner.ts';
import { ArchiveRejected, ArchiveUnreadable, WrongPassphrase } from '../providers/archive/index.ts';
import { EmbeddingFailed, ModelNotInstalled } from '../providers/embedding/index.ts';
import { RestoreRefused } from '../restore/errors.ts';
import { AddressUnusable } from '../serve.ts';

const userFacingErrors = [
  AddressUnusable,
  AdminKeyNotReset,
  ArchiveRejected,
  ArchiveUnreadable,
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
  MigrationError,
  ModelNotInstalled,
  RestoreRefused,
  SecretKeyMismatch,
  UpgradeBackupFailed,
  WrongPassphrase,
];

/** Whether the message alone says what to do, so that no stack is printed. */
export const isUserFacingError = (error: unknown): error is Error =>
  userFacingErrors.some((kind) => error instanceof kind) || isDatabaseError(error);

/** Errors of PostgreSQL: no connection, no disk space, a damaged table. */
const isDatabaseError = (error: unknown): boolean =>
  isStorageError(error) ||
  isDamagedDataError(error) ||
  /^XX/.test((error as { code?: string }).code ?? '');
