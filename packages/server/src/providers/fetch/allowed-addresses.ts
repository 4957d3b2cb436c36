import { BlockList, isIP } from 'node:net';

const createBlockList = (...subnets: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
};

/**
 * Metadata services of cloud providers; some are in ranges that are otherwise public or private.
 */
const metadata = createBlockList(
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
);

const privateNetworks = createBlockList(
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
);

/** Ranges that the IANA special-purpose registries list as not globally reachable. */
const special4 = createBlockList(
  '0.0.0.0/8',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
);

/**
 * All other IPv6 addresses are rejected: mapped and compatible IPv4, NAT64, multicast, link-local.
 */
const global6 = createBlockList('2000::/3');

/** Special ranges within 2000::/3: Teredo and other protocols, documentation, 6to4. */
const special6 = createBlockList('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20');

/**
 * Whether a tenant may make the server connect to this address.
 * @param address as text; an address with a zone id or any other text is rejected
 * @param allowPrivate adds loopback and private networks, never metadata or link-local addresses
 */
export function isAllowedAddress(address: string, allowPrivate: boolean): boolean {
  const version = address.includes('%') ? 0 : isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (metadata.check(address, family)) return false;
  // Mapped addresses match the IPv4 lists, so only native IPv6 addresses can be private here.
  if (version === 6 && !global6.check(address, family)) {
    return allowPrivate && !isMapped(address) && privateNetworks.check(address, family);
  }
  if (privateNetworks.check(address, family)) return allowPrivate;
  return !(version === 4 ? special4 : special6).check(address, family);
}

const mapped = createBlockList('::ffff:0:0/96');
const isMapped = (address: string): boolean => mapped.check(address, 'ipv6');
