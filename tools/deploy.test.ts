import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { settings } from '../packages/server/src/kernel/settings.ts';

const root = path.resolve(import.meta.dirname, '..');
const deploy = path.join(root, 'deploy');
const read = (file: string): string => readFileSync(path.join(deploy, file), 'utf8');
const files = globSync('**/*.*', { cwd: deploy }).concat('docker/Dockerfile');

describe('files of deploy/', () => {
  it.each(files)('%s names only settings that exist', (file) => {
    const names = read(file).match(/\bMNEME_[A-Z0-9_]+\b(?!\*)/g) ?? [];
    const unknown = names.filter((name) => !(name in settings) && !name.endsWith('_'));
    expect(unknown).toEqual([]);
  });

  it('the image copies the manifest of every package, and files that exist', () => {
    const lines = read('docker/Dockerfile').match(/^COPY (?!--from).*$/gm) ?? [];
    const sources = lines.flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
    const manifests = globSync('packages/*/package.json', { cwd: root });
    expect(sources).toEqual(expect.arrayContaining(manifests));
  });

  it('commands of the image and of the unit exist', () => {
    const text = read('docker/Dockerfile') + read('systemd/mneme.service');
    const scripts = text.match(/packages\/server\/bin\/[\w-]+\.mjs/g) ?? [];
    expect(scripts.length).toBeGreaterThan(2);
    expect(scripts.filter((script) => !existsSync(path.join(root, script)))).toEqual([]);
  });

  it('every base image is pinned, and the Node of the image is the one of the lock file', () => {
    const images = [...read('docker/Dockerfile').matchAll(/^FROM (\S+)/gm)].map(
      ([, image]) => image,
    );
    const compose = globSync('docker/*.yaml', { cwd: deploy }).map(read).join('\n');
    images.push(...[...compose.matchAll(/^\s+image: (\S+)$/gm)].map(([, image]) => image));
    expect(
      images.filter((image) => !/:(?:.*\d+\.\d+|\$\{NODE_VERSION\})/.test(image ?? '')),
    ).toEqual([]);
    const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const version = lock.packages['node_modules/node']?.version;
    expect(read('docker/Dockerfile')).toContain(`ARG NODE_VERSION=${version}\n`);
  });

  it('stops wait longer than the service takes at most', () => {
    const shutdown = Number(settings.MNEME_SHUTDOWN_SECONDS.defaultValue);
    const all = ['docker/compose.yaml', 'docker/compose.postgres.yaml', 'systemd/mneme.service'];
    const waits = all.map((file) =>
      /(?:stop_grace_period: |TimeoutStopSec=)(\d+)s/.exec(read(file)),
    );
    expect(waits.every((wait) => Number(wait?.[1]) > shutdown)).toBe(true);
  });
});
