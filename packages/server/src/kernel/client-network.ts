import { BlockList, isIP } from 'node:net';

/**
 * The unit of limits by address: an IPv4 address, or the /64 of an IPv6 address, because one
 * customer usually has a whole /64. Other texts are `unknown`.
 */
export function clientNetwork(address: string): string {
  const plain = withoutPort(address.trim()).replace(/%.*$/, '');
  if (isIP(plain) === 4) return plain;
  if (isIP(plain) !== 6) return 'unknown';
  const groups = groupsOf(plain);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff;
  if (isMapped) return ipv4Of(groups[6] ?? 0, groups[7] ?? 0);
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** Some proxies write `192.0.2.1:5678` or `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address)?.[1];
  return bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)?.[1] ?? address;
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [left = '', right] = withoutDots(address).split('::');
  const parse = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(left), parse(right ?? '')];
  const zeros = Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return [...first, ...zeros, ...last];
}

/** `::ffff:192.0.2.1` as `::ffff:c000:201`. */
const withoutDots = (address: string): string =>
  address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...parts: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });

const ipv4Of = (high: number, low: number): string =>
  [high >> 8, high & 255, low >> 8, low & 255].join('.');

/** The error of an address or CIDR range; null if it is valid. */
export function validateAddressRange(range: string): string | null {
  const [address = '', length, ...rest] = range.split('/');
  const kind = isIP(address);
  if (kind === 0 || rest.length > 0) return `${range} is not an IP address or a CIDR range`;
  if (length === undefined) return null;
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : 0;
  const max = kind === 4 ? 32 : 128;
  // With a range of all addresses, every client could choose its own address.
  return bits >= 1 && bits <= max ? null : `${range} needs a prefix length from 1 to ${max}`;
}

/** Returns a function that checks whether an address is in one of these valid ranges. */
export function createAddressRangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', length] = range.split('/');
    const kind = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (length === undefined) list.addAddress(address, kind);
    else list.addSubnet(address, Number(length), kind);
  }
  return (address) => {
    const kind = isIP(address);
    return kind !== 0 && list.check(address, kind === 4 ? 'ipv4' : 'ipv6');
  };
}
