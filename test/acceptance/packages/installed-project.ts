import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProgramResult {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program with nothing in its environment but PATH, HOME and `env`. Rejects with its output
 * if it fails.
 */
export async function runProgram(
  program: string,
  parameters: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Readonly<Record<string, string>> },
): Promise<ProgramResult> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    return await run(program, [...parameters], { cwd, env: { PATH, HOME, ...env } });
  } catch (error) {
    const { stdout, stderr, message } = error as ProgramResult & Error;
    throw new Error(`${message}\n${stdout}\n${stderr}`);
  }
}

/** The Node program of a major version, installed once into the cache of the repository. */
export async function installNode(major: number, cache: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = path.join(cache, `node-${major}`);
  const program = path.join(prefix, 'node_modules', name, 'bin/node');
  const exists = await fs.access(program).then(
    () => true,
    () => false,
  );
  if (exists) return program;
  await fs.mkdir(prefix, { recursive: true });
  const options = ['install', '--no-save', '--ignore-scripts', '--prefix', prefix];
  // With the whole environment: it may name a proxy.
  await run('npm', [...options, `${name}@^${major}`], { cwd: prefix });
  return program;
}

/** An empty project in which the tarballs are installed, and nothing else. */
export async function createProject(folder: string, tarballs: readonly string[]): Promise<string> {
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'project', private: true, type: 'module' }),
  );
  const options = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runProgram('npm', [...options, ...tarballs], { cwd: folder });
  return folder;
}
