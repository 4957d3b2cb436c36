import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient } from '@mneme/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { findFreePort } from '../support/free-port.ts';
import { isAvailable } from '../support/requirements.ts';

const run = promisify(execFile);
const repository = path.resolve(import.meta.dirname, '../..');
const hour = 3_600_000;

interface Stage {
  readonly name: string;
  readonly instructions: readonly (readonly [keyword: string, rest: string])[];
}

/** The stages of a Dockerfile, with continued lines joined and comments removed. */
function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: { name: string; instructions: [string, string][] }[] = [];
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') stages.push({ name: rest.split(' AS ')[1] ?? '', instructions: [] });
    else stages.at(-1)?.instructions.push([keyword, rest.trim()]);
  }
  return stages;
}

/**
 * There is no container runtime in tests: the steps of the Dockerfile run in a new Debian root, and
 * the service as an unprivileged user there, with a read-only root.
 */
describe.runIf(isAvailable('debianRoot'))('the image', () => {
  const stages = parseDockerfile(
    readFileSync(path.join(repository, 'deploy/docker/Dockerfile'), 'utf8'),
  );
  const final = stages.at(-1) as Stage;
  let folder = '';
  let root = '';
  /** Mounted at /data. */
  let data = '';
  let port = 0;
  let server: ChildProcess;

  const argumentOf = (keyword: string): string =>
    final.instructions.find(([name]) => name === keyword)?.[1] ?? '';
  const commandOf = (keyword: string): string[] =>
    JSON.parse(/\[.*\]/.exec(argumentOf(keyword))?.[0] ?? '[]') as string[];
  const environment = (): string[] =>
    [...argumentOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => `${name}=${value}`);

  /** Runs a command of the image as its user, with a read-only root, /tmp and /data. */
  const inImage = (command: readonly string[], extra: readonly string[] = []): string[] => {
    const mounts = [
      `mount --bind '${root}' '${root}'`,
      `mount --bind '${data}' '${root}/data'`,
      `mount -t tmpfs tmpfs '${root}/tmp'`,
      `mount -t proc proc '${root}/proc'`,
      `mount -o remount,ro,bind '${root}'`,
    ];
    const words = ['env', '-i', 'PATH=/usr/local/bin:/usr/bin:/bin', ...environment(), ...extra];
    const inside = [...words, ...command].map((word) => `'${word}'`).join(' ');
    const shell = `cd ${argumentOf('WORKDIR')} && exec ${inside}`;
    const chroot = `exec chroot --userspec=1000:1000 '${root}' sh -c "${shell}"`;
    return [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-ec',
      [...mounts, chroot].join('\n'),
    ];
  };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-image-'));
    root = path.join(folder, 'root');
    port = await findFreePort();
    await run('debootstrap', ['--variant=minbase', 'bookworm', root]);
    for (const stage of stages.slice(0, -1)) runStage(stage);
    const build = path.join(folder, stages.at(-2)?.name ?? '');
    cpSync(build, path.join(root, 'app'), {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
    });
    cpSync(process.execPath, path.join(root, 'usr/local/bin/node'));
    // What `node:*-slim` brings.
    await run('chroot', [root, 'useradd', '--uid', '1000', 'node']);
    const [install] = final.instructions.filter(([, rest]) => rest.startsWith('install '));
    await run('chroot', [root, 'sh', '-ec', install?.[1] ?? 'exit 1']);
    await newDataFolder('data');
  }, hour);
  afterAll(async () => {
    server?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs COPY and RUN of a stage in a folder of its name, which stands for its /app. */
  const runStage = ({ name, instructions }: Stage): void => {
    const context = path.join(folder, name);
    mkdirSync(context);
    for (const [keyword, rest] of instructions) {
      if (keyword === 'COPY') {
        const [, stage] = /^--from=(\w+)/.exec(rest) ?? [];
        const words = rest.split(/\s+/).filter((word) => !word.startsWith('--from='));
        const target = path.join(context, words.at(-1) as string);
        for (const source of words.slice(0, -1)) {
          const from =
            stage === undefined
              ? path.join(repository, source)
              : path.join(folder, stage, source.replace('/app', ''));
          copy(from, target, rest.endsWith('/'));
        }
      } else if (keyword === 'RUN') {
        const command = rest.replaceAll('/app', context);
        execFileSync('sh', ['-ec', command], { cwd: context, stdio: 'ignore' });
      }
    }
  };

  const newDataFolder = async (name: string): Promise<void> => {
    data = path.join(folder, name);
    mkdirSync(data, { mode: 0o700 });
    await run('chown', ['1000:1000', data]);
  };

  /** As COPY does: the content of a folder, or a file into a folder that ends with a slash. */
  const copy = (from: string, target: string, isFolder: boolean): void => {
    const isFile = statSync(from).isFile();
    const to = isFile && isFolder ? path.join(target, path.basename(from)) : target;
    // As .dockerignore says: no dependencies, and nothing that was built outside of the image.
    const isIgnored = from.startsWith(repository) ? /\/(?:node_modules|dist)(?:\/|$)/ : /^$/;
    const filter = (file: string): boolean => !isIgnored.test(file.slice(repository.length));
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true };
    cpSync(from, to, { ...options, filter });
  };

  const start = async (settings: readonly string[] = []): Promise<Client> => {
    const env = [`MNEME_PORT=${port}`, ...settings];
    server = spawn('unshare', inImage(commandOf('ENTRYPOINT'), env), {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    await eventually(
      () =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      (isReady) => isReady,
      120_000,
    );
    return createClient({
      url,
      apiKey: readFileSync(path.join(data, 'admin-key'), 'utf8').trim(),
    });
  };

  it('has no more than 180 MB of code and dependencies', async () => {
    const { stdout } = await run('du', ['-sm', '--apparent-size', path.join(root, 'app')]);
    expect(Number.parseInt(stdout, 10)).toBeLessThan(180);
  });

  const stop = async (): Promise<void> => {
    // `unshare` passes no signal on to its child, the service.
    const { stdout } = await run('pgrep', ['--parent', String(server.pid)]);
    process.kill(Number(stdout.trim()), 'SIGTERM');
    const [code] = await once(server, 'exit');
    expect(code).toBe(0);
  };
  const checkHealth = () =>
    run('unshare', inImage(commandOf('HEALTHCHECK'), [`MNEME_PORT=${port}`]));

  it('starts without rights on a read-only root, stores, finds and ends on SIGTERM', async () => {
    const mneme = await start();
    const content = 'The car would not start: its battery was dead.';
    await mneme.memories.create({ body: { content } });
    const { results } = await mneme.search.get({ query: { q: 'why did the vehicle fail?' } });
    expect(results).toHaveLength(1);
    expect((await checkHealth()).stderr).toBe('');
    const backup = await mneme.admin.backup();
    await writeFile(path.join(data, 'whole.backup'), Buffer.from(await backup.arrayBuffer()));
    await stop();
  });

  it('runs the bundled program, as an installation by npm ci does', async () => {
    await writeFile(
      path.join(root, 'app/find.mjs'),
      "import { findProgram } from './packages/server/bin/find-program.mjs';\n" +
        "console.log(findProgram(new URL('./', import.meta.url)));\n",
    );
    const { stdout } = await run('unshare', inImage(['node', '/app/find.mjs']));
    expect(stdout).toMatch(
      /^file:\/\/\/app\/node_modules\/\.cache\/mneme\/program\/\w+\/main\.mjs$/m,
    );
  });

  it('is unhealthy when it does not run', async () => {
    await expect(checkHealth()).rejects.toMatchObject({ code: 1 });
  });

  it('restores a backup into an empty volume and goes on with it', async () => {
    const backup = readFileSync(path.join(data, 'whole.backup'));
    const secretKey = readFileSync(path.join(data, 'secret-key'), 'utf8').trim();
    await newDataFolder('restored');
    await writeFile(path.join(root, 'app/whole.backup'), backup, { mode: 0o644 });
    const secret = [`MNEME_SECRET_KEY=${secretKey}`];
    const program = commandOf('ENTRYPOINT');
    await run('unshare', inImage([...program, 'restore', '/app/whole.backup'], secret));
    // The database knows the key only as a hash.
    await run('unshare', inImage([...program, 'reset-admin'], secret));
    const mneme = await start(secret);
    expect((await mneme.memories.list()).data).toHaveLength(1);
    await stop();
  });
});
