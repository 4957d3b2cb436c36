import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { createLog } from '../../kernel/log.ts';
import { CommandTranscriber } from './command.ts';
import { createCommandRunner } from './command-runner.ts';
import { parseCommandTemplate } from './command-template.ts';
import { generateTones, type Sound } from './testing.ts';

let tempFolder: string;
beforeEach(async () => {
  tempFolder = await mkdtemp(path.join(tmpdir(), 'mneme-command-'));
});
afterEach(() => rm(tempFolder, { recursive: true, force: true }));

const limits = { cpuSeconds: 60, memoryBytes: 2 ** 30 };
const runner = createCommandRunner(process.env.PATH ?? '', limits, {
  log: createLog('silent'),
  clock: systemClock,
});
const never = new AbortController().signal;
const spoken: Sound[] = [
  ['silence', 1],
  ['tone', 1],
  ['silence', 1],
  ['tone', 2],
  ['silence', 1],
];

/** A Node program that receives the file and the other values of its template. */
async function transcriber(source: string, rest = '', timeoutMs = 20_000) {
  const program = path.join(tempFolder, '..', `${path.basename(tempFolder)}.mjs`);
  await writeFile(program, source);
  const template = parseCommandTemplate(`${process.execPath} ${program} {file} ${rest}`);
  if (typeof template === 'string') throw new Error(template);
  const settings = { provider: 'command', template, timeoutMs, tempFolder } as const;
  return new CommandTranscriber(settings, runner);
}

test('a program that prints JSON runs once, and its times are used', async () => {
  const program = await transcriber(
    `
    import { statSync } from 'node:fs';
    const seconds = (statSync(process.argv[2]).size - 44) / 32000;
    const text = process.argv.slice(3).join('|');
    console.log(JSON.stringify({ segments: [{ start: 1, end: seconds, text }] }));`,
    '{language} {prompt}',
  );
  const asked = { language: 'en', prompt: '--help me' };
  const { segments } = await program.transcribe(generateTones(...spoken), asked, never);
  expect(segments).toMatchObject([{ start: 1, end: 6, text: 'en|help me' }]);
  expect([...program.supportedHints]).toEqual(['language', 'prompt']);
});

test('a program that prints only text runs once per utterance', async () => {
  const program = await transcriber(`
    import { statSync } from 'node:fs';
    console.log('so many seconds: ' + Math.round((statSync(process.argv[2]).size - 44) / 32000));`);
  const { segments } = await program.transcribe(generateTones(...spoken), {}, never);
  expect(segments.map(({ text }) => text)).toEqual(['so many seconds: 1', 'so many seconds: 2']);
  expect(Math.abs((segments[0]?.start ?? 0) - 1)).toBeLessThan(0.25);
  expect(Math.abs((segments[0]?.end ?? 0) - 2)).toBeLessThan(0.25);
  expect(Math.abs((segments[1]?.start ?? 0) - 3)).toBeLessThan(0.25);
  expect(Math.abs((segments[1]?.end ?? 0) - 5)).toBeLessThan(0.25);
});

test('the output file of a program is read, with the extension that it adds', async () => {
  const program = await transcriber(
    `import { writeFileSync } from 'node:fs';
    const said = { transcription: [{ offsets: { from: 0, to: 900 }, text: 'from a file' }] };
    writeFileSync(process.argv[3] + '.json', JSON.stringify(said));
    console.log('chatter');`,
    '{output}',
  );
  const { segments } = await program.transcribe(generateTones(['tone', 1]), {}, never);
  expect(segments).toMatchObject([{ start: 0, end: 0.9, text: 'from a file' }]);
});

test('a symbolic link instead of the file is not read', async () => {
  const program = await transcriber(
    `import { symlinkSync, writeFileSync } from 'node:fs';
    writeFileSync(process.argv[3] + '-elsewhere', '{"text":"of another file"}');
    symlinkSync(process.argv[3] + '-elsewhere', process.argv[3]);`,
    '{output}',
  );
  const call = program.transcribe(generateTones(['tone', 1]), {}, never);
  await expect(call).rejects.toThrow('the program wrote no readable output');
});

test('binary output is not a transcript, printed or in a file', async () => {
  const source = (answer: string) => `
    import { writeFileSync } from 'node:fs';
    const answer = Buffer.from(${JSON.stringify(answer)}, 'latin1');
    if (process.argv[3]) writeFileSync(process.argv[3], answer);
    else process.stdout.write(answer);`;
  for (const answer of ['caf\xe9', 'ta\x07da', '{"text":"tea"}\0']) {
    for (const rest of ['', '{output}']) {
      const program = await transcriber(source(answer), rest);
      const call = program.transcribe(generateTones(['tone', 1]), {}, never);
      await expect(call).rejects.toThrow(/is not plain text in UTF-8$/);
    }
  }
});

test('nothing remains in the temporary folder after any outcome', async () => {
  const well = await transcriber(`console.log('[]')`);
  await well.transcribe(generateTones(['tone', 1]), {}, never);
  const badly = await transcriber(`process.exit(3)`);
  await expect(badly.transcribe(generateTones(['tone', 1]), {}, never)).rejects.toThrow(
    'ended with 3',
  );
  expect(await readdir(tempFolder)).toEqual([]);
});

test('a program that hangs, floods or is missing fails without its words', async () => {
  const hangs = await transcriber(`console.log('secret'); setInterval(() => {}, 1000);`, '', 2_000);
  const stopped = hangs.transcribe(generateTones(['tone', 1]), {}, never);
  await expect(stopped).rejects.toThrow(/took too long$/);
  const floods = await transcriber(`
    const line = 'x'.repeat(2 ** 20);
    for (let i = 0; i < 64; i += 1) process.stdout.write(line);`);
  await expect(floods.transcribe(generateTones(['tone', 1]), {}, never)).rejects.toThrow();
  const template = parseCommandTemplate('/no/such/program {file}');
  if (typeof template === 'string') throw new Error(template);
  const settings = { provider: 'command', template, timeoutMs: 1_000, tempFolder } as const;
  const missing = new CommandTranscriber(settings, runner);
  const call = missing.transcribe(generateTones(['tone', 1]), {}, never);
  await expect(call).rejects.toMatchObject({ unavailable: true, message: /is not there/ });
});

test('a program is killed when the caller aborts', async () => {
  const program = await transcriber(`setInterval(() => {}, 1000);`);
  const stop = new AbortController();
  const call = program.transcribe(generateTones(['tone', 1]), {}, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(call).rejects.toThrow('stopped');
});
