import { spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonForClient } from './requirements.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = fileURLToPath(new URL('../../clients/python', import.meta.url));

interface ProgramResult {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** The client, installed from its wheel into an environment of its own. */
export interface InstalledPythonClient extends AsyncDisposable {
  /** A folder with a copy of the tests, but not of the package. */
  readonly folder: string;
  /** Runs the environment's Python in `folder`, or elsewhere. */
  run(
    args: readonly string[],
    options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
  ): Promise<ProgramResult>;
}

/**
 * Runs the shell commands that install the client, in a folder that has a copy of it.
 * @param commands leave an environment in `.venv`
 */
export async function installPythonClient(commands: string): Promise<InstalledPythonClient> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-python-'));
  const remove = () => fs.rm(folder, { recursive: true, force: true });
  await fs.cp(source, path.join(folder, 'clients/python'), { recursive: true });
  await fs.mkdir(path.join(folder, 'bin'));
  const python = pythonForClient() ?? 'python3';
  // Its path, because the name would find this script again.
  const asked = ['-c', 'import sys; print(sys.executable)'];
  const { output } = await runProgram(python, asked, { cwd: folder, env: {} });
  await fs.writeFile(path.join(folder, 'bin/python3'), `#!/bin/sh\nexec ${output.trim()} "$@"\n`, {
    mode: 0o755,
  });
  const PATH = `${path.join(folder, 'bin')}:${process.env.PATH ?? ''}`;
  const installed = await runProgram('sh', ['-ec', commands], { cwd: folder, env: { PATH } });
  if (installed.code !== 0) {
    await remove();
    throw new Error(installed.output);
  }
  // Only the wheel is left, so that tests cannot import the source.
  await fs.rename(path.join(folder, 'clients/python/tests'), path.join(folder, 'tests'));
  await fs.rename(
    path.join(folder, 'clients/python/pyproject.toml'),
    path.join(folder, 'pyproject.toml'),
  );
  await fs.rm(path.join(folder, 'clients'), { recursive: true });
  const program = path.join(folder, '.venv/bin/python');
  return {
    folder,
    run: (args, { cwd = folder, env = {} } = {}) => runProgram(program, args, { cwd, env }),
    [Symbol.asyncDispose]: remove,
  };
}

/** Runs a program with nothing in its environment but PATH, HOME and what is given. */
async function runProgram(
  command: string,
  args: readonly string[],
  { cwd = root, env }: { readonly cwd?: string; readonly env: Readonly<Record<string, string>> },
): Promise<ProgramResult> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd, env: { PATH, HOME, NO_COLOR: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, output };
}
