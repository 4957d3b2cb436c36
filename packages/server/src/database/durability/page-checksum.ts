/**
 * The algorithm of PostgreSQL's src/include/storage/checksum_impl.h: 32 interleaved FNV-1a sums.
 */
const SUMS = 32;
const PRIME = 16_777_619;
const CHECKSUM_AT = 8;
const LAST_ROUNDS = 2;

const BASE_OFFSETS = Int32Array.from([
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c,
  0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb,
  0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4,
  0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
]);

/** The checksum stored in the page header. */
export const readStoredPageChecksum = (page: Buffer): number => page.readUInt16LE(CHECKSUM_AT);

/** The expected checksum of a page at block `block` of the relation. */
export function computePageChecksum(page: Buffer, block: number): number {
  const sums = BASE_OFFSETS.slice();
  for (let at = 0, sum = 0; at < page.length; at += 4, sum = (sum + 1) % SUMS) {
    // The checksum field counts as zero; its word also contains the flags of the page.
    const word = at === CHECKSUM_AT ? page.readInt32LE(at) & ~0xffff : page.readInt32LE(at);
    sums[sum] = mix(sums[sum] ?? 0, word);
  }
  for (let round = 0; round < LAST_ROUNDS; round += 1) {
    for (let sum = 0; sum < SUMS; sum += 1) sums[sum] = mix(sums[sum] ?? 0, 0);
  }
  const whole = sums.reduce((all, sum) => all ^ sum, 0) ^ block;
  return ((whole >>> 0) % 65_535) + 1;
}

function mix(sum: number, word: number): number {
  const mixed = sum ^ word;
  return Math.imul(mixed, PRIME) ^ (mixed >>> 17);
}
