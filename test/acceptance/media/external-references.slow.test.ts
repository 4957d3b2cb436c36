import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import { type ForbiddenServer, startForbiddenServer } from '../../support/forbidden-server.ts';
import { generateAudio, generateVideo } from '../../support/generated-media.ts';
import {
  aviWithSubtitles,
  dataReferenceUrl,
  macAliasReference,
  matroskaFile,
  mp4Box,
  quickTimeFile,
  quickTimeSoundTrack,
  waveFile,
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
const playlist = (target: string): string => `#EXTM3U\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`;
const page = '<!doctype html><script>fetch("/v1/memories")</script>';

/** Files that reference another file of this machine or a URL. */
const referring: [string, (target: string, plain: string) => Promise<Buffer> | Buffer][] = [
  [
    'a track of QuickTime at an address',
    (target) => quickTimeFile([quickTimeSoundTrack(1, dataReferenceUrl(target))]),
  ],
  [
    'a track of QuickTime in a file',
    (_, plain) => quickTimeFile([quickTimeSoundTrack(1, macAliasReference(plain))]),
  ],
  [
    'a movie of QuickTime that stands for another one',
    (target) => {
      const reference = mp4Box('rdrf', words('\0\0\0'), Buffer.from('url '), words(target));
      return quickTimeFile([mp4Box('rmra', mp4Box('rmda', reference))]);
    },
  ],
  ['subtitles of AVI that are a playlist', (target) => aviWithSubtitles(words(playlist(target)))],
  [
    'a list behind a box of MP4',
    (target) => Buffer.concat([mp4Box('free'), words(playlist(target))]),
  ],
  [
    'a playlist that a recording comes after',
    async (target) => Buffer.concat([words(playlist(target)), await generateAudio('x.mp3')]),
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
    (target) => Buffer.concat([matroskaFile(), words(playlist(target))]),
  ],
  [
    'a WAVE that holds a playlist',
    (target) => waveFile(Buffer.alloc(9_000), {}, ['junk', words(playlist(target))]),
  ],
];

/** Polyglots: recordings that are also valid in another format. */
const twofold: [string, () => Promise<Buffer>][] = [
  ['an archive', async () => Buffer.concat([await generateVideo('x.mp4'), emptyArchive])],
  ['a web page', async () => waveFile(Buffer.alloc(32_000), {}, ['junk', words(page)])],
  [
    'a document',
    async () =>
      Buffer.concat([mp4Box('free', words('%PDF-1.7\n%%EOF')), await generateVideo('x.mp4')]),
  ],
];
/** The end record of an empty ZIP, which programs search for at the end of a file. */
const emptyArchive = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

describe('a file that refers to others', () => {
  let service: Service;
  let credentials: ApiCredentials;
  let folder: string;
  let secret: string;
  let forbidden: ForbiddenServer;
  beforeAll(async () => {
    service = await startService('embedded');
    credentials = { url: service.url, key: (await service.createAccount()).key };
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-elsewhere-'));
    secret = path.join(folder, 'secret.mp3');
    await writeFile(secret, await generateAudio('secret.mp3', 7, 999));
    forbidden = await startForbiddenServer();
  });
  afterAll(async () => {
    forbidden[Symbol.dispose]();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const send = (bytes: Buffer) =>
    uploadForm(credentials, createForm(bytes, { allow_duplicate: 'true' }));
  /** Triggers all processing of a recording; the played bytes must be its own. */
  const useAll = async (bytes: Buffer): Promise<void> => {
    const response = await send(bytes);
    expect([201, 400]).toContain(response.status);
    if (response.status === 400) return;
    await service.running.context.worker.drain();
    const { id } = parseJson(response);
    const played = await sendRequest(credentials, `/v1/memories/${id}/stream`);
    expect(played.bytes.equals(bytes)).toBe(true);
    const clip = await fetch(
      new URL(clipUrl(service.running.context.app, id, 0, 9), credentials.url),
    );
    expect([200, 404, 503]).toContain(clip.status);
    await clip.bytes();
  };

  /** Checks the access time: a read updates an access time before the last change. */
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
    await fetch(forbidden.url);
    expect(forbidden.calls.splice(0)).toEqual(['a connection', '/x.mp3']);
  });

  it.each(referring)('as %s opens neither a file nor a connection', async (_, make) => {
    await markUnread(secret);
    for (const target of [`file://${secret}`, secret, forbidden.url]) {
      await useAll(await make(target, secret));
    }
    expect(await isUnread(secret)).toBe(true);
    expect(forbidden.calls).toEqual([]);
  });

  it.each(twofold)('as a recording that is %s, too, is a recording', async (_, make) => {
    const bytes = await make();
    const response = await send(bytes);
    expect(response.status).toBe(201);
    const played = await sendRequest(credentials, `/v1/memories/${parseJson(response).id}/stream`);
    expect(played.headers.get('content-type')).toMatch(/^(audio|video)\//);
    expect(played.headers.get('x-content-type-options')).toBe('nosniff');
    expect(played.bytes.equals(bytes)).toBe(true);
  });
});
