export { splitIntoWindows } from './audio-windows.ts';
export { createTranscribers, findMissingTranscriptionDependencies } from './create.ts';
export { samplesToSeconds } from './pcm.ts';
export { isSilent } from './silence.ts';
export * from './transcription.ts';
