/** Samples per second, mono: the format that speech models are trained on. */
export const sampleRate = 16_000;
export const sampleBytes = 2;
/** Loudness is measured in frames of 20 ms. */
export const frameSamples = 320;

export const samplesToSeconds = (samples: number): number => samples / sampleRate;

/** Root mean square of each 20 ms frame; the last one may be shorter. */
export function computeLoudness(samples: Int16Array): Float32Array {
  const frames = new Float32Array(Math.ceil(samples.length / frameSamples));
  for (let frame = 0; frame < frames.length; frame += 1) {
    const from = frame * frameSamples;
    const until = Math.min(samples.length, from + frameSamples);
    let sum = 0;
    for (let at = from; at < until; at += 1) sum += (samples[at] as number) ** 2;
    frames[frame] = Math.sqrt(sum / (until - from));
  }
  return frames;
}

/** Encodes the samples as a RIFF WAVE file, 16 bits. */
export function toWav(samples: Int16Array<ArrayBuffer>): Blob {
  const bytes = samples.length * sampleBytes;
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * sampleBytes, 28);
  header.writeUInt16LE(sampleBytes, 32);
  header.writeUInt16LE(sampleBytes * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  return new Blob([header, samples], { type: 'audio/wav' });
}
