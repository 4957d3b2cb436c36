#!/usr/bin/env node
// Builds the console into dist/, unless dist/ was built from the same sources.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const folder = fileURLToPath(new URL('..', import.meta.url));
const root = path.resolve(folder, '../..');
const dist = path.join(folder, 'dist');
const stampFile = 'sources.sha256';
/** What the built files are made of, relative to the root. */
const sources = [
  'package-lock.json',
  'packages/console/bin',
  'packages/console/index.html',
  'packages/console/package.json',
  'packages/console/src',
  'packages/console/vite.config.ts',
  'packages/contract/src',
  'packages/sdk/src',
];
const compressible = /\.(?:html|js|css|svg|json)$/;

const stamp = await hashSources();
const builtFrom = await fs.readFile(path.join(dist, stampFile), 'utf8').catch(() => '');
if (builtFrom !== stamp) {
  if (await isInstalled('vite')) await build();
  else await buildInTemporaryFolder();
}

async function build() {
  // Also where a test starts the build: otherwise React is bundled with its checks.
  process.env.NODE_ENV = 'production';
  const { build: bundle } = await import('vite');
  const target = await fs.mkdtemp(path.join(folder, 'dist-'));
  try {
    await bundle({
      configFile: path.join(folder, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: target, emptyOutDir: true },
    });
    await compressFiles(target);
    await fs.writeFile(path.join(target, stampFile), stamp);
    await fs.chmod(target, 0o755);
    await replaceFolder(target);
  } finally {
    await fs.rm(target, { recursive: true, force: true });
  }
}

/** A rename, so that a reader never sees half of a build. Another build may have been faster. */
async function replaceFolder(target) {
  const old = `${target}-old`;
  await fs.rename(dist, old).catch(() => undefined);
  await fs.rename(target, dist).catch(async (error) => {
    if ((await fs.readFile(path.join(dist, stampFile), 'utf8').catch(() => '')) !== stamp) {
      throw error;
    }
  });
  await fs.rm(old, { recursive: true, force: true });
}

/**
 * An installation for production has no build tools. They are installed in a temporary folder,
 * at the versions of the lock file.
 */
async function buildInTemporaryFolder() {
  const npm = process.env.npm_execpath;
  if (npm === undefined) throw new Error('Vite is not installed: run `npm ci` and build again.');
  const copy = await fs.mkdtemp(path.join(tmpdir(), 'mneme-console-'));
  try {
    const isSource = (file) => !/\/(?:node_modules|dist[^/]*)$/.test(file);
    for (const name of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.base.json']) {
      await fs.copyFile(path.join(root, name), path.join(copy, name)).catch(ignoreMissing);
    }
    for (const name of await fs.readdir(path.join(root, 'packages'))) {
      const [from, to] = [root, copy].map((base) => path.join(base, 'packages', name));
      const isNeeded = ['console', 'contract', 'sdk'].includes(name);
      await fs.mkdir(to, { recursive: true });
      if (isNeeded) await fs.cp(from, to, { recursive: true, filter: isSource });
      else await fs.copyFile(path.join(from, 'package.json'), path.join(to, 'package.json'));
    }
    const parameters = ['ci', '--workspace', 'packages/console', '--include=dev'];
    const options = { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync(process.execPath, [npm, ...parameters, '--ignore-scripts'], options);
    execFileSync(process.execPath, ['packages/console/bin/build.mjs'], options);
    await fs.rm(dist, { recursive: true, force: true });
    await fs.cp(path.join(copy, 'packages/console/dist'), dist, { recursive: true });
  } finally {
    await fs.rm(copy, { recursive: true, force: true });
  }
}

function ignoreMissing(error) {
  if (error.code !== 'ENOENT') throw error;
}

/** Once here, so that the server sends files as they are. */
async function compressFiles(target) {
  for (const file of await listFiles(target)) {
    if (!compressible.test(file)) continue;
    const bytes = await fs.readFile(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await fs.writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
    await fs.writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

async function hashSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of await listFiles(path.join(root, source))) {
      hash.update(`${path.relative(root, file)}\0`).update(await fs.readFile(file));
    }
  }
  return hash.digest('hex');
}

async function listFiles(from) {
  if ((await fs.stat(from)).isFile()) return [from];
  const entries = await fs.readdir(from, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function isInstalled(name) {
  return import(name).then(
    () => true,
    () => false,
  );
}
