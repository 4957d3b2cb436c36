import fs from 'node:fs';
import path from 'node:path';
import { EngineFailed } from '../errors.ts';

/** From PostgreSQL's src/include/catalog/pg_control.h; the version is checked first. */
const CONTROL_VERSION = 1_800;
const SHUT_DOWN = 1;

const controlPath = 'global/pg_control';

export interface ControlFile {
  readonly systemId: string;
  readonly timeline: number;
  readonly checkpointLsn: bigint;
  /** Start of the WAL replay. After a recovery: the end of the WAL before it. */
  readonly redoLsn: bigint;
  readonly isCleanlyShutDown: boolean;
}

/** Reads the control file of a database folder. Throws if it is unreadable. */
export function readControlFile(folder: string): ControlFile {
  return parseControlFile(fs.readFileSync(path.join(folder, controlPath)));
}

export function parseControlFile(bytes: Buffer): ControlFile {
  const version = bytes.length < 52 ? 0 : bytes.readUInt32LE(8);
  if (version !== CONTROL_VERSION) {
    throw new EngineFailed(`${controlPath} has version ${version}, expected ${CONTROL_VERSION}`);
  }
  return {
    systemId: String(bytes.readBigUInt64LE(0)),
    isCleanlyShutDown: bytes.readUInt32LE(16) === SHUT_DOWN,
    checkpointLsn: bytes.readBigUInt64LE(32),
    redoLsn: bytes.readBigUInt64LE(40),
    timeline: bytes.readUInt32LE(48),
  };
}
