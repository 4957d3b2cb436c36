import { deflateSync } from 'node:zlib';

/** Hand-written media files with content that no encoder would produce. */

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A number in big-endian order without leading zero bytes. */
function bytesOf(value: number | bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

type Content = Buffer | string | number | bigint;

const contentOf = (content: Content): Buffer => {
  if (typeof content === 'string') return ascii(content);
  return Buffer.isBuffer(content) ? content : bytesOf(content);
};

/** An EBML element with a length field of eight bytes. */
function element(id: number, ...contents: Content[]): Buffer {
  const body = Buffer.concat(contents.map(contentOf));
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([bytesOf(id), length, body]);
}

/** A Matroska file with these elements in its segment. */
export const matroskaFile = (...elements: Buffer[]): Buffer =>
  Buffer.concat([
    element(0x1a45dfa3, element(0x4282, 'matroska'), element(0x4287, 4), element(0x4285, 2)),
    element(0x18538067, element(0x1549a966, element(0x2ad7b1, 1_000_000)), ...elements),
  ]);

export const matroskaSoundTrack = (number: number): Buffer =>
  element(
    0xae,
    element(0xd7, number),
    element(0x73c5, number),
    element(0x83, 2),
    element(0x86, 'A_PCM/INT/LIT'),
    element(0xe1, element(0x9f, 1), element(0x6264, 16)),
  );

/** @param codec such as V_MJPEG */
export const matroskaPictureTrack = (
  codec: string,
  { width, height, setup }: { width: number; height: number; setup?: Buffer },
): Buffer =>
  element(
    0xae,
    element(0xd7, 1),
    element(0x73c5, 1),
    element(0x83, 1),
    element(0x86, codec),
    ...(setup ? [element(0x63a2, setup)] : []),
    element(0xe0, element(0xb0, width), element(0xba, height)),
  );

export const matroskaTracks = (entries: readonly Buffer[]): Buffer =>
  element(0x1654ae6b, Buffer.concat(entries));

/** Frames of track 1, one per millisecond. */
export const matroskaBlocks = (frames: readonly Buffer[]): Buffer =>
  Buffer.concat(
    frames.map((frame, i) => {
      const head = Buffer.from([0x81, 0, 0, 0x80]);
      head.writeInt16BE(i, 1);
      return element(0xa3, head, frame);
    }),
  );

/** A cluster of blocks that starts at a time in milliseconds. */
export const matroskaCluster = (time: number, blocks: Buffer): Buffer =>
  element(0x1f43b675, element(0xe7, time), blocks);

/** The codec data of V_MS/VFW/FOURCC, which names the video codec. */
export function vfwCodecData(fourcc: string, width: number, height: number): Buffer {
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeUInt32LE(width, 4);
  header.writeUInt32LE(height, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(24, 14);
  header.write(fourcc, 16, 'latin1');
  return header;
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** A black PNG with one bit per pixel: 312 MB with 50,000 lines compress to 300 kB. */
export function blackPng(width: number, height: number): Buffer {
  const chunk = (name: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    const named = Buffer.concat([ascii(name), body]);
    const check = Buffer.alloc(4);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  size.writeUInt8(1, 8);
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const parts = [chunk('IHDR', size), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

/** A JPEG whose header declares a wrong size. */
export function jpegWithSize(jpeg: Buffer, width: number, height: number): Buffer {
  const told = Buffer.from(jpeg);
  const at = told.indexOf(Buffer.from([0xff, 0xc0, 0x00]));
  if (at < 0) throw new Error('no start of a frame');
  told.writeUInt16BE(height, at + 5);
  told.writeUInt16BE(width, at + 7);
  return told;
}

/** An MP4 or QuickTime box. */
export function mp4Box(type: string, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** With so many bytes of nothing before the last box, which is the index of what ffmpeg writes. */
export function withFreeBox(mp4: Buffer, bytes: number): Buffer {
  let last = 0;
  for (let at = 0; at < mp4.length; at += mp4.readUInt32BE(at)) last = at;
  const free = mp4Box('free', Buffer.alloc(bytes));
  return Buffer.concat([mp4.subarray(0, last), free, mp4.subarray(last)]);
}

const uint32s = (...values: number[]): Buffer => {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [i, value] of values.entries()) buffer.writeUInt32BE(value, i * 4);
  return buffer;
};

/** An audio track whose data reference points elsewhere: `reference` is an entry of `dref`. */
export function quickTimeSoundTrack(id: number, reference: Buffer): Buffer {
  const entry = Buffer.concat([
    ...[Buffer.alloc(6), Buffer.from([0, 1]), Buffer.alloc(8)],
    ...[Buffer.from([0, 1, 0, 16]), Buffer.alloc(4), uint32s(16_000 * 65_536)],
  ]);
  const table = mp4Box(
    'stbl',
    mp4Box('stsd', uint32s(0, 1), mp4Box('sowt', entry)),
    mp4Box('stts', uint32s(0, 1, 16_000, 1)),
    mp4Box('stsc', uint32s(0, 1, 1, 16_000, 1)),
    mp4Box('stsz', uint32s(0, 2, 16_000)),
    mp4Box('stco', uint32s(0, 1, 8)),
  );
  const head = mp4Box('tkhd', uint32s(7, 0, 0, id, 0, 16_000), Buffer.alloc(60));
  const data = mp4Box('dinf', mp4Box('dref', uint32s(0, 1), reference));
  const media = mp4Box(
    'mdia',
    mp4Box('mdhd', uint32s(0, 0, 0, 16_000, 16_000, 0)),
    mp4Box('hdlr', uint32s(0), ascii('mhlrsoun'), Buffer.alloc(13)),
    mp4Box('minf', mp4Box('smhd', uint32s(0, 0)), data, table),
  );
  return mp4Box('trak', head, media);
}

export const quickTimeFile = (boxes: readonly Buffer[]): Buffer =>
  Buffer.concat([
    mp4Box('ftyp', ascii('qt  '), uint32s(0)),
    mp4Box(
      'moov',
      mp4Box('mvhd', uint32s(0, 0, 0, 16_000, 16_000), Buffer.alloc(80)),
      Buffer.concat(boxes),
    ),
    mp4Box('mdat', Buffer.alloc(100)),
  ]);

/** The data are in the same file. */
export const sameFileReference = mp4Box('url ', uint32s(1));
/** The data are at a URL. */
export const dataReferenceUrl = (url: string): Buffer =>
  mp4Box('url ', uint32s(0), ascii(`${url}\0`));
/** The data are in a file, as a Macintosh alias record: its path in two notations. */
export function macAliasReference(path: string): Buffer {
  const tagged = (type: number, text: string): Buffer => {
    const head = Buffer.alloc(4);
    head.writeInt16BE(type, 0);
    head.writeUInt16BE(text.length, 2);
    return Buffer.concat([head, ascii(text), Buffer.alloc(text.length % 2)]);
  };
  const fixed = Buffer.alloc(150);
  // Volume type, and the number of directory levels up and down to the target.
  fixed.writeUInt16BE(2, 6);
  const tail = Buffer.concat([Buffer.from([0, 1, 0, 1]), Buffer.alloc(16)]);
  const named = Buffer.concat([tagged(2, path.replaceAll('/', ':')), tagged(18, path)]);
  const end = Buffer.from([0xff, 0xff, 0, 0]);
  const record = Buffer.concat([fixed.subarray(0, 130), tail, named, end]);
  return mp4Box('alis', uint32s(0), record);
}

const chunk = (id: string, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([ascii(id), length, body, Buffer.alloc(body.length % 2)]);
};

const soundFormat = ({ channels = 1, rate = 16_000 } = {}): Buffer => {
  const format = Buffer.alloc(16);
  format.writeUInt16LE(1, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE((rate * channels * 2) >>> 0, 8);
  format.writeUInt16LE((channels * 2) & 0xffff, 12);
  format.writeUInt16LE(16, 14);
  return format;
};

/** A WAVE file with chunks before its audio data. */
export const waveFile = (
  samples: Buffer,
  told: { channels?: number; rate?: number } = {},
  ...before: [id: string, body: Buffer][]
): Buffer =>
  chunk(
    'RIFF',
    ascii('WAVE'),
    ...before.map(([id, body]) => chunk(id, body)),
    chunk('fmt ', soundFormat(told)),
    chunk('data', samples),
  );

/** A WAVE file with a 64-bit sample count. */
export function wave64File(samples: Buffer, toldSamples: bigint): Buffer {
  const sizes = Buffer.alloc(28);
  sizes.writeBigUInt64LE(toldSamples * 2n + 72n, 0);
  sizes.writeBigUInt64LE(toldSamples * 2n, 8);
  sizes.writeBigUInt64LE(toldSamples, 16);
  const data = Buffer.concat([ascii('data'), Buffer.alloc(4, 0xff), samples]);
  const rest = [ascii('WAVE'), chunk('ds64', sizes), chunk('fmt ', soundFormat()), data];
  return Buffer.concat([ascii('RF64'), Buffer.alloc(4, 0xff), ...rest]);
}

/** A FLAC file whose header declares another number of samples (at most 36 bits). */
export function flacWithSampleCount(flac: Buffer, samples: bigint): Buffer {
  const told = Buffer.from(flac);
  const at = 8 + 13;
  told.writeUInt8((told.readUInt8(at) & 0xf0) | Number((samples >> 32n) & 0xfn), at);
  told.writeUInt32BE(Number(samples & 0xffffffffn), at + 1);
  return told;
}

/** An AVI with an embedded subtitle file in the format GAB2. */
export function aviWithSubtitles(subtitles: Buffer): Buffer {
  const le = (...values: number[]): Buffer => {
    const buffer = Buffer.alloc(values.length * 4);
    for (const [i, value] of values.entries()) buffer.writeUInt32LE(value >>> 0, i * 4);
    return buffer;
  };
  const packed = Buffer.concat([
    ...[ascii('GAB2\0'), Buffer.from([2, 0]), le(2), ascii('x\0')],
    ...[Buffer.from([4, 0]), le(subtitles.length), subtitles],
  ]);
  const list = (type: string, ...contents: Buffer[]) => chunk('LIST', ascii(type), ...contents);
  const stream = (type: string, format: Buffer) =>
    list(
      'strl',
      chunk('strh', ascii(type), Buffer.alloc(4), le(0, 0, 0, 1, 25, 0, 2, 0, 0, 0, 0, 0)),
      chunk('strf', format),
    );
  const header = le(40_000, 0, 0, 0x10, 2, 0, 2, 0, 16, 16, 0, 0, 0, 0);
  const picture = vfwCodecData('MPNG', 16, 16);
  return chunk(
    'RIFF',
    ascii('AVI '),
    list('hdrl', chunk('avih', header), stream('vids', picture), stream('txts', Buffer.alloc(0))),
    list('movi', chunk('01tx', packed), chunk('00dc', blackPng(16, 16))),
  );
}

const packetBytes = 188;

/** The CRC of MPEG sections (initial value all ones) and of Ogg pages (initial value zero). */
function mpegCrc32(bytes: Buffer, from: number): number {
  let crc = from;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc << 1) ^ (crc & 0x80000000 ? 0x04c11db7 : 0);
  }
  return crc >>> 0;
}

/** An MPEG-TS table, split into packets. */
function section(pid: number, table: number, id: number, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(table, 0);
  head.writeUInt16BE(0xb000 | (body.length + 9), 1);
  head.writeUInt16BE(id, 3);
  head.writeUInt8(0xc1, 5);
  const covered = Buffer.concat([head, body]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(mpegCrc32(covered, 0xffffffff));
  let rest = Buffer.concat([Buffer.from([0]), covered, check]);
  const packets: Buffer[] = [];
  for (let i = 0; rest.length > 0; i += 1) {
    const packet = Buffer.alloc(packetBytes, 0xff);
    packet.writeUInt8(0x47, 0);
    packet.writeUInt16BE((i === 0 ? 0x4000 : 0) | pid, 1);
    packet.writeUInt8(0x10 | (i & 0xf), 3);
    rest.copy(packet, 4);
    rest = rest.subarray(packetBytes - 4);
    packets.push(packet);
  }
  return Buffer.concat(packets);
}

/** An MPEG transport stream that repeats its program tables. */
export function mpegTransportStream(programs: number, streamsEach: number, repeats = 1): Buffer {
  const firstMap = 0x20;
  const list = Buffer.alloc(programs * 4);
  const maps: Buffer[] = [];
  for (let program = 0; program < programs; program += 1) {
    list.writeUInt16BE(program + 1, program * 4);
    list.writeUInt16BE(0xe000 | (firstMap + program), program * 4 + 2);
    const body = Buffer.alloc(4 + streamsEach * 5);
    body.writeUInt16BE(0xffff, 0);
    body.writeUInt16BE(0xf000, 2);
    for (let i = 0; i < streamsEach; i += 1) {
      const pid = firstMap + programs + ((program * streamsEach + i) % (8_000 - programs));
      body.writeUInt8(0x04, 4 + i * 5);
      body.writeUInt16BE(0xe000 | pid, 5 + i * 5);
      body.writeUInt16BE(0xf000, 7 + i * 5);
    }
    maps.push(section(firstMap + program, 2, program + 1, body));
  }
  const once = Buffer.concat([section(0, 0, 1, list), ...maps]);
  return Buffer.concat(Array.from({ length: repeats }, () => once));
}

/** An Ogg file with many logical streams that have only headers. */
export function oggWithStreams(streams: number): Buffer {
  const head = Buffer.concat([
    ascii('OpusHead'),
    Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]),
  ]);
  const pages = Array.from({ length: streams }, (_, serial) => {
    const page = Buffer.alloc(28);
    page.write('OggS', 0, 'latin1');
    page.writeUInt8(2, 5);
    page.writeUInt32LE(serial + 1, 14);
    page.writeUInt8(1, 26);
    page.writeUInt8(head.length, 27);
    const whole = Buffer.concat([page, head]);
    whole.writeUInt32LE(mpegCrc32(whole, 0), 22);
    return whole;
  });
  return Buffer.concat(pages);
}
