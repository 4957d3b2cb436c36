/**
 * A segment file: the magic, sections of raw arrays, a footer in JSON that lists them with their
 * checksums, and a trailer with the length and the checksum of the footer.
 */
export const magic = Buffer.from('MNEMEIX1', 'latin1');
/** Of the trailer: length and CRC-32 of the footer, then the magic again. */
export const trailerBytes = 16;
/** Increase it with every change of what sections contain. */
export const formatVersion = 4;
/** Bytes that are read, written or checked before other work gets its turn. */
export const blockBytes = 4_194_304;

/** What a segment is of. */
export interface SegmentIdentity {
  readonly id: string;
  readonly accountId: string;
  readonly model: string;
  readonly dimensions: number;
  /** Of the program: another one may derive an index differently. */
  readonly release: string;
}

export interface SegmentSection {
  readonly offset: number;
  readonly bytes: number;
  readonly crc: number;
}

export interface SegmentFooter extends SegmentIdentity {
  readonly format: number;
  /** The kinds of documents, in the order of their sections. */
  readonly kinds: readonly string[];
  readonly sections: Readonly<Record<string, SegmentSection>>;
}

/** Why a segment is not used. */
export type SegmentFault = 'missing' | 'damaged' | 'outdated';

/** The file is not what it says, or says what is not wanted. */
export class SegmentUnusable extends Error {
  override readonly name = 'SegmentUnusable';
  readonly fault: SegmentFault;

  constructor(fault: SegmentFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** The index was dropped while its segment was written or read. */
export class IndexDropped extends Error {
  override readonly name = 'IndexDropped';
}

export type Values =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint8Array
  | Int8Array;

export const bytesOf = ({ buffer, byteOffset, byteLength }: Values): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
