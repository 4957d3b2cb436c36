import { crc32 } from 'node:zlib';
import { GrowingBytes } from '../account/growing-bytes.ts';
import { GrowingInts } from '../account/growing-ints.ts';
import {
  blockBytes,
  bytesOf,
  formatVersion,
  magic,
  type SegmentFooter,
  type SegmentIdentity,
  type SegmentSection,
  SegmentUnusable,
  trailerBytes,
  type Values,
} from './format.ts';

/** Where the bytes of a segment come from, such as a file. */
export interface SegmentSource {
  stat(): Promise<{ readonly size: number }>;
  read(
    target: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

interface ArrayType<T extends Values> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): T;
}

/** Room for new documents, as a share of those that there are. */
const spareShare = 1 / 8;
/** Less is not worth a copy at the first change. */
const spareMin = 8;

/**
 * Reads the sections of a segment into arrays, without parsing them. Everything is checked before
 * it is used: a segment that is damaged anywhere throws SegmentUnusable.
 */
export class SegmentReader {
  readonly #file: SegmentSource;
  readonly #prefix: string;
  readonly footer: SegmentFooter;

  private constructor(file: SegmentSource, footer: SegmentFooter, prefix = '') {
    this.#file = file;
    this.footer = footer;
    this.#prefix = prefix;
  }

  /** @param expected what the segment must be of */
  static async open(file: SegmentSource, expected: SegmentIdentity): Promise<SegmentReader> {
    const { footer, otherBytes } = await readFooter(file);
    requireIdentity(footer, expected);
    const sectionBytes = Object.values(footer.sections).reduce((sum, { bytes }) => sum + bytes, 0);
    if (sectionBytes !== otherBytes) {
      throw new SegmentUnusable('damaged', 'the length of the file differs');
    }
    return new SegmentReader(file, footer);
  }

  /** A reader of the sections of one kind of documents. */
  ofKind(kind: string): SegmentReader {
    return new SegmentReader(this.#file, this.footer, `${kind}/`);
  }

  byteLength(name: string): number {
    return this.#section(name).bytes;
  }

  /** The values of a section. */
  read<T extends Values>(name: string, Type: ArrayType<T>): Promise<T> {
    const { bytes } = this.#section(name);
    return this.#fill(name, new Type(bytes / Type.BYTES_PER_ELEMENT));
  }

  /** As `read`, in an array with spare capacity at its end. */
  readGrowing<T extends Values>(name: string, Type: ArrayType<T>): Promise<T> {
    const length = this.#section(name).bytes / Type.BYTES_PER_ELEMENT;
    return this.#fill(name, new Type(length + Math.ceil(length * spareShare) + spareMin));
  }

  async readGrowingInts(name: string): Promise<GrowingInts> {
    const values = (await this.readGrowing(name, Int32Array)) as Int32Array<ArrayBuffer>;
    return GrowingInts.from(values, this.#section(name).bytes / values.BYTES_PER_ELEMENT);
  }

  async readGrowingBytes(name: string): Promise<GrowingBytes> {
    const values = (await this.readGrowing(name, Uint8Array)) as Uint8Array<ArrayBuffer>;
    return GrowingBytes.from(values, this.#section(name).bytes);
  }

  /** The inverse of `stringSections`. */
  async readStrings(name: string): Promise<string[]> {
    const { buffer } = await this.read(`${name}/text`, Uint8Array);
    const text = Buffer.from(buffer).toString();
    const strings: string[] = [];
    let from = 0;
    for (const length of await this.read(`${name}/lengths`, Int32Array)) {
      strings.push(text.slice(from, from + length));
      from += length;
    }
    return strings;
  }

  async readJson(name: string): Promise<unknown> {
    return JSON.parse(Buffer.from(await this.read(name, Uint8Array)).toString());
  }

  /**
   * Calls back with blocks of whole rows.
   * @param visit may keep no view of them
   */
  async readRows(
    name: string,
    rowBytes: number,
    visit: (firstRow: number, rows: Int8Array) => void,
  ): Promise<void> {
    const section = this.#section(name);
    const rows = Math.max(1, Math.floor(Math.min(blockBytes, section.bytes) / rowBytes));
    const blocks = [new Int8Array(rows * rowBytes), new Int8Array(rows * rowBytes)] as const;
    const targetAt = (at: number): Uint8Array => {
      const block = blocks[(at / (rows * rowBytes)) % 2 === 0 ? 0 : 1];
      return bytesOf(block.subarray(0, section.bytes - at));
    };
    await this.#readBlocks(name, rows * rowBytes, targetAt, (at, { buffer, byteLength }) =>
      visit(at / rowBytes, new Int8Array(buffer, 0, byteLength)),
    );
  }

  async #fill<T extends Values>(name: string, values: T): Promise<T> {
    const target = bytesOf(values).subarray(0, this.#section(name).bytes);
    await this.#readBlocks(name, blockBytes, (at) => target.subarray(at, at + blockBytes));
    return values;
  }

  /**
   * Reads a section and checks it. The next block is read while one is checked and visited.
   * @param targetAt where the block at this offset is read to; the one before is in use
   */
  async #readBlocks(
    name: string,
    size: number,
    targetAt: (at: number) => Uint8Array,
    visit: (at: number, block: Uint8Array) => void = () => undefined,
  ): Promise<void> {
    const section = this.#section(name);
    const start = async (at: number): Promise<Uint8Array | null> => {
      if (at >= section.bytes) return null;
      const target = targetAt(at);
      await readFully(this.#file, target, section.offset + at);
      return target;
    };
    let crc = 0;
    let reading = start(0);
    try {
      for (let at = 0; at < section.bytes; at += size) {
        const block = await reading;
        if (block === null) break;
        reading = start(at + size);
        crc = crc32(block, crc);
        visit(at, block);
      }
    } finally {
      // The file may be closed, and the memory be used again.
      await reading.catch(() => undefined);
    }
    requireChecksum(name, crc, section);
  }

  #section(name: string): SegmentSection {
    const section = this.footer.sections[this.#prefix + name];
    if (!section) throw new SegmentUnusable('damaged', `the section ${name} is missing`);
    return section;
  }
}

/** Says what the segment is of, and how many bytes its sections have. Throws SegmentUnusable. */
export async function readFooter(
  file: SegmentSource,
): Promise<{ footer: SegmentFooter; otherBytes: number }> {
  const { size } = await file.stat();
  const frame = magic.length + trailerBytes;
  if (size < frame) throw new SegmentUnusable('damaged', 'the file is too short');
  const head = await readBytes(file, 0, magic.length);
  const trailer = await readBytes(file, size - trailerBytes, trailerBytes);
  const length = trailer.readUInt32LE(0);
  if (!head.equals(magic) || !trailer.subarray(8).equals(magic) || length > size - frame) {
    throw new SegmentUnusable('damaged', 'the file is no segment');
  }
  const text = await readBytes(file, size - trailerBytes - length, length);
  if (crc32(text) !== trailer.readUInt32LE(4)) {
    throw new SegmentUnusable('damaged', 'the checksum of the footer differs');
  }
  const footer = JSON.parse(text.toString()) as SegmentFooter;
  return { footer, otherBytes: size - frame - length };
}

function requireIdentity(footer: SegmentFooter, expected: SegmentIdentity): void {
  if (footer.format !== formatVersion || footer.release !== expected.release) {
    throw new SegmentUnusable('outdated', 'another version has written it');
  }
  for (const name of ['id', 'accountId', 'model', 'dimensions'] as const) {
    if (footer[name] !== expected[name]) {
      throw new SegmentUnusable('outdated', `it has another ${name}`);
    }
  }
}

function requireChecksum(name: string, crc: number, section: SegmentSection): void {
  if (crc === section.crc) return;
  throw new SegmentUnusable('damaged', `the checksum of the section ${name} differs`);
}

async function readBytes(file: SegmentSource, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await readFully(file, bytes, position);
  return bytes;
}

async function readFully(file: SegmentSource, target: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < target.length; ) {
    const { bytesRead } = await file.read(target, at, target.length - at, position + at);
    if (bytesRead === 0) throw new SegmentUnusable('damaged', 'the file is too short');
    at += bytesRead;
  }
}
