import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import type { PinnedConnectionOptions } from './agents.ts';
import {
  createOutboundFetch,
  EgressDenied,
  EgressFailed,
  type OutboundFetchSettings,
  type OutboundRequest,
} from './index.ts';
import { startTestEndpoint } from './testing.ts';

const request: OutboundRequest = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  timeoutMs: 10_000,
  bodyBytesMax: 65_536,
};

const publicAddress = '93.184.215.14';

/** A guard whose connections are redirected to a local endpoint and recorded. */
async function staged(settings: Partial<OutboundFetchSettings> = {}) {
  const endpoint = await startTestEndpoint((_, response) => response.end('reached'));
  const opened: PinnedConnectionOptions[] = [];
  const call = createOutboundFetch({
    allowHttp: true,
    allowPrivate: false,
    clock: systemClock,
    resolve: async () => [publicAddress],
    connect: (options) => {
      opened.push(options);
      return net.connect(endpoint.port, '127.0.0.1');
    },
    ...settings,
  });
  return { call, opened, endpoint, [Symbol.asyncDispose]: () => endpoint[Symbol.asyncDispose]() };
}

const hostileAddresses = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.7',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:93.184.215.14',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001::1',
  '2001:0:7f00:1::',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:a9fe:a9fe::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff0e::1',
];

const bracketed = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const hostileUrls = [
  ...hostileAddresses.map((address) => `https://${bracketed(address)}/hook`),
  // Other notations of 127.0.0.1 and 169.254.169.254.
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://017700000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://127.0.0.1./',
  'https://127。0。0。1/',
  'https://１２７.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://①②⑦.0.0.1/',
  'https://2852039166/',
  'https://0xa9fea9fe/latest/meta-data/',
  'https://0251.0376.0251.0376/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[0000:0000:0000:0000:0000:ffff:7f00:0001]/',
  'https://[::ffff:7f00:1]/',
  // A public address in a notation that other parsers read differently.
  'https://0x5d.184.215.14/',
  'https://1572395790/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  // Names of this machine and of the surrounding network.
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://hooks.localhost/',
  'https://localhost.localdomain/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://metadata.google.internal./',
  'https://printer.local/',
  'https://router.home.arpa/',
  'https://database/',
  'https://hooks.example.com./',
  // Credentials, and misleading hosts.
  'https://user@hooks.example.com/',
  'https://user:secret@hooks.example.com/',
  'https://@hooks.example.com/',
  'https://hooks.example.com@127.0.0.1/',
  'https://127.0.0.1\\@hooks.example.com/',
  'https://hooks.example.com\\.evil.example/',
  'https://127.0.0.1#@hooks.example.com/',
  'https://127.0.0.1:443/',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:70000/',
  // Not valid URLs.
  'https:hooks.example.com',
  'https:/hooks.example.com',
  'https:///hooks.example.com',
  'https://',
  '//hooks.example.com/',
  ' https://hooks.example.com/',
  'https://hooks.example.com/\r\nX-Injected: 1',
  'https://hooks.exa\tmple.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com/',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/containers',
  '',
];

describe('a hostile URL', () => {
  it.each(hostileUrls)('opens no connection: %j', async (url) => {
    await using stage = await staged();
    let asked = 0;
    const call = createOutboundFetch({
      allowHttp: true,
      allowPrivate: false,
      clock: systemClock,
      connect: (options) => {
        stage.opened.push(options);
        return net.connect(stage.endpoint.port, '127.0.0.1');
      },
      resolve: async () => {
        asked += 1;
        return [publicAddress];
      },
    });
    await expect(call(url, request)).rejects.toThrow(EgressDenied);
    expect({ asked, opened: stage.opened, reached: stage.endpoint.connections() }).toEqual({
      asked: 0,
      opened: [],
      reached: 0,
    });
  });

  it('is rejected for its URL: a harmless one of the same stage is accepted', async () => {
    await using stage = await staged();
    const answer = await stage.call('http://hooks.example.com/hook', request);
    expect(answer).toMatchObject({ status: 200, body: 'reached' });
    expect(stage.opened).toHaveLength(1);
    expect(stage.endpoint.connections()).toBe(1);
  });

  it('with http is rejected unless allowed', async () => {
    await using stage = await staged({ allowHttp: false });
    await expect(stage.call('http://hooks.example.com/', request)).rejects.toThrow(
      'The URL must be an absolute https URL',
    );
    expect(stage.opened).toEqual([]);
  });
});

describe('a harmless URL', () => {
  it.each([
    ['http://93.184.215.14/', publicAddress],
    ['http://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    ['http://172.32.0.1:8443/hook?a=b', '172.32.0.1'],
    ['http://100.128.0.1/', '100.128.0.1'],
    ['http://11.0.0.1/', '11.0.0.1'],
  ])('with an address connects to it: %s', async (url, address) => {
    await using stage = await staged();
    expect((await stage.call(url, request)).status).toBe(200);
    expect(stage.opened.map(({ addresses }) => addresses)).toEqual([[address]]);
  });
});

describe('a name', () => {
  it.each(hostileAddresses)('that resolves to %s is rejected', async (address) => {
    await using stage = await staged({ resolve: async () => [address] });
    await expect(stage.call('http://hooks.example.com/', request)).rejects.toThrow(
      'The host hooks.example.com has an address that is not public',
    );
    expect(stage.opened).toEqual([]);
  });

  it.each(['fe80::1%eth0', '2606:4700::1%eth0', 'hooks.example.com', ''])(
    'whose server returns %j is rejected',
    async (address) => {
      await using stage = await staged({ resolve: async () => [address] });
      await expect(stage.call('http://hooks.example.com/', request)).rejects.toThrow(EgressDenied);
      expect(stage.opened).toEqual([]);
    },
  );

  it('with one private address of several is rejected', async () => {
    await using stage = await staged({ resolve: async () => [publicAddress, '10.0.0.1'] });
    await expect(stage.call('http://hooks.example.com/', request)).rejects.toThrow(EgressDenied);
    expect(stage.opened).toEqual([]);
  });

  it('is rejected without revealing its address, which is only logged', async () => {
    await using stage = await staged({ resolve: async () => ['10.1.2.3'] });
    const refusal = await stage.call('http://hooks.example.com/', request).catch((error) => error);
    expect(String(refusal)).not.toContain('10.1.2.3');
    expect(String(refusal.cause)).toContain('10.1.2.3');
  });

  it('is resolved again for each call: DNS rebinding does not help', async () => {
    const answers = [publicAddress, '127.0.0.1', publicAddress, '169.254.169.254'];
    await using stage = await staged({ resolve: async () => [answers.shift() ?? ''] });
    const outcomes: unknown[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const outcome = stage.call('http://hooks.example.com/', request);
      outcomes.push(
        await outcome.then(
          ({ status }) => status,
          (error) => error.constructor,
        ),
      );
    }
    expect(outcomes).toEqual([200, EgressDenied, 200, EgressDenied]);
    // The third call reused the connection of the first: to the same address, checked again.
    expect(stage.opened.map(({ addresses }) => addresses)).toEqual([[publicAddress]]);
  });

  it('is resolved once, and the connection uses the checked addresses', async () => {
    const answers = [publicAddress, '127.0.0.1'];
    let asked = 0;
    await using stage = await staged({
      resolve: async () => {
        asked += 1;
        return [answers.shift() ?? ''];
      },
    });
    await stage.call('http://hooks.example.com/', request);
    expect(asked).toBe(1);
    const looked = await new Promise((resolve) => {
      stage.opened[0]?.lookup('hooks.example.com', { all: true }, (_, found) => resolve(found));
    });
    expect(looked).toEqual([{ address: publicAddress, family: 4 }]);
  });

  it('that moves to another public address gets a new connection', async () => {
    const answers = [[publicAddress], [publicAddress], ['93.184.215.15']];
    await using stage = await staged({ resolve: async () => answers.shift() ?? [] });
    for (let turn = 0; turn < 3; turn += 1) {
      await stage.call('http://hooks.example.com/', request);
    }
    expect(stage.opened.map(({ addresses }) => addresses)).toEqual([
      [publicAddress],
      ['93.184.215.15'],
    ]);
  });

  it('with the same addresses in another order shares a connection, IPv4 first', async () => {
    const six = '2606:2800:21f::1';
    const answers = [
      [six, publicAddress],
      [publicAddress, six],
    ];
    await using stage = await staged({ resolve: async () => answers.shift() ?? [] });
    await stage.call('http://hooks.example.com/', request);
    await stage.call('http://hooks.example.com/', request);
    expect(stage.opened.map(({ addresses }) => addresses)).toEqual([[publicAddress, six]]);
  });

  it('that does not exist or cannot be resolved is a failure, not a rejection', async () => {
    await using none = await staged({ resolve: async () => [] });
    await expect(none.call('http://hooks.example.com/', request)).rejects.toThrow(
      new EgressFailed('The host hooks.example.com is unknown'),
    );
    await using broken = await staged({ resolve: () => Promise.reject(new Error('SERVFAIL')) });
    await expect(broken.call('http://hooks.example.com/', request)).rejects.toThrow(
      new EgressFailed('The host hooks.example.com could not be resolved'),
    );
  });
});

describe('where private addresses are allowed', () => {
  it.each([
    'http://localhost/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://100.64.0.1/',
    'http://[fd12:3456::1]/',
    'http://receiver/',
  ])('%s is reached', async (url) => {
    await using stage = await staged({ allowPrivate: true, resolve: async () => ['127.0.0.1'] });
    expect((await stage.call(url, request)).status).toBe(200);
  });

  it.each([
    'http://169.254.169.254/',
    'http://100.100.100.200/',
    'http://168.63.129.16/',
    'http://[fd00:ec2::254]/',
    'http://[fd20:ce::254]/',
    'http://[fe80::1]/',
    'http://0.0.0.0/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://2130706433/',
    'http://user:secret@localhost/',
  ])('%s is not, either', async (url) => {
    await using stage = await staged({ allowPrivate: true });
    await expect(stage.call(url, request)).rejects.toThrow(EgressDenied);
    expect(stage.opened).toEqual([]);
  });
});

describe('a header', () => {
  it.each([
    { Host: 'internal.example.com' },
    { 'Content-Length': '0' },
    { 'transfer-encoding': 'chunked' },
    { Connection: 'close' },
    { Upgrade: 'websocket' },
    { Expect: '100-continue' },
    { 'Proxy-Authorization': 'Basic eA==' },
    { 'x-split': 'a\r\nX-Injected: 1' },
    { 'x bad': '1' },
    { 'x-wide': '€' },
  ])('that is reserved, or would inject another one, is rejected: %j', async (more) => {
    await using stage = await staged();
    const headers = { ...request.headers, ...more } as Record<string, string>;
    await expect(stage.call('http://hooks.example.com/', { ...request, headers })).rejects.toThrow(
      EgressDenied,
    );
    expect(stage.opened).toEqual([]);
  });
});
