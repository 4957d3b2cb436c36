import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSceneChanges, selectKeyFrameTimes } from './frames.ts';

test('changes are read from what ffmpeg prints', () => {
  const printed = [
    'frame:0    pts:4       pts_time:2',
    'lavfi.scene_score=0.512',
    'frame:1    pts:9       pts_time:4.5',
    'lavfi.scene_score=0.910',
    'something else',
  ].join('\n');
  expect(parseSceneChanges(printed)).toEqual([
    { time: 2, score: 0.512 },
    { time: 4.5, score: 0.91 },
  ]);
});

test('the first picture and each scene are looked at, of many the greatest changes', () => {
  const changes = [2, 4, 6, 8].map((time, i) => ({ time, score: 0.4 + i / 10 }));
  expect(selectKeyFrameTimes(changes, 10, 24)).toEqual([0, 2, 4, 6, 8]);
  expect(selectKeyFrameTimes(changes, 10, 3)).toEqual([0, 6, 8]);
});

test('another slide is a scene where all else stands still, and what moves is not', () => {
  expect(selectKeyFrameTimes([{ time: 3, score: 0.05 }], 10, 24)).toEqual([0, 3]);
  expect(selectKeyFrameTimes([{ time: 3, score: 0.005 }], 10, 24)).toEqual([0]);
  const moving = Array.from({ length: 20 }, (_, i) => ({ time: i / 2, score: 0.02 }));
  expect(selectKeyFrameTimes([...moving, { time: 4.2, score: 0.1 }], 10, 24)).toEqual([0]);
  expect(selectKeyFrameTimes([...moving, { time: 4.2, score: 0.25 }], 10, 24)).toEqual([0, 4.2]);
});

test('a picture that stays is looked at once a minute', () => {
  expect(selectKeyFrameTimes([], 200, 24)).toEqual([0, 60, 120, 180]);
});

test('whatever changes, the times rise from the beginning, and are no more than asked for', () => {
  const change = fc.record({
    time: fc.double({ min: 0, max: 5_000, noNaN: true }),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const changes = fc.array(change, { maxLength: 30 });
  fc.assert(
    fc.property(changes, fc.integer({ min: 1, max: 40 }), (all, most) => {
      const times = selectKeyFrameTimes(all, 5_000, most);
      expect(times[0]).toBe(0);
      expect(times.length).toBeLessThanOrEqual(most);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(new Set(times).size).toBe(times.length);
    }),
  );
});
