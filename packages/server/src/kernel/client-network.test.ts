import { describe, expect, it } from 'vitest';
import {
  clientNetwork,
  createAddressRangeMatcher,
  validateAddressRange,
} from './client-network.ts';

describe('clientNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:5678', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['[2001:0db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1:2', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['anything else', 'unknown'],
    ['', 'unknown'],
  ])('maps %s to %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});

describe('createAddressRangeMatcher', () => {
  it('matches single addresses and ranges of both versions, and IPv4-mapped IPv6', () => {
    const isTrusted = createAddressRangeMatcher(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.9.8.7', '2001:db8:5::1']) {
      expect(isTrusted(address), address).toBe(true);
    }
    for (const address of ['127.0.0.2', '11.0.0.1', '2001:db9::1', 'unknown', '10.0.0.1:80']) {
      expect(isTrusted(address), address).toBe(false);
    }
  });
});

describe('validateAddressRange', () => {
  it.each(['10.0.0.0/8', '10.1.2.3', '::1', 'fd00::/8'])('accepts %s', (range) => {
    expect(validateAddressRange(range)).toBe(null);
  });
  it.each(['', 'proxy.example.com', '10.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/8/8', '10/8'])(
    'refuses %j',
    (range) => {
      expect(validateAddressRange(range)).toContain(range);
    },
  );
});
