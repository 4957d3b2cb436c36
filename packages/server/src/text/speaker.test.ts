import { expect, it } from 'vitest';
import { leadingSpeaker } from './speaker.ts';

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
