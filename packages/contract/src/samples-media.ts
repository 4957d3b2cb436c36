import { sampleMemory } from './samples.ts';

const at = '2026-01-05T09:30:00.000Z';

/** Records that the media examples share. */
export const sampleRecording = {
  ...sampleMemory,
  id: '019b8d1c-3a70-7a21-8b31-1c2d3e4f5a6b',
  content: 'Monday stand-up',
  content_type: 'audio' as const,
  tags: ['meeting'],
  metadata: {},
};

export const sampleUpload = {
  id: '019b8d1c-3a71-7b32-8c42-2d3e4f5a6b7c',
  length: 5_242_880,
  offset: 1_048_576,
  filename: 'stand-up.m4a',
  user_id: null,
  agent_id: null,
  run_id: null,
  memory_id: null,
  created_at: at,
  expires_at: '2026-01-06T09:30:00.000Z',
};

export const sampleMediaPending = {
  memory_id: sampleRecording.id,
  job_id: '019b8d1c-3a72-7c43-8d53-3e4f5a6b7c8d',
  status: 'queued' as const,
};

export const sampleTranscript = {
  memory_id: sampleRecording.id,
  full_transcript: 'Ana ships the importer on Friday.',
  language: 'en',
  language_confidence: 0.98,
  duration: 4.2,
  provider: 'openai',
  segments: [
    {
      id: '019b8d1c-3a73-7d54-8e64-4f5a6b7c8d9e',
      start: 0.4,
      end: 3.9,
      text: 'Ana ships the importer on Friday.',
      speaker: null,
      confidence: 0.94,
    },
  ],
  entities: [{ name: 'Ana', type: 'person', confidence: 0.8 }],
  chapters: [{ title: 'Ana', start: 0.4, end: 3.9, summary: 'Ana ships the importer on Friday.' }],
  summary: 'Ana ships the importer on Friday.',
  ignored_options: ['enableSpeakerDiarization'],
  created_at: at,
};

export const sampleMediaLink = {
  url: `/v1/media/clips/${sampleRecording.id}?expires=1767606300&signature=x`,
  expires_at: '2026-01-05T09:45:00.000Z',
};

export const sampleVideoMetadata = {
  filename: 'demo.mp4',
  mime_type: 'video/mp4',
  file_size: 1_204_224,
  duration: 12.5,
  video: { codec: 'h264', resolution: '1280x720', width: 1_280, height: 720, fps: 25 },
  audio: { codec: 'aac', sample_rate: 48_000, channels: 2 },
  format: {
    name: 'mov,mp4,m4a,3gp,3g2,mj2',
    long_name: 'QuickTime / MOV',
    bit_rate: 770_703,
    stream_count: 2,
    tags: { encoder: 'Lavf59.27.100' },
  },
};

export const sampleAudioMetadata = {
  ...sampleVideoMetadata,
  filename: 'stand-up.m4a',
  mime_type: 'audio/mp4',
  video: null,
  format: { ...sampleVideoMetadata.format, stream_count: 1 },
};

export const sampleInterpretation = {
  memory_id: sampleRecording.id,
  model: 'vision-small',
  frames: [{ time: 2, description: 'A slide: revenue by quarter.', labels: ['slide', 'chart'] }],
  summary: 'A slide: revenue by quarter.',
  created_at: at,
};
