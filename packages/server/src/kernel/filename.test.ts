import { describe, expect, it } from 'vitest';
import { sanitizeFilename } from './filename.ts';

describe('sanitizeFilename', () => {
  it.each([
    ['notes.m4a', 'notes.m4a'],
    ['/etc/passwd', 'passwd'],
    ['..\\..\\notes.m4a', 'notes.m4a'],
    ['a\u0000b\n\u001bc\u0085.wav', 'abc.wav'],
    [' \t ', null],
    ['folder/', null],
    ['', null],
    ['\ud800.wav', '\ufffd.wav'],
    ['😀'.repeat(300), '😀'.repeat(255)],
  ])('%j is stored as %j', (sent, kept) => {
    expect(sanitizeFilename(sent)).toBe(kept);
  });
});
