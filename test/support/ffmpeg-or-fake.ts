import { writeFile } from 'node:fs/promises';
import type { ServiceOverrides } from '../../packages/server/src/context.ts';
import type { Ffmpeg } from '../../packages/server/src/providers/ffmpeg/index.ts';
import { isAvailable } from './requirements.ts';

/** Reports one second of audio for every file, and converts to empty files. */
const fakeFfmpeg: Ffmpeg = {
  probe: async () => ({
    kind: 'audio',
    mimeType: 'audio/wav',
    duration: 1,
    video: null,
    audio: { codec: 'pcm_s16le', sample_rate: 16_000, channels: 1 },
    format: { name: 'wav', long_name: null, bit_rate: null, stream_count: 1, tags: {} },
  }),
  async convert(_file, { outputFile }) {
    if (outputFile !== undefined) await writeFile(outputFile, '');
    return Buffer.alloc(0);
  },
  versions: async () => ({ ffmpeg: 'none', ffprobe: 'none' }),
};

/** For tests that need a recording but not its content. */
export const ffmpegOrFake: ServiceOverrides = isAvailable('ffmpeg') ? {} : { ffmpeg: fakeFfmpeg };
