export { configuredTranscribers, lackingForTranscription } from './configured.ts';
export { secondsOf } from './pcm.ts';
export { isSilent } from './silence.ts';
export * from './transcription.ts';
export { windowsOf } from './windows.ts';
