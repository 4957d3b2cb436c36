import { execFile, execFileSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createLogOutput } from './log-output.ts';

test.runIf(existsSync('/dev/full'))(
  'a log on a full disk stops nothing',
  async () => {
    const log = new URL('./log.ts', import.meta.url).href;
    const source = `
    const { createLog } = await import(${JSON.stringify(log)});
    const log = createLog('info');
    for (let i = 0; i < 3; i += 1) log.error('a line');
    setImmediate(() => console.error('still here'));`;
    const node = `'${process.execPath}' --input-type=module -e "$1" >/dev/full`;
    const said = await new Promise<string>((resolve) => {
      const limits = { timeout: 20_000, killSignal: 'SIGKILL' } as const;
      execFile('/bin/sh', ['-c', `exec ${node}`, 'sh', source], limits, (error, _, stderr) =>
        resolve(`${error?.signal ?? error?.code ?? 'ended well'}: ${stderr.trim()}`),
      );
    });
    expect(said).toBe('ended well: still here');
  },
  30_000,
);

test('with a stuck reader, one line is lost, and the log waits only once', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mneme-log-'));
  execFileSync('/usr/bin/mkfifo', [path.join(folder, 'pipe')]);
  const pipe = openSync(path.join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
  const read = (): string => {
    const bytes = Buffer.alloc(2 ** 20);
    return bytes.toString('latin1', 0, readSync(pipe, bytes));
  };
  try {
    const output = createLogOutput(pipe);
    output.write(`${'x'.repeat(2 ** 20)}\n`);
    const begun = performance.now();
    for (let i = 0; i < 50; i += 1) output.write(`${'y'.repeat(2 ** 20)}\n`);
    // Each wait would last a second.
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect(read()).toMatch(/^x+$/);
    output.write('next\n');
    output.write('last\n');
    expect(read()).toBe('\nnext\nlast\n');
  } finally {
    closeSync(pipe);
    rmSync(folder, { recursive: true });
  }
});
