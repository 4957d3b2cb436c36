import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createDnsResolver, resolveWithSystem } from './host-resolver.ts';

const [noError, serverFailure, nameError] = [0, 2, 3];
const kinds: Readonly<Record<number, 'a' | 'aaaa'>> = { 1: 'a', 28: 'aaaa' };

/** Addresses, an error code, or no response. */
type Told = string[] | number | 'nothing';
type Zone = Readonly<Record<string, { a: Told; aaaa: Told }>>;

const bytesOf = (address: string): Buffer =>
  isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(address.replaceAll(':', ''), 'hex');

/** Maps one question to one response (RFC 1035); null: no response. */
function answerTo(query: Buffer, zone: Zone, asked: string[]): Buffer | null {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const name = labels.join('.');
  asked.push(name);
  const kind = kinds[query.readUInt16BE(at + 1)] ?? 'a';
  const found = zone[name]?.[kind] ?? nameError;
  if (found === 'nothing') return null;
  const addresses = typeof found === 'number' ? [] : found;
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : noError), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const records = addresses.map(bytesOf).map((bytes) => {
    const head = Buffer.from('c00c00000001000000000000', 'hex');
    head.writeUInt16BE(bytes.length === 4 ? 1 : 28, 2);
    head.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([head, bytes]);
  });
  return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
}

async function nameServer(zone: Zone) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const answer = answerTo(query, zone, asked);
    if (answer) socket.send(answer, from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolve = createDnsResolver([`127.0.0.1:${socket.address().port}`]);
  return { resolve, asked, [Symbol.dispose]: () => void socket.close() };
}

describe('the name servers', () => {
  const four = '93.184.215.14';
  const six = '2606:2800:021f:cb07:6820:80da:af6b:8b2c';

  it.each([
    ['both kinds', { a: [four], aaaa: [six] }, [four, '2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
    ['IPv4 alone', { a: [four], aaaa: [] }, [four]],
    ['IPv6 alone', { a: [], aaaa: [six] }, ['2606:2800:21f:cb07:6820:80da:af6b:8b2c']],
    ['IPv4 if IPv6 cannot be queried', { a: [four], aaaa: serverFailure }, [four]],
    ['none of either', { a: [], aaaa: [] }, []],
    ['that there is no such name', { a: nameError, aaaa: nameError }, []],
  ])('return %s', async (_, addresses, expected) => {
    using server = await nameServer({ 'hooks.example.com': addresses });
    expect(await server.resolve('hooks.example.com')).toEqual(expected);
  });

  it('that never respond for IPv6 cause no delay if there are IPv4 addresses', async () => {
    using server = await nameServer({ 'hooks.example.com': { a: [four], aaaa: 'nothing' } });
    const begunMs = performance.now();
    expect(await server.resolve('hooks.example.com')).toEqual([four]);
    expect(performance.now() - begunMs).toBeLessThan(4_000);
  });

  it('that fail are not an empty result', async () => {
    using server = await nameServer({ 'hooks.example.com': { a: [], aaaa: serverFailure } });
    await expect(server.resolve('hooks.example.com')).rejects.toThrow('ESERVFAIL');
  });

  it('are queried each time, for the exact name: no search list, no hosts file', async () => {
    using server = await nameServer({ 'a.example.com': { a: [four], aaaa: [] } });
    await server.resolve('a.example.com');
    await server.resolve('a.example.com');
    await server.resolve('b.example');
    expect(server.asked.filter((name) => name === 'a.example.com')).toHaveLength(4);
    expect(new Set(server.asked)).toEqual(new Set(['a.example.com', 'b.example']));
  });
});

describe('the system', () => {
  it('knows localhost', async () => {
    expect(await resolveWithSystem('localhost')).toContain('127.0.0.1');
  });
});
