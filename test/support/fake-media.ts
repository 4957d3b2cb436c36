import { readFile, writeFile } from 'node:fs/promises';
import type { ServiceOverrides } from '../../packages/server/src/context.ts';
import { NotMedia, type ProbeResult } from '../../packages/server/src/providers/ffmpeg/index.ts';

type Kind = ProbeResult['kind'];

/** Bytes that the fake FFmpeg recognizes as a recording; `name` makes them unique. */
export const fakeRecording = (kind: Kind, name = 'one'): Buffer =>
  Buffer.concat([Buffer.of(0), Buffer.from(`${kind} ${name}`)]);

const audio = { codec: 'aac', sample_rate: 48_000, channels: 2 };
const video = { codec: 'h264', resolution: '1280x720', width: 1_280, height: 720, fps: 25 };

const fakeProbe = (kind: Kind): ProbeResult => ({
  kind,
  mimeType: `${kind}/mp4`,
  duration: 4,
  video: kind === 'video' ? video : null,
  audio,
  format: {
    name: 'mov,mp4,m4a,3gp,3g2,mj2',
    long_name: 'QuickTime / MOV',
    bit_rate: 770_703,
    stream_count: kind === 'video' ? 2 : 1,
    tags: { encoder: 'Lavf59.27.100' },
  },
});

/** Four seconds of loud samples. */
const loudSamples = Buffer.from(
  Int16Array.from({ length: 64_000 }, (_, i) => (i % 2 ? 9_000 : -9_000)).buffer,
);

/**
 * Fakes of FFmpeg, the transcription and the vision provider: fast, deterministic and without
 * external programs.
 */
export function createFakeMedia(): Required<
  Pick<ServiceOverrides, 'ffmpeg' | 'transcribers' | 'vision'>
> {
  return {
    ffmpeg: {
      async probe(file) {
        const text = (await readFile(file)).toString('latin1');
        const kind = /^\0(audio|video) /.exec(text)?.[1] as Kind | undefined;
        if (kind === undefined) throw new NotMedia('its format is unknown');
        return fakeProbe(kind);
      },
      async convert(_file, { outputFile }) {
        if (outputFile === undefined) return Buffer.from('made');
        await writeFile(outputFile, outputFile.endsWith('.pcm') ? loudSamples : 'a clip');
        return Buffer.alloc(0);
      },
      versions: async () => ({ ffmpeg: 'staged', ffprobe: 'staged' }),
    },
    transcribers: [
      {
        provider: 'openai',
        model: 'staged',
        supportedHints: new Set(['language', 'prompt']),
        secondsMax: 600,
        transcribe: async () => ({
          language: 'en',
          languageConfidence: 0.98,
          segments: [
            {
              start: 0.4,
              end: 3.9,
              text: 'Ana ships the importer on Friday.',
              speaker: null,
              confidence: 0.94,
            },
          ],
        }),
      },
    ],
    vision: {
      model: 'vision-small',
      describe: async () => ({
        description: 'A slide: revenue by quarter.',
        labels: ['slide', 'chart'],
      }),
    },
  };
}
