import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clipUrl } from '../../../packages/server/src/domains/media/index.ts';
import type { VisionModel } from '../../../packages/server/src/providers/vision/index.ts';
import { childCpuSeconds } from '../../support/child-cpu-time.ts';
import { silentTranscriber } from '../../support/fake-transcribers.ts';
import { generateAudio, generateWithFfmpeg } from '../../support/generated-media.ts';
import {
  blackPng,
  flacWithSampleCount,
  jpegWithSize,
  matroskaBlocks,
  matroskaCluster,
  matroskaFile,
  matroskaPictureTrack,
  matroskaSoundTrack,
  matroskaTracks,
  mpegTransportStream,
  oggWithStreams,
  quickTimeFile,
  quickTimeSoundTrack,
  sameFileReference,
  vfwCodecData,
  wave64File,
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

/** The limits for each operation on a hostile file. */
const secondsMax = 30;

/** Mostly waiting time on a busy machine. */
const timeoutMs = 240_000;

const times = (count: number, bytes: Buffer): Buffer[] => Array<Buffer>(count).fill(bytes);
const png = (width: number, height: number) =>
  matroskaPictureTrack('V_MS/VFW/FOURCC', {
    width,
    height,
    setup: vfwCodecData('MPNG', width, height),
  });
const gray = matroskaPictureTrack('V_MS/VFW/FOURCC', {
  width: 2,
  height: 2,
  setup: vfwCodecData('Y800', 2, 2),
});
const silence = Buffer.alloc(32_000);

/** Images that declare 50,000 × 50,000 pixels. */
async function hugeJpegs(side: number): Promise<Buffer> {
  const small = await generateWithFfmpeg(
    'x.jpg',
    '-f',
    'lavfi',
    '-i',
    'testsrc=size=64x64',
    '-frames:v',
    '1',
  );
  const frames = matroskaBlocks(times(40, jpegWithSize(small, 50_000, 50_000)));
  const track = matroskaPictureTrack('V_MJPEG', { width: side, height: side });
  return matroskaFile(matroskaTracks([track]), matroskaCluster(0, frames));
}

/** A thousand frames per second for a thousand seconds. */
function millionFrames(): Buffer {
  const frames = matroskaBlocks(times(25_000, Buffer.alloc(4, 0x80)));
  const clusters = Array.from({ length: 40 }, (_, i) => matroskaCluster(i * 25_000, frames));
  return matroskaFile(matroskaTracks([gray]), ...clusters);
}

/** Small files that require unbounded CPU time or memory. */
const files: [string, () => Promise<Buffer> | Buffer][] = [
  [
    '100,000 tracks of Matroska',
    () => matroskaFile(matroskaTracks(times(100_000, matroskaSoundTrack(1)))),
  ],
  [
    '100,000 tracks of MP4',
    () => quickTimeFile(times(100_000, quickTimeSoundTrack(1, sameFileReference))),
  ],
  ['100,000 streams of Ogg', () => oggWithStreams(100_000)],
  [
    '19,000 streams of MPEG-TS, which has numbers for 8,000',
    () => mpegTransportStream(100, 190, 5),
  ],
  ['pictures of 50,000 × 50,000, as the file says', () => hugeJpegs(50_000)],
  ['pictures of 50,000 × 50,000, which the file hides', () => hugeJpegs(64)],
  [
    'black of 50,000 × 50,000 in 300 kB',
    () =>
      matroskaFile(
        matroskaTracks([png(50_000, 50_000)]),
        matroskaCluster(0, matroskaBlocks([blackPng(50_000, 50_000), blackPng(50_000, 50_000)])),
      ),
  ],
  [
    'black of 7,000 × 7,000, 100 times in 600 kB',
    () =>
      matroskaFile(
        matroskaTracks([png(7_000, 7_000)]),
        matroskaCluster(0, matroskaBlocks(times(100, blackPng(7_000, 7_000)))),
      ),
  ],
  ['a million frames', millionFrames],
  [
    'a thousand years between two frames',
    () =>
      matroskaFile(
        matroskaTracks([png(16, 16)]),
        matroskaCluster(0, matroskaBlocks([blackPng(16, 16)])),
        matroskaCluster(2 ** 45, matroskaBlocks(times(3, blackPng(16, 16)))),
      ),
  ],
  [
    'a FLAC that says it has 2^36 samples',
    async () => flacWithSampleCount(await generateAudio('x.flac'), 2n ** 36n - 1n),
  ],
  ['a WAVE that says it has 2^62 bytes', () => wave64File(silence, 2n ** 61n)],
  ['a WAVE of 2^32 samples a second', () => waveFile(silence, { rate: 2 ** 32 - 1 })],
  ['a WAVE of 65,535 channels', () => waveFile(silence, { channels: 65_535, rate: 48_000 })],
];

const viewer: VisionModel = { model: 'none', describe: async () => null };

/** Media processing does not depend on the database engine. */
describe('a file that asks for too much', () => {
  let service: Service;
  let credentials: ApiCredentials;
  beforeAll(async () => {
    const overrides = { transcribers: [silentTranscriber], vision: viewer };
    service = await startService('embedded', { overrides });
    credentials = { url: service.url, key: (await service.createAccount()).key };
  });
  afterAll(() => service.stop());

  const drain = () => service.running.context.worker.drain();
  /** Runs one operation and fails if it exceeds the limits. */
  const within = async <T>(what: () => Promise<T>): Promise<T> => {
    const before = childCpuSeconds();
    const result = await what();
    expect(childCpuSeconds() - before).toBeLessThan(secondsMax);
    return result;
  };

  it.each(files)(
    'as %s is refused or limited, whatever is asked of it',
    async (_, make) => {
      const bytes = await make();
      const response = await within(() => uploadForm(credentials, createForm(bytes)));
      expect([201, 400]).toContain(response.status);
      if (response.status !== 201) return;
      // The thumbnail and the transcript.
      await within(drain);
      const { id, content_type: kind } = parseJson(response);
      expect([200, 202, 503, 404]).toContain(
        (await sendRequest(credentials, `/v1/memories/${id}/transcript`)).status,
      );
      if (kind === 'video') {
        const way = `/v1/memories/${id}/video/interpret`;
        expect((await sendRequest(credentials, way, { method: 'POST' })).status).toBe(202);
        await within(drain);
      }
      const link = clipUrl(service.running.context.app, id, 0, 60);
      const clip = await within(() => fetch(new URL(link, service.url)));
      expect([200, 404, 503]).toContain(clip.status);
      await clip.bytes();
    },
    timeoutMs,
  );
});
