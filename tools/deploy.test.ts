import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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

  it('the image copies files that exist and are sent, and packages without their names', () => {
    const lines = read('docker/Dockerfile').match(/^COPY (?!--from).*$/gm) ?? [];
    const sources = lines.flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(sources.filter((source) => !existsSync(path.join(root, source)))).toEqual([]);
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8');
    const sent = [...ignored.matchAll(/^!(.+)$/gm)].map(([, name]) => name);
    expect(sources.filter((source) => !sent.includes(source.split('/')[0]))).toEqual([]);
    expect(sources.filter((source) => /^packages\/./.test(source))).toEqual([]);
  });

  it('stages of the image copy from stages before them', () => {
    const names: (string | undefined)[] = [];
    for (const line of read('docker/Dockerfile').split('\n')) {
      const [, from] = /^COPY --from=(\w+)/.exec(line) ?? [];
      if (from !== undefined) expect(names).toContain(from);
      const [, name] = /^FROM \S+ AS (\w+)$/.exec(line) ?? [];
      names.push(name);
    }
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

  it('the unit lets processes of models lower their priority', () => {
    const filters = read('systemd/mneme.service').match(/^SystemCallFilter=.*$/gm) ?? [];
    expect(filters.at(-1)).toBe('SystemCallFilter=setpriority');
  });

  it('the command of the service uses the user, folders and settings of its unit', () => {
    const unit = read('systemd/mneme.service');
    const command = read('systemd/mneme.sh');
    const settingOf = (name: string): string =>
      unit.match(new RegExp(`^(?:Environment=)?${name}=-?(.+)$`, 'm'))?.[1] ?? `no ${name}`;
    expect(command).toContain(`runuser -u ${settingOf('User')} --`);
    expect(command).toContain(`MNEME_DATA_DIR=${settingOf('MNEME_DATA_DIR')}\n`);
    expect(command).toContain(`export PATH="${settingOf('PATH')}"\n`);
    expect(command).toContain(`settings=${settingOf('EnvironmentFile')}\n`);
    expect(command).toContain(
      `exec node ${settingOf('WorkingDirectory')}/packages/cli/bin/mneme.mjs`,
    );
    expect(existsSync(path.join(root, 'packages/cli/bin/mneme.mjs'))).toBe(true);
  });

  it('stops wait longer than the service takes at most', () => {
    const shutdown = Number(settings.MNEME_SHUTDOWN_SECONDS.defaultValue);
    const all = [
      'docker/compose.yaml',
      'docker/compose.postgres.yaml',
      'systemd/mneme.service',
      'helm/mneme/values.yaml',
    ];
    const waits = all.map((file) =>
      /(?:stop_grace_period: |TimeoutStopSec=|terminationGracePeriodSeconds: )(\d+)/.exec(
        read(file),
      ),
    );
    expect(waits.every((wait) => Number(wait?.[1]) > shutdown)).toBe(true);
  });
});

describe('the Helm chart', () => {
  const chart = path.join(deploy, 'helm/mneme');
  const values = parse(readFileSync(path.join(chart, 'values.yaml'), 'utf8')) as object;
  const templates = globSync('templates/*', { cwd: chart }).map(
    (file) => [file, readFileSync(path.join(chart, file), 'utf8')] as const,
  );
  const has = (name: string): boolean => {
    let found: unknown = values;
    for (const part of name.split('.')) {
      if (typeof found !== 'object' || found === null || !(part in found)) return false;
      found = (found as Record<string, unknown>)[part];
    }
    return true;
  };

  it.each(templates)('%s names only values and templates that exist', (_file, text) => {
    const names = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, name]) => name ?? '');
    expect(names.filter((name) => !has(name))).toEqual([]);
    const defined = templates.flatMap(([, source]) =>
      [...source.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name),
    );
    const included = [...text.matchAll(/include "([\w.]+)"/g)].map(([, name]) => name);
    expect(included.filter((name) => !defined.includes(name))).toEqual([]);
  });

  it.each(templates)('%s ends every block', (_file, text) => {
    const actions = [...text.matchAll(/\{\{-?\s*(\w+)/g)].map(([, action]) => action ?? '');
    const count = (kinds: readonly string[]): number =>
      actions.filter((action) => kinds.includes(action)).length;
    expect(count(['end'])).toBe(count(['if', 'with', 'range', 'define']));
  });

  it('runs commands of the server program, and has its version', () => {
    const all = templates.map(([, text]) => text).join('\n');
    const commands = [...all.matchAll(/args: \[(\w+)\]/g)].map(([, name]) => name ?? '');
    expect(commands.toSorted()).toEqual(['migrate', 'worker']);
    const sources = path.join(root, 'packages/server/src/commands');
    expect(commands.filter((name) => !existsSync(path.join(sources, `${name}.ts`)))).toEqual([]);
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    const described = parse(readFileSync(path.join(chart, 'Chart.yaml'), 'utf8'));
    expect(described).toMatchObject({ version, appVersion: version });
  });
});
