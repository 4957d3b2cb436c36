import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { type ForbiddenServer, startForbiddenServer } from '../../support/forbidden-server.ts';
import { generateAudio, generateVideo } from '../../support/generated-media.ts';
import {
  aviWithSubtitles,
  box,
  dataReferenceUrl,
  macAlias,
  matroska,
  quickTime,
  soundTrak,
  wave,
} from '../../support/media-containers.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  type ApiCredentials,
  createForm,
  parseJson,
  sendRequest,
  uploadForm,
} from './http-requests.ts';

const words = (text: string): Buffer => Buffer.from(`${text}\0`, 'latin1');
const playlist = (place: string): string => `#EXTM3U\n#EXTINF:1,\n${place}\n#EXT-X-ENDLIST\n`;
const page = '<!doctype html><script>fetch("/v1/memories")</script>';

/** Files in other files: what each is told to look at is a file of this machine, or an address. */
const referring: [string, (place: string, plain: string) => Promise<Buffer> | Buffer][] = [
  [
    'a track of QuickTime at an address',
    (place) => quickTime([soundTrak(1, dataReferenceUrl(place))]),
  ],
  ['a track of QuickTime in a file', (_, plain) => quickTime([soundTrak(1, macAlias(plain))])],
  [
    'a movie of QuickTime that stands for another one',
    (place) => {
      const reference = box('rdrf', words('\0\0\0'), Buffer.from('url '), words(place));
      return quickTime([box('rmra', box('rmda', reference))]);
    },
  ],
  ['subtitles of AVI that are a playlist', (place) => aviWithSubtitles(words(playlist(place)))],
  ['a list behind a box of MP4', (place) => Buffer.concat([box('free'), words(playlist(place))])],
  [
    'a playlist that a recording comes after',
    async (place) => Buffer.concat([words(playlist(place)), await generateAudio('x.mp3')]),
  ],
  [
    'a list of files that a recording comes after',
    async (_, plain) =>
      Buffer.concat([
        words(`ffconcat version 1.0\nfile '${plain}'\n`),
        await generateAudio('x.wav'),
      ]),
  ],
  [
    'a Matroska that ends in a playlist',
    (place) => Buffer.concat([matroska(), words(playlist(place))]),
  ],
  [
    'a WAVE that holds a playlist',
    (place) => wave(Buffer.alloc(9_000), {}, ['junk', words(playlist(place))]),
  ],
];

/** Two things at once: a recording, and what somebody may take it for. */
const twofold: [string, () => Promise<Buffer>][] = [
  ['an archive', async () => Buffer.concat([await generateVideo('x.mp4'), emptyArchive])],
  ['a web page', async () => wave(Buffer.alloc(32_000), {}, ['junk', words(page)])],
  [
    'a document',
    async () =>
      Buffer.concat([box('free', words('%PDF-1.7\n%%EOF')), await generateVideo('x.mp4')]),
  ],
];
/** The end of a ZIP without entries, which programs look for at the end of a file. */
const emptyArchive = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

describe('a file that refers to others', () => {
  let service: Service;
  let asked: ApiCredentials;
  let folder: string;
  let secret: string;
  let trap: ForbiddenServer;
  beforeAll(async () => {
    service = await startService('embedded');
    asked = { url: service.url, key: (await service.createAccount()).key };
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-elsewhere-'));
    secret = path.join(folder, 'secret.mp3');
    await writeFile(secret, await generateAudio('secret.mp3', 7, 999));
    trap = await startForbiddenServer();
  });
  afterAll(async () => {
    trap[Symbol.dispose]();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const send = (bytes: Buffer) => uploadForm(asked, createForm(bytes, { allow_duplicate: 'true' }));
  /** Makes everything of it that is made of a recording; its own bytes are what is played. */
  const useAll = async (bytes: Buffer): Promise<void> => {
    const told = await send(bytes);
    expect([201, 400]).toContain(told.status);
    if (told.status === 400) return;
    await service.running.context.worker.drain();
    const { id } = parseJson(told);
    const played = await sendRequest(asked, `/v1/memories/${id}/stream`);
    expect(played.bytes.equals(bytes)).toBe(true);
    const clip = await fetch(new URL(clipUrl(service.running.context.app, id, 0, 9), asked.url));
    expect([200, 404, 503]).toContain(clip.status);
    await clip.bytes();
  };

  /** Never read, as the system tells: a time before that of its last change is moved by a read. */
  const unread = new Date('2001-01-01T00:00:00Z');
  const markUnread = (file: string) => utimes(file, unread, new Date());
  const isUnread = async (file: string) => (await stat(file)).atimeMs === unread.getTime();

  it('would be seen to read one', async () => {
    const file = path.join(folder, 'other.mp3');
    await writeFile(file, 'words');
    await markUnread(file);
    expect(await isUnread(file)).toBe(true);
    await readFile(file);
    const tells = !(await isUnread(file));
    if (!tells) process.stdout.write('reads of files: not seen, the disk does not note them\n');
    await fetch(trap.url);
    expect(trap.calls.splice(0)).toEqual(['a connection', '/x.mp3']);
  });

  it.each(referring)('as %s opens neither a file nor a connection', async (_, make) => {
    await markUnread(secret);
    for (const place of [`file://${secret}`, secret, trap.url]) {
      await useAll(await make(place, secret));
    }
    expect(await isUnread(secret)).toBe(true);
    expect(trap.calls).toEqual([]);
  });

  it.each(twofold)('as a recording that is %s, too, is a recording', async (_, make) => {
    const bytes = await make();
    const told = await send(bytes);
    expect(told.status).toBe(201);
    const played = await sendRequest(asked, `/v1/memories/${parseJson(told).id}/stream`);
    expect(played.headers.get('content-type')).toMatch(/^(audio|video)\//);
    expect(played.headers.get('x-content-type-options')).toBe('nosniff');
    expect(played.bytes.equals(bytes)).toBe(true);
  });
});
