import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Fault } from './faults.ts';

const entry = fileURLToPath(new URL('../../server/bin/start.mjs', import.meta.url));

/**
 * Runs a command of the server's own program, with this process's settings, and returns the one
 * JSON value that it prints. Throws Fault with the program's own words where it fails.
 */
export async function runServerProgram(parameters: readonly string[]): Promise<unknown> {
  if (!existsSync(entry)) {
    throw new Fault('no_server', `The server is not installed here: ${entry} is missing.`);
  }
  const child = spawn(process.execPath, [entry, ...parameters, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let faults = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    faults += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return JSON.parse(output);
  const told = faults.trim().replace(/^mneme: /gm, '');
  throw new Fault('server_program_failed', told || `${entry} ended with ${code}.`);
}
