import { createHash, randomInt } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyIdLength = 12;
const secretLength = 43;
const checksumLength = 6;

const randomDigits = (length: number): string =>
  Array.from({ length }, () => digits.charAt(randomInt(digits.length))).join('');

/** The last digits in base 62 of a text's SHA-256, as at the end of every key. */
function checksum(text: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`);
  let end = '';
  for (let i = 0; i < checksumLength; i += 1) {
    end = digits.charAt(Number(rest % 62n)) + end;
    rest /= 62n;
  }
  return end;
}

/** A key as one who guesses would write it: well-formed, so that it takes a look-up. */
export function generateKeyGuess(keyId = randomDigits(keyIdLength)): string {
  const body = `mnk_${keyId}_${randomDigits(secretLength)}`;
  return `${body}_${checksum(body)}`;
}

/** The part of a key that is no secret. */
export const keyIdOf = (key: string): string => key.split('_')[1] ?? '';
