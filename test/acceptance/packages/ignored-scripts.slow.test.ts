import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error plain JavaScript without types
import { findProgram } from '../../../packages/server/bin/find-program.mjs';
import { eventually } from '../../support/eventually.ts';
import {
  createDataLocation,
  type DataLocation,
  startServerProcess,
} from '../../support/server-process.ts';

/** With the lowest priority, on a busy machine. */
const preparedMs = 240_000;

const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** What `npm ci --ignore-scripts` leaves: the dependencies, and nothing that scripts prepare. */
async function copyInstallation(folder: string): Promise<void> {
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.base.json']) {
    await fs.copyFile(path.join(repository, name), path.join(folder, name));
  }
  const isCopied = (file: string): boolean => path.basename(file) !== 'node_modules';
  const packages = path.join(repository, 'packages');
  await fs.cp(packages, path.join(folder, 'packages'), { recursive: true, filter: isCopied });
  const installed = path.join(folder, 'node_modules');
  await fs.mkdir(path.join(installed, '@mneme'), { recursive: true });
  for (const name of await fs.readdir(path.join(repository, 'node_modules'))) {
    if (name.startsWith('.') || name === '@mneme') continue;
    await fs.symlink(path.join(repository, 'node_modules', name), path.join(installed, name));
  }
  for (const name of await fs.readdir(packages)) {
    await fs.symlink(`../../packages/${name}`, path.join(installed, '@mneme', name));
    const own = path.join(packages, name, 'node_modules');
    const hasOwn = await fs.access(own).then(
      () => true,
      () => false,
    );
    if (hasOwn) await fs.symlink(own, path.join(folder, 'packages', name, 'node_modules'));
  }
}

describe('an installation whose scripts did not run', () => {
  let folder: string;
  let place: DataLocation;
  beforeEach(async () => {
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mneme-installation-'));
    await copyInstallation(folder);
    place = await createDataLocation('embedded', { migrated: false });
  });
  afterEach(async () => {
    await place.remove();
    await fs.rm(folder, { recursive: true, force: true });
  });

  const start = () =>
    startServerProcess(place, {
      command: [
        process.execPath,
        '--liftoff-only',
        path.join(folder, 'packages/server/bin/start.mjs'),
      ],
    });
  const findOwnProgram = (): string => findProgram(pathToFileURL(`${folder}/`)).slice(7);
  const sources = () => path.join(folder, 'packages/server/src/main.ts');
  const cache = () => path.join(folder, 'node_modules/.cache');

  it('is prepared in the background by the first start, for the next ones', async () => {
    expect(findOwnProgram()).toBe(sources());
    await using first = await start();
    const { id } = await first.client().memories.create({ body: { content: 'Ana drinks tea.' } });
    await eventually(
      async () => first.output(),
      (output) => output.includes('"msg":"installation prepared"'),
      preparedMs,
    );
    expect((await first.kill('SIGTERM')).code).toBe(0);
    expect(findOwnProgram()).toMatch(/\.cache\/mneme\/program\/\w+\/main\.mjs$/);
    const prepared = await fs.readdir(path.join(cache(), 'mneme'));
    expect(prepared).toContainEqual(expect.stringMatching(/^database-/));
    await using second = await start();
    expect((await second.client().memories.get({ params: { id } })).content).toBe(
      'Ana drinks tea.',
    );
    expect((await second.kill('SIGTERM')).code).toBe(0);
    expect(second.output()).not.toContain('installation prepared');
  }, 300_000);

  it('works where its folder cannot be written, and says nothing of it', async () => {
    await fs.writeFile(cache(), '');
    await using server = await start();
    await server.client().memories.create({ body: { content: 'Ana drinks tea.' } });
    expect((await server.client().search.get({ query: { q: 'tea' } })).results).toHaveLength(1);
    expect((await server.kill('SIGTERM')).code).toBe(0);
    expect(findOwnProgram()).toBe(sources());
    expect(server.output()).not.toMatch(/prepared|ENOTDIR/);
  });
});
