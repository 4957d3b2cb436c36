import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toLanguageCode } from './language-code.ts';
import { parseTranscript } from './parse-transcript.ts';

test('verbose_json is parsed, with its confidence', () => {
  const told = parseTranscript(
    JSON.stringify({
      text: 'Good morning. Tea?',
      language: 'english',
      language_probability: 0.98,
      segments: [
        { id: 0, start: 0.5, end: 1.75, text: ' Good morning.', avg_logprob: Math.log(0.5) },
        { id: 1, start: 2, end: 3, text: 'Tea?', speaker: 1 },
      ],
    }),
    10,
  );
  expect(told).toMatchObject({
    text: 'Good morning. Tea?',
    language: 'en',
    languageConfidence: 0.98,
  });
  expect(told?.segments).toEqual([
    { start: 0.5, end: 1.75, text: 'Good morning.', speaker: null, confidence: 0.5 },
    { start: 2, end: 3, text: 'Tea?', speaker: '1', confidence: null },
  ]);
});

test("a list of segments and whisper.cpp's format are parsed", () => {
  const list = parseTranscript(JSON.stringify([{ start: 1, end: 2, text: 'one' }]), 10);
  expect(list).toMatchObject({ text: 'one', segments: [{ start: 1, end: 2, text: 'one' }] });
  const cpp = {
    result: { language: 'de' },
    transcription: [
      { offsets: { from: 500, to: 1_500 }, text: ' Guten Tag', tokens: [{ p: 0.5 }, { p: 1 }] },
    ],
  };
  expect(parseTranscript(JSON.stringify(cpp), 10)).toMatchObject({
    language: 'de',
    segments: [{ start: 0.5, end: 1.5, text: 'Guten Tag', confidence: 0.75 }],
  });
});

test('lines with times and subtitles are parsed', () => {
  const lines = '[00:00:01.000 --> 00:00:02.500]   one\n[00:00:02.500 --> 00:00:04.000]  two\n';
  expect(parseTranscript(lines, 10)?.segments).toMatchObject([
    { start: 1, end: 2.5, text: 'one' },
    { start: 2.5, end: 4, text: 'two' },
  ]);
  const subtitles = '1\n00:00:01,000 --> 00:00:02,500\none\nand more\n\n2\n01:00 --> no\n';
  expect(parseTranscript(subtitles, 10)?.segments).toMatchObject([
    { start: 1, end: 2.5, text: 'one and more' },
  ]);
});

test('plain text has no times', () => {
  expect(parseTranscript(' hello\nworld ', 10)).toMatchObject({
    text: 'hello world',
    segments: null,
  });
  expect(parseTranscript('42', 10)).toMatchObject({ text: '42', segments: null });
  expect(parseTranscript('{"text":"hi"}', 10)).toMatchObject({ text: 'hi', segments: null });
});

test('times are clamped to the recording, in order', () => {
  const said = [
    { start: 8, end: 99, text: 'late' },
    { start: -3, end: 1, text: 'early' },
    { start: 5, end: 2, text: 'turned' },
    { start: 10, end: 11, text: 'never' },
    { start: 3, end: 4, text: '   ' },
  ];
  expect(parseTranscript(JSON.stringify(said), 10)?.segments).toMatchObject([
    { start: 0, end: 1, text: 'early' },
    { start: 5, end: 5, text: 'turned' },
    { start: 8, end: 10, text: 'late' },
  ]);
});

test('what a model hears in silence is omitted', () => {
  const said = [
    { start: 0, end: 2, text: 'Thank you for watching', no_speech_prob: 0.9, avg_logprob: -1.5 },
    { start: 2, end: 4, text: 'Hello', no_speech_prob: 0.9, avg_logprob: -0.2 },
  ];
  expect(parseTranscript(JSON.stringify(said), 10)?.segments).toMatchObject([{ text: 'Hello' }]);
});

test('a response in another format is rejected', () => {
  for (const wrong of ['{"segments": 3}', '{"error": {"code": "x"}}', '[{"start": "1"}]']) {
    expect(parseTranscript(wrong, 10)).toBeNull();
  }
});

test('parsed text is storable for any response', () => {
  const segment = fc.record({
    start: fc.double(),
    end: fc.double(),
    text: fc.string({ unit: 'binary', maxLength: 20 }),
  });
  fc.assert(
    fc.property(
      fc.array(segment, { maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      (segments, text) => {
        const told = parseTranscript(JSON.stringify({ text, segments }), 5);
        for (const { start, end, text: own } of told?.segments ?? []) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(5);
          expect(own.isWellFormed() && !own.includes('\0') && own !== '').toBe(true);
        }
      },
    ),
  );
});

test('languages are returned as codes for any notation', () => {
  expect(toLanguageCode('english')).toBe('en');
  expect(toLanguageCode('German')).toBe('de');
  expect(toLanguageCode('pt-BR')).toBe('pt-br');
  expect(toLanguageCode('no such language')).toBeNull();
  expect(toLanguageCode(null)).toBeNull();
});

test('a long segment is split, each part with its share of the time', () => {
  const text = 'lorem ipsum '.repeat(700).trim();
  const told = parseTranscript(JSON.stringify({ segments: [{ start: 0, end: 84, text }] }), 100);
  expect(told?.segments?.map((one) => one.text).join(' ')).toBe(text);
  expect(told?.segments?.map(({ start, end }) => [Math.round(start), Math.round(end)])).toEqual([
    [0, 40],
    [40, 80],
    [80, 84],
  ]);
});

test('text without segments has unknown times', () => {
  const told = parseTranscript(JSON.stringify({ text: 'Good morning.', segments: [] }), 3);
  expect(told).toMatchObject({ text: 'Good morning.', segments: null });
});
