import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
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

const cache = fileURLToPath(new URL('../../../node_modules/.cache/mneme-test/', import.meta.url));

/** Installs packages from the registry, once for all runs, and returns their folder. */
export async function installFromRegistry(
  name: string,
  packages: readonly string[],
): Promise<string> {
  const folder = path.join(cache, name);
  const marker = path.join(folder, packages.join(' ').replaceAll('/', '+'));
  const isInstalled = await fs.access(marker).then(
    () => true,
    () => false,
  );
  if (isInstalled) return folder;
  await fs.mkdir(folder, { recursive: true });
  const options = ['install', '--no-save', '--ignore-scripts', '--prefix', folder];
  // With the whole environment: it may name a proxy.
  await run('npm', [...options, ...packages], { cwd: folder });
  await fs.writeFile(marker, '');
  return folder;
}

/** The Node program of a major version. */
export async function installNode(major: number): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = await installFromRegistry(`node-${major}`, [`${name}@^${major}`]);
  return path.join(folder, 'node_modules', name, 'bin/node');
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
