import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { syncPath } from '../embedded/sync-files.ts';
import { formatLsn, parseLsn, type WalPosition } from './wal-position.ts';

/** A slot is one sector on its own page, so that a torn write damages at most one slot. */
const SLOT_BYTES = 512;
const SLOT_DISTANCE = 4_096;
const SLOTS = 2;
const CRC_DIGITS = 8;
const TEXT_BYTES = SLOT_BYTES - CRC_DIGITS - 1;

interface Slot {
  readonly sequence: number;
  readonly position: WalPosition;
}

/**
 * Stores the last acknowledged position in a small file outside the write-ahead log. Writes
 * alternate between two slots with checksums: after a torn write the other slot, which is older and
 * still correct, is valid. The file never grows, so a full disk does not affect it.
 */
export class WalPositionFile implements Disposable {
  readonly #descriptor: number;
  #sequence: number;
  /** The position in the file when it was opened. */
  readonly initial: WalPosition | null;
  /** The file has content, but no slot is valid. */
  readonly isDamaged: boolean;

  /** Opens or creates the file. Throws file system errors. */
  constructor(file: string) {
    this.#descriptor = openOrCreate(file);
    const bytes = Buffer.alloc(SLOTS * SLOT_DISTANCE);
    fs.readSync(this.#descriptor, bytes, 0, bytes.length, 0);
    const slots = [readSlot(bytes, 0), readSlot(bytes, 1)].filter((slot) => slot !== null);
    const newest = slots.toSorted((a, b) => b.sequence - a.sequence)[0];
    this.#sequence = newest?.sequence ?? 0;
    this.initial = newest?.position ?? null;
    this.isDamaged = newest === undefined && bytes.some((byte) => byte !== 0);
  }

  /** Resolves once the position is on the disk. */
  async write(position: WalPosition): Promise<void> {
    this.#sequence += 1;
    const bytes = slotBytes({ sequence: this.#sequence, position });
    const at = (this.#sequence % SLOTS) * SLOT_DISTANCE;
    await new Promise<void>((resolve, reject) => {
      fs.write(this.#descriptor, bytes, 0, SLOT_BYTES, at, (failed) => {
        if (failed) reject(failed);
        else fs.fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve()));
      });
    });
  }

  [Symbol.dispose](): void {
    fs.closeSync(this.#descriptor);
  }
}

function openOrCreate(file: string): number {
  const flags = fs.constants.O_RDWR | fs.constants.O_CREAT;
  const descriptor = fs.openSync(file, flags, 0o600);
  try {
    const { size } = fs.fstatSync(descriptor);
    if (size < SLOTS * SLOT_DISTANCE) {
      // Allocates the blocks now: later writes change no metadata and need no space.
      fs.writeSync(descriptor, Buffer.alloc(SLOTS * SLOT_DISTANCE - size), 0, undefined, size);
      fs.fsyncSync(descriptor);
      syncPath(path.dirname(file));
    }
    return descriptor;
  } catch (error) {
    fs.closeSync(descriptor);
    throw error;
  }
}

function slotBytes({ sequence, position }: Slot): Buffer {
  const { systemId, timeline, lsn, checkpointLsn } = position;
  const text = JSON.stringify({
    sequence,
    system_id: systemId,
    timeline,
    lsn: formatLsn(lsn),
    checkpoint_lsn: formatLsn(checkpointLsn),
  }).padEnd(TEXT_BYTES);
  return Buffer.from(`${text}${checksum(text)}\n`, 'latin1');
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(CRC_DIGITS, '0');

function readSlot(bytes: Buffer, slot: number): Slot | null {
  const begin = slot * SLOT_DISTANCE;
  const text = bytes.toString('latin1', begin, begin + TEXT_BYTES);
  const crc = bytes.toString('latin1', begin + TEXT_BYTES, begin + TEXT_BYTES + CRC_DIGITS);
  if (crc !== checksum(text)) return null;
  const { sequence, system_id, timeline, lsn, checkpoint_lsn } = JSON.parse(text);
  const position = {
    systemId: String(system_id),
    timeline: Number(timeline),
    lsn: parseLsn(String(lsn)) ?? 0n,
    checkpointLsn: parseLsn(String(checkpoint_lsn)) ?? 0n,
  };
  return { sequence: Number(sequence), position };
}
