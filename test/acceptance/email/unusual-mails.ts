import { Buffer } from 'node:buffer';
import { deflateRawSync } from 'node:zlib';

/** The expected outcome: fields of the mail in the history, or the status of a rejection. */
export interface UnusualMail {
  readonly name: string;
  /** @param to the account's address */
  readonly raw: (to: string) => string | Buffer;
  readonly query?: string;
  readonly rejectedWith?: number;
  readonly mail?: Record<string, unknown>;
  /** Texts that the memory contains. */
  readonly contains?: string | readonly string[];
  readonly excludes?: string | readonly string[];
  readonly attachments?: readonly Record<string, unknown>[];
}

const crlf = '\r\n';
let serial = 0;

type Header = Record<string, string>;

/** A mail with these headers, which override valid defaults. */
function buildMail(to: string, header: Header, body: string | Buffer = 'Plain words.'): Buffer {
  serial += 1;
  const base: Header = {
    From: 'Ana <ana@example.com>',
    To: to,
    Subject: `awkward ${serial}`,
    'Message-ID': `<awkward-${serial}@example.com>`,
    'MIME-Version': '1.0',
  };
  const lines = Object.entries({ ...base, ...header })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}: ${value}`);
  const head = `${lines.join(crlf)}${crlf}${crlf}`;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body as string)]);
}

const contentTypeHeaders = (type: string, encoding = '8bit'): Header => ({
  'Content-Type': type,
  'Content-Transfer-Encoding': encoding,
});

const base64 = (bytes: string | Buffer): string =>
  (
    Buffer.from(bytes as string)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  ).join(crlf);

/** A multipart mail of encoded parts. */
function multipart(
  to: string,
  parts: readonly string[],
  header: Header = {},
  kind = 'mixed',
): Buffer {
  const body = parts.map((part) => `--edge${crlf}${part}${crlf}`).join('');
  const type = { 'Content-Type': `multipart/${kind}; boundary="edge"` };
  return buildMail(to, { ...type, ...header }, `${body}--edge--${crlf}`);
}

const part = (header: Header, body: string): string =>
  `${Object.entries(header)
    .map(([name, value]) => `${name}: ${value}`)
    .join(crlf)}${crlf}${crlf}${body}`;

const plainPart = (text: string): string => part({ 'Content-Type': 'text/plain' }, text);

const attachmentPart = (name: string, type: string, bytes: string | Buffer): string =>
  part(
    {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Transfer-Encoding': 'base64',
    },
    base64(bytes),
  );

/** Encodes TNEF ([MS-OXTNEF]): a signature, a key, attributes with checksums. */
function tnefAttachment(body: string, filename: string, content: string): Buffer {
  const attribute = (level: number, id: number, value: Buffer): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUInt8(level, 0);
    head.writeUInt32LE(id, 1);
    head.writeUInt32LE(value.length, 5);
    const sum = Buffer.alloc(2);
    sum.writeUInt16LE(value.reduce((total, byte) => (total + byte) & 0xffff, 0));
    return Buffer.concat([head, value, sum]);
  };
  const start = Buffer.alloc(6);
  start.writeUInt32LE(0x223e9f78, 0);
  return Buffer.concat([
    start,
    attribute(1, 0x0002800c, Buffer.from(`${body}\0`)),
    attribute(2, 0x00069002, Buffer.alloc(14)),
    attribute(2, 0x00018010, Buffer.from(`${filename}\0`)),
    attribute(2, 0x0006800f, Buffer.from(content)),
  ]);
}

/** A compression bomb: 200 MB of zeros in a few hundred KB. */
const zipBomb = (): Buffer => deflateRawSync(Buffer.alloc(200 * 1024 * 1024), { level: 9 });

const nestedMultipart = (depth: number): string => {
  let body = plainPart('the innermost');
  for (let level = 0; level < depth; level += 1) {
    const edge = `e${level}`;
    const type = `Content-Type: multipart/mixed; boundary="${edge}"`;
    body = `${type}${crlf}${crlf}--${edge}${crlf}${body}${crlf}--${edge}--${crlf}`;
  }
  return body;
};

const calendar = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'SUMMARY:Budget talk\\, second round',
  'DTSTART:20260105T093000Z',
  'DTEND;TZID=Europe/Vienna:20260105T113000',
  'LOCATION:Room 4',
  'BEGIN:VALARM',
  'DESCRIPTION:wake up',
  'END:VALARM',
  'END:VEVENT',
  'END:VCALENDAR',
].join(crlf);

const inner = [
  'From: Bob <bob@example.org>',
  'Subject: the inner subject',
  'Content-Type: text/plain',
  '',
  'the inner words',
].join(crlf);

export const charsetMails: readonly UnusualMail[] = [
  ['iso-8859-1', Buffer.from('Gr\xfc\xdfe', 'latin1'), 'Grüße'],
  ['windows-1252', Buffer.from([0x93, 0x68, 0x69, 0x94, 0x20, 0x80]), '“hi” €'],
  ['utf-8', Buffer.from('naïve 日本 🎈'), 'naïve 日本 🎈'],
  ['koi8-r', Buffer.from([0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4]), 'Привет'],
  ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
  ['iso-2022-jp', Buffer.from('\x1b$BF|K\\\x1b(B', 'latin1'), '日本'],
  ['gb18030', Buffer.from([0xd6, 0xd0, 0xce, 0xc4]), '中文'],
  ['big5', Buffer.from([0xa4, 0xa4, 0xa4, 0xe5]), '中文'],
  ['euc-kr', Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]), '한글'],
  ['utf-16le', Buffer.from('wide words', 'utf16le'), 'wide words'],
  ['us-ascii', Buffer.from('lies: ü'), 'lies:'],
  ['x-nobody-knows', Buffer.from('plain enough'), 'plain enough'],
].map(([charset, bytes, says]) => ({
  name: `a body in ${charset}`,
  raw: (to) =>
    buildMail(
      to,
      contentTypeHeaders(`text/plain; charset=${charset}`, 'base64'),
      base64(bytes as Buffer),
    ),
  mail: { status: 'completed' },
  contains: says as string,
}));

export const headerMails: readonly UnusualMail[] = [
  {
    name: 'a subject in encoded words that cut a letter in two',
    raw: (to) =>
      buildMail(to, { Subject: `=?utf-8?B?w?=${crlf} =?utf-8?B?7xp?= =?utf-8?Q?caf=C3=A9_x?=` }),
    mail: { status: 'completed' },
    contains: 'café x',
  },
  {
    name: 'a subject in raw eight bits',
    raw: (to) => buildMail(to, { Subject: Buffer.from('Grüße').toString('latin1') }),
    mail: { status: 'completed' },
    contains: 'Plain words.',
  },
  {
    name: 'a header injected by an encoded subject',
    raw: (to) => {
      const evil = base64('quiet\r\nBcc: victim@example.net\r\n\r\nevil body');
      return buildMail(to, { Subject: `=?utf-8?B?${evil}?=` });
    },
    mail: { status: 'completed', subject: 'quiet Bcc: victim@example.net evil body' },
  },
  {
    name: 'a header folded in odd places, with comments',
    raw: (to) =>
      buildMail(to, { From: `Ana${crlf}\t(that is me)${crlf} <ana@example.com> (again)` }),
    mail: { status: 'completed', sender: 'ana@example.com' },
  },
  {
    name: 'a header line without a colon',
    raw: (to) => Buffer.concat([Buffer.from(`this is no header${crlf}`), buildMail(to, {})]),
    query: 'recipient',
    mail: { status: 'completed' },
  },
  {
    name: 'line ends of LF alone',
    raw: (to) => buildMail(to, {}).toString('latin1').replaceAll(crlf, '\n'),
    mail: { status: 'completed' },
    contains: 'Plain words.',
  },
  {
    name: 'line ends of CR alone in the body',
    raw: (to) => buildMail(to, {}, 'one\rtwo\rthree'),
    mail: { status: 'completed' },
    contains: 'three',
  },
  {
    name: 'no header at all',
    raw: () => 'nothing but words',
    query: 'recipient',
    mail: { sender: '' },
  },
  {
    name: 'an empty mail',
    raw: () => '',
    query: 'recipient',
    mail: { status: 'failed' },
  },
  {
    name: 'neither subject nor sender',
    raw: (to) => buildMail(to, { Subject: '', From: '' }),
    mail: { status: 'completed', subject: '' },
    contains: 'Plain words.',
  },
  {
    name: 'two From headers',
    raw: (to) => buildMail(to, { 'from ': 'eve@evil.example' }),
    mail: { status: 'completed' },
  },
  {
    name: '10,000 recipients',
    raw: (to) => {
      const many = Array.from({ length: 10_000 }, (_, i) => `u${i}@example.com`);
      return buildMail(to, { Cc: many.join(`,${crlf} `) });
    },
    mail: { status: 'completed' },
  },
  {
    name: '20,000 recipients, which is too much of a header',
    raw: (to) => {
      const many = Array.from({ length: 20_000 }, (_, i) => `u${i}@example.com`);
      return buildMail(to, { Cc: many.join(`,${crlf} `) });
    },
    rejectedWith: 413,
  },
  {
    name: 'a header of 300 KB',
    raw: (to) => buildMail(to, { 'X-Large': `${'x'.repeat(900)}${crlf} `.repeat(340) }),
    rejectedWith: 413,
  },
  {
    name: 'one header line of 200 KB',
    raw: (to) => buildMail(to, { 'X-Long': 'y'.repeat(200_000) }),
    mail: { status: 'completed' },
  },
  {
    name: 'a subject of 50,000 characters',
    raw: (to) => buildMail(to, { Subject: 'long '.repeat(10_000) }),
    mail: { status: 'completed' },
  },
  {
    name: '5,000 references',
    raw: (to) => {
      const ids = Array.from({ length: 5_000 }, (_, i) => `<${i}@example.com>`);
      return buildMail(to, { References: ids.join(`${crlf} `) });
    },
    mail: { status: 'completed' },
  },
  {
    name: 'no Message-ID',
    raw: (to) => buildMail(to, { 'Message-ID': '' }),
    mail: { status: 'completed', messageId: null },
  },
  {
    name: 'a Message-ID of 5,000 characters',
    raw: (to) => buildMail(to, { 'Message-ID': `<${'m'.repeat(5_000)}@example.com>` }),
    mail: { status: 'completed', messageId: null },
  },
  {
    name: 'a date that is none and a priority that is none',
    raw: (to) => buildMail(to, { Date: 'the day after', 'X-Priority': 'yes', Importance: '\x01' }),
    mail: { status: 'completed' },
  },
  {
    name: 'zero bytes in subject and body',
    raw: (to) => buildMail(to, { Subject: 'a\0b' }, 'c\0d'),
    mail: { status: 'completed' },
    contains: 'cd',
  },
  {
    name: 'header names of prototypes',
    raw: (to) => buildMail(to, { __proto__x: '1', constructor: 'x', 'List-__proto__': '<x>' }),
    mail: { status: 'completed' },
  },
];

export const bodyMails: readonly UnusualMail[] = [
  {
    name: 'MIME nested 500 deep',
    raw: (to) => {
      const [head = '', ...rest] = nestedMultipart(500).split(`${crlf}${crlf}`);
      const type = head.replace('Content-Type: ', '');
      return buildMail(to, { 'Content-Type': type }, rest.join(`${crlf}${crlf}`));
    },
    mail: { status: 'completed' },
    contains: 'the innermost',
  },
  {
    name: '1,500 parts',
    raw: (to) =>
      multipart(
        to,
        Array.from({ length: 1_500 }, (_, i) => plainPart(`part ${i}`)),
      ),
    mail: { status: 'failed' },
  },
  {
    name: '150 attachments',
    raw: (to) =>
      multipart(
        to,
        Array.from({ length: 150 }, (_, i) => attachmentPart(`f${i}.bin`, 'application/x-a', 'x')),
      ),
    mail: { status: 'failed' },
  },
  {
    name: 'a multipart that is never closed',
    raw: (to) =>
      buildMail(
        to,
        { 'Content-Type': 'multipart/mixed; boundary=open' },
        `--open${crlf}${plainPart('still here')}`,
      ),
    mail: { status: 'completed' },
    contains: 'still here',
  },
  {
    name: 'a multipart without a boundary',
    raw: (to) => buildMail(to, { 'Content-Type': 'multipart/mixed' }, 'words'),
    mail: { status: 'completed' },
  },
  {
    name: 'a zip bomb, which is kept as it is',
    raw: (to) =>
      multipart(to, [plainPart('see zip'), attachmentPart('b.zip', 'application/zip', zipBomb())]),
    mail: { status: 'completed' },
    attachments: [{ filename: 'b.zip', contentType: 'application/zip' }],
  },
  {
    name: 'HTML alone',
    raw: (to) =>
      buildMail(
        to,
        contentTypeHeaders('text/html; charset=utf-8'),
        '<style>p{}</style><script>alert(1)</script><h1>Title</h1><p>One <b>bold</b> &amp; ' +
          '<a href="https://example.com/x">link</a><ul><li>first<li>second</ul>',
      ),
    mail: { status: 'completed' },
    contains: ['# Title', '**bold**', '[link](https://example.com/x)', '- first'],
    excludes: ['alert', '<p>'],
  },
  {
    name: 'a link that runs a program',
    raw: (to) =>
      buildMail(to, contentTypeHeaders('text/html'), '<a href="javascript:evil()">press</a> here'),
    mail: { status: 'completed' },
    contains: 'press here',
    excludes: 'javascript',
  },
  {
    name: 'HTML nested 100,000 deep',
    raw: (to) =>
      buildMail(to, contentTypeHeaders('text/html'), `${'<div><b>'.repeat(100_000)}deep`),
    mail: { status: 'completed' },
    contains: 'deep',
  },
  {
    name: 'text beyond the content limit',
    raw: (to) => buildMail(to, {}, `${'many words '.repeat(20)}${crlf}`.repeat(6_000)),
    mail: { status: 'failed', responseMemoryId: null },
  },
  {
    name: 'base64 that is none',
    raw: (to) =>
      buildMail(to, contentTypeHeaders('text/plain', 'base64'), '!!!not§base64%%%\r\nQUJD'),
    mail: {},
  },
  {
    name: 'broken quoted-printable',
    raw: (to) =>
      buildMail(to, contentTypeHeaders('text/plain', 'quoted-printable'), 'a=ZZb =\r\nc=3D=E2=82'),
    mail: { status: 'completed' },
  },
  {
    name: 'an encoding that nobody knows',
    raw: (to) => buildMail(to, contentTypeHeaders('text/plain', 'x-rot13'), 'plain all the same'),
    mail: { status: 'completed' },
    contains: 'plain all the same',
  },
  {
    name: 'flowed text',
    raw: (to) =>
      buildMail(to, contentTypeHeaders('text/plain; format=flowed'), `one \r\nline\r\nanother`),
    mail: { status: 'completed' },
    contains: 'one line',
  },
  {
    name: 'a winmail.dat',
    raw: (to) =>
      multipart(to, [
        attachmentPart(
          'winmail.dat',
          'application/ms-tnef',
          tnefAttachment('Wrapped words.', 'n.txt', 'note 7'),
        ),
      ]),
    mail: { status: 'completed' },
    contains: 'Wrapped words.',
    attachments: [{ filename: 'winmail.dat' }, { filename: 'n.txt', contentType: 'text/plain' }],
  },
  {
    name: 'a winmail.dat that is cut off',
    raw: (to) =>
      multipart(to, [
        plainPart('outside'),
        attachmentPart(
          'winmail.dat',
          'application/ms-tnef',
          tnefAttachment('x', 'n', 'y').subarray(0, 40),
        ),
      ]),
    mail: { status: 'completed' },
    contains: 'outside',
  },
  {
    name: 'an invitation',
    raw: (to) =>
      multipart(
        to,
        [plainPart('Come!'), part({ 'Content-Type': 'text/calendar; method=REQUEST' }, calendar)],
        {},
        'alternative',
      ),
    mail: { status: 'completed' },
    contains: [
      'Come!',
      'Event: Budget talk, second round',
      'Start: 2026-01-05 09:30 UTC',
      'Room 4',
    ],
    excludes: 'wake up',
  },
  {
    name: 'a message within the message',
    raw: (to) =>
      multipart(to, [plainPart('outer'), part({ 'Content-Type': 'message/rfc822' }, inner)]),
    mail: { status: 'completed' },
    contains: ['outer', 'the inner words'],
  },
  {
    name: 'nothing but an attachment',
    raw: (to) =>
      multipart(to, [attachmentPart('list.txt', 'text/plain', 'eggs and flour')], { Subject: '' }),
    mail: { status: 'completed' },
    contains: 'list.txt',
    attachments: [{ filename: 'list.txt', size: 14, memoryId: 'set' }],
  },
  {
    name: 'filenames that lead elsewhere',
    raw: (to) =>
      multipart(to, [
        plainPart('files'),
        attachmentPart('../../etc/passwd', 'application/x-a', '1'),
        attachmentPart('..', 'application/x-a', '2'),
        attachmentPart('a\\b:c.bin', 'application/x-a', '3'),
      ]),
    mail: { status: 'completed' },
    attachments: [{ filename: '.._.._etc_passwd' }, { filename: 'attachment' }, {}],
  },
  {
    name: 'a filename in continued, encoded pieces',
    raw: (to) =>
      multipart(to, [
        plainPart('file'),
        part(
          {
            'Content-Type': 'application/x-a',
            'Content-Disposition': `attachment; filename*0*=utf-8''Gr%C3%BC; filename*1*=%C3%9F.md`,
          },
          'x',
        ),
      ]),
    mail: { status: 'completed' },
    attachments: [{ filename: 'Grüß.md' }],
  },
];

export const ruleMails: readonly UnusualMail[] = [
  {
    name: 'its own address as the sender',
    raw: (to) => buildMail(to, { From: to }),
    mail: { status: 'rejected', responseMemoryId: null },
  },
  {
    name: '60 hops',
    raw: (to) =>
      Buffer.concat([
        Buffer.from(`Received: from a.example by b.example; now${crlf}`.repeat(60)),
        buildMail(to, {}),
      ]),
    mail: { status: 'rejected', responseMemoryId: null },
  },
  {
    name: 'an absence notice',
    raw: (to) =>
      buildMail(to, { 'Auto-Submitted': 'auto-replied', Subject: 'Re: forget: ABCDEFGHJK' }),
    mail: { status: 'completed', responseMemoryId: null },
  },
  {
    name: 'a notice of delivery',
    raw: (to) =>
      multipart(
        to,
        [plainPart('It could not be delivered.'), 'Content-Type: message/delivery-status\r\n\r\nx'],
        { From: 'MAILER-DAEMON@example.com' },
        'report; report-type=delivery-status',
      ),
    mail: { status: 'completed', responseMemoryId: null },
  },
  {
    name: 'a mailing list',
    raw: (to) => buildMail(to, { 'List-Id': '<talk.example.com>', Precedence: 'list' }),
    mail: { status: 'completed' },
    contains: 'Plain words.',
  },
  {
    name: 'an author whose domain asks to refuse what fails DMARC',
    raw: (to) => buildMail(to, { From: 'boss@strict.example' }),
    query: 'recipient&ip=192.0.2.9&helo=evil.example&sender=boss@strict.example',
    mail: {
      status: 'rejected',
      responseMemoryId: null,
      authentication: { spf: 'fail', dkim: 'none', dmarc: 'fail', arc: 'none' },
    },
  },
  {
    name: 'an author whose domain asks to let pass what fails DMARC',
    raw: (to) => buildMail(to, { From: 'boss@lax.example' }),
    query: 'recipient&ip=192.0.2.9&helo=evil.example&sender=boss@lax.example',
    mail: { status: 'completed', authentication: { dmarc: 'fail' } },
  },
];
