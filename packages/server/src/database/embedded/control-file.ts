import fs from 'node:fs';
import path from 'node:path';
import { EngineFailed } from '../errors.ts';

/** Of PostgreSQL's src/include/catalog/pg_control.h; the version is checked before. */
const CONTROL_VERSION = 1_800;
const SHUT_DOWN = 1;

const controlPath = 'global/pg_control';

export interface ControlFile {
  readonly systemId: string;
  readonly timeline: number;
  readonly checkpointLsn: bigint;
  /** Where replaying the log begins: after a recovery, where the log that was found ended. */
  readonly redoLsn: bigint;
  readonly isCleanlyShutDown: boolean;
}

/** Reads what the database of a folder says of itself. Throws where it cannot be read. */
export function readControlFile(folder: string): ControlFile {
  return parseControlFile(fs.readFileSync(path.join(folder, controlPath)));
}

export function parseControlFile(bytes: Buffer): ControlFile {
  const version = bytes.length < 52 ? 0 : bytes.readUInt32LE(8);
  if (version !== CONTROL_VERSION) {
    throw new EngineFailed(`${controlPath} is not of version ${CONTROL_VERSION}, but ${version}`);
  }
  return {
    systemId: String(bytes.readBigUInt64LE(0)),
    isCleanlyShutDown: bytes.readUInt32LE(16) === SHUT_DOWN,
    checkpointLsn: bytes.readBigUInt64LE(32),
    redoLsn: bytes.readBigUInt64LE(40),
    timeline: bytes.readUInt32LE(48),
  };
}
