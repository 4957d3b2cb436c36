import { expect, it } from 'vitest';
import { readMail } from './index.ts';

async function* lines(...all: string[]): AsyncGenerator<Uint8Array> {
  for (const line of all) yield Buffer.from(`${line}\r\n`);
}

const attachment = [
  'Content-Type: application/octet-stream',
  'Content-Disposition: attachment; filename="all.bin"',
  '',
  'all of it',
];

it.each([
  ['that is the whole mail', lines('Subject: x', ...attachment)],
  [
    'that is a part of it',
    lines('Content-Type: multipart/mixed; boundary="b"', '', '--b', ...attachment, '--b--'),
  ],
])('an attachment %s is kept before the mail is read, however long it takes', async (_, raw) => {
  const kept: string[] = [];
  await readMail(raw, async ({ filename, content }) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of content) pieces.push(piece);
    for (let i = 0; i < 100; i += 1) await new Promise(setImmediate);
    kept.push(`${filename}: ${Buffer.concat(pieces)}`);
  });
  expect(kept.map((one) => one.trim())).toEqual(['all.bin: all of it']);
});
