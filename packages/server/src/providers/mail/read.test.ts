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
])('an attachment %s is handled before the mail is read, however long it takes', async (_, raw) => {
  const handled: string[] = [];
  await readMail(raw, async ({ filename, content }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    for (let i = 0; i < 100; i += 1) await new Promise(setImmediate);
    handled.push(`${filename}: ${Buffer.concat(chunks)}`);
  });
  expect(handled.map((one) => one.trim())).toEqual(['all.bin: all of it']);
});
