import { expect, it } from 'vitest';
import { leadingSpeaker, nameFromSpeakerLabel } from './speaker.ts';

it.each([
  ['Caroline: I went to the lake.', 'Caroline'],
  ['Mary Ann O’Neil: hello', 'Mary Ann O’Neil'],
  ['Дмитрий: привет', 'Дмитрий'],
  ['Note: buy milk', null],
  ['TODO: call Ana', null],
  ['https://example.org', null],
  ['10:30 is too early', null],
  ['She said: no', null],
  ['Ana:no blank', null],
  ['', null],
])('%s is said by %s', (text, speaker) => {
  expect(leadingSpeaker(text)).toBe(speaker);
});

it.each([
  ['Ana Ruiz', 'Ana Ruiz'],
  ['Speaker Ito', 'Speaker Ito'],
  ['A', null],
  ['B (2)', null],
  ['SPEAKER_01', null],
  ['speaker 3', null],
  ['2', null],
])('%j is a name, or only tells voices apart', (label, name) => {
  expect(nameFromSpeakerLabel(label)).toBe(name);
});
