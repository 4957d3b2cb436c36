/** Length as people count: Unicode code points, as JSON Schema's maxLength does. */
export function characterCount(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    const isPair = unit >= 0xd800 && unit <= 0xdbff && i + 1 < text.length;
    if (isPair) i += 1;
    count += 1;
  }
  return count;
}

/** Storable text is well-formed Unicode without U+0000, which PostgreSQL cannot hold. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

export const utf8Bytes = (text: string): number => {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff) {
      bytes += 4;
      i += 1;
    } else bytes += 3;
  }
  return bytes;
};

const isoDate = /^(\d{4})-?(\d{2})-?(\d{2})$/;
const isoTime = String.raw`(\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?`;
const isoZone = String.raw`(Z|z|[+-]\d{2}(?::?\d{2})?)`;
const isoDateTime = new RegExp(`^(\\d{4})-?(\\d{2})-?(\\d{2})[Tt]${isoTime}${isoZone}$`);

/**
 * ISO 8601 in, extended or basic form, with an offset or Z; a date alone is midnight UTC.
 * Returns null where it is no such text or no real date (30 February, 25 o'clock).
 */
export function parseTimestamp(text: string): Date | null {
  const day = isoDate.exec(text);
  const match = day ?? isoDateTime.exec(text);
  if (!match) return null;
  const part = (i: number): number => Number(match[i] ?? 0);
  const [year, month, date] = [part(1), part(2), part(3)];
  const [hour, minute, second] = day ? [0, 0, 0] : [part(4), part(5), part(6)];
  const ms = day ? 0 : Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  if (year < 1 || month < 1 || month > 12 || date < 1 || hour > 23 || minute > 59 || second > 59) {
    return null;
  }
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, date);
  if (time.getUTCMonth() !== month - 1 || time.getUTCDate() !== date) return null;
  const offset = day ? 0 : offsetMinutes(match[8] ?? 'Z');
  if (offset === null) return null;
  time.setUTCHours(hour, minute - offset, second, ms);
  return time;
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || 0);
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
