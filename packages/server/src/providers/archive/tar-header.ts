const blockBytes = 512;
/** Largest value of eleven octal digits. */
const octalMax = 8 ** 11 - 1;

/**
 * The header of a file in a tar stream (POSIX ustar), for names of at most 100 ASCII characters.
 * Implemented here, since the streams that a library creates per file double the time and memory
 * for many small files.
 */
export function tarHeader(name: string, size: number, mtime: Date): Uint8Array {
  if (name.length > 100) throw new Error(`${name} is too long for a tar header`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 'latin1');
  header.write('0000600\0', 100);
  // Owner and group: root; the extracting user becomes the owner anyway.
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size <= octalMax) {
    header.write(`${octal(size, 11)}\0`, 124);
  } else {
    // Base 256, as GNU tar and all later versions read it.
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(`${octal(Math.floor(mtime.getTime() / 1_000), 11)}\0`, 136);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  // The sum of all bytes, with spaces in the checksum field itself.
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');

const zeros = new Uint8Array(2 * blockBytes);
/** Padding after the content, up to a full block. */
export const tarPadding = (size: number): Uint8Array =>
  zeros.subarray(0, (blockBytes - (size % blockBytes)) % blockBytes);
export const tarEnd: Uint8Array = zeros;
