import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../../packages/cli/src/run-command-line.ts';

const bin = fileURLToPath(new URL('../../../packages/cli/bin/mneme.mjs', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command as `runCli` does, without a process, whose start takes longer than a request. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<CliResult> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = runCommandLine(args, {
    stdin: Readable.from([Buffer.from(input)]) as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    stderr: stderr as unknown as NodeJS.WriteStream,
    environment: { ...env, NO_COLOR: '1' },
  }).finally(() => {
    stdout.end();
    stderr.end();
  });
  const [shown, told] = await Promise.all([text(stdout), text(stderr)]);
  return { code: await code, stdout: shown, stderr: told };
}

/** Runs `mneme` with nothing in its environment but what is given. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<CliResult> {
  const child = spawn(process.execPath, [bin, ...args], { env: { ...env, NO_COLOR: '1' } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that reads nothing may be gone before the end of its input is told.
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, stdout, stderr };
}
