import { limits, type VideoMetadata } from '@mneme/contract';

/** What a file contains, determined from its bytes. */
export interface ProbeResult extends Pick<VideoMetadata, 'video' | 'audio' | 'format'> {
  readonly kind: 'audio' | 'video';
  readonly mimeType: string;
  /** Seconds; null if the file contains no plausible duration. */
  readonly duration: number | null;
}

/** The bytes are not readable audio or video. */
export class NotMedia extends Error {
  override readonly name = 'NotMedia';
}

/**
 * Self-contained formats, by the names of their demuxers. None of them opens another file or
 * address, as playlists do (hls, dash, concat, sdp, image2 …).
 */
export const allowedFormats = [
  ...['aac', 'ac3', 'aiff', 'amr', 'ape', 'asf', 'au', 'avi', 'caf', 'eac3', 'flac', 'flv'],
  ...['matroska', 'mov', 'mp3', 'mpeg', 'mpegts', 'mpegvideo', 'ogg', 'tta', 'w64', 'wav'],
  ...['webm', 'wv'],
];

/** Below this score ffprobe is not certain; random bytes match some demuxer. */
const scoreMin = 26;
export const streamsMax = 100;
const tagsMax = 50;
const tagCharactersMax = 500;

interface Stream {
  readonly codec_type?: string;
  readonly codec_name?: string;
  readonly width?: number;
  readonly height?: number;
  readonly avg_frame_rate?: string;
  readonly sample_rate?: string;
  readonly channels?: number;
  readonly duration?: string;
  readonly disposition?: { readonly attached_pic?: number };
}

interface FfprobeOutput {
  readonly streams?: readonly Stream[];
  readonly format?: {
    readonly format_name?: string;
    readonly format_long_name?: string;
    readonly duration?: string;
    readonly bit_rate?: string;
    readonly probe_score?: number;
    readonly nb_streams?: number;
    readonly tags?: Readonly<Record<string, string>>;
  };
}

/** Parses the JSON output of ffprobe. Throws NotMedia. */
export function parseProbeOutput(printed: string): ProbeResult {
  const { streams = [], format = {} } = JSON.parse(printed) as FfprobeOutput;
  const name = format.format_name ?? '';
  if ((format.probe_score ?? 0) < scoreMin) throw new NotMedia('its format is unknown');
  if ((format.nb_streams ?? streams.length) > streamsMax) {
    throw new NotMedia(`it has more than ${streamsMax} streams`);
  }
  const known = streams.filter(({ codec_name: codec }) => codec && codec !== 'unknown');
  const picture = known.find(isVideoStream);
  const sound = known.find(isAudioStream);
  if (!picture && !sound) throw new NotMedia('it has neither audio nor video');
  const kind = picture ? 'video' : 'audio';
  const lengths = [format.duration, picture?.duration, sound?.duration].map(seconds);
  return {
    kind,
    mimeType: mimeTypeOf(name, kind, known, format.tags ?? {}),
    duration: lengths.find((length) => length !== null) ?? null,
    video: picture ? videoOf(picture) : null,
    audio: sound
      ? {
          codec: sound.codec_name ?? '',
          sample_rate: positive(sound.sample_rate),
          channels: sound.channels ?? null,
        }
      : null,
    format: {
      name,
      long_name: format.format_long_name ?? null,
      bit_rate: positive(format.bit_rate),
      stream_count: format.nb_streams ?? streams.length,
      tags: storable(format.tags ?? {}),
    },
  };
}

/** A cover image is not a video; a stream without a size cannot be decoded. */
const isVideoStream = ({ codec_type, width = 0, height = 0, disposition }: Stream): boolean =>
  codec_type === 'video' && !disposition?.attached_pic && width > 0 && height > 0;

const isAudioStream = ({ codec_type, sample_rate, channels = 0 }: Stream): boolean =>
  codec_type === 'audio' && channels > 0 && positive(sample_rate) !== null;

/** A header can contain millions of years, and one written to a pipe does. */
function seconds(text: string | undefined): number | null {
  const value = positive(text);
  return value !== null && value <= limits.mediaSecondsMax ? value : null;
}

function positive(text: string | undefined): number | null {
  const value = Number(text ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : null;
}

const videoOf = ({ codec_name, width = 0, height = 0, avg_frame_rate = '' }: Stream) => ({
  codec: codec_name ?? '',
  resolution: `${width}x${height}`,
  width,
  height,
  fps: rateOf(avg_frame_rate),
});

/** `30000/1001`; 0/0 if unknown. */
function rateOf(fraction: string): number | null {
  const [over = 0, under = 0] = fraction.split('/').map(Number);
  const rate = over / under;
  return Number.isFinite(rate) && rate > 0 ? Math.round(rate * 1_000) / 1_000 : null;
}

/** Tags are untrusted: limited in number and length, with storable characters only. */
const storable = (tags: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tags)
      .slice(0, tagsMax)
      .map((pair) => pair.map(plain) as [string, string]),
  );

const plain = (text: string): string =>
  Array.from(text.replaceAll('\u0000', '').toWellFormed()).slice(0, tagCharactersMax).join('');

const plainTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  w64: 'audio/wav',
  flac: 'audio/flac',
  aac: 'audio/aac',
  aiff: 'audio/aiff',
  amr: 'audio/amr',
  avi: 'video/x-msvideo',
  flv: 'video/x-flv',
  mpeg: 'video/mpeg',
  mpegvideo: 'video/mpeg',
  mpegts: 'video/mp2t',
};

const webmCodecs = ['vp8', 'vp9', 'av1', 'opus', 'vorbis'];

/** MIME type of the whole file, as browsers expect it. */
function mimeTypeOf(
  format: string,
  kind: 'audio' | 'video',
  streams: readonly Stream[],
  tags: Readonly<Record<string, string>>,
): string {
  const names = format.split(',');
  if (names.includes('ogg')) return `${kind}/ogg`;
  if (names.includes('mov')) {
    return kind === 'video' && tags.major_brand?.trim() === 'qt'
      ? 'video/quicktime'
      : `${kind}/mp4`;
  }
  if (names.includes('webm')) {
    // Both have the same demuxer; the codecs allowed in WebM distinguish them.
    const isWebm = streams.every(({ codec_name: codec = '' }) => webmCodecs.includes(codec));
    return isWebm ? `${kind}/webm` : `${kind}/x-matroska`;
  }
  if (names.includes('asf')) return `${kind}/x-ms-${kind === 'video' ? 'wmv' : 'wma'}`;
  return plainTypes[names[0] ?? ''] ?? `${kind}/x-${names[0]}`;
}
