/**
 * Builds the packages that users install: JavaScript, types and source maps below
 * artifacts/packages, and with --pack a tarball of each. Everything is written anew.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { type Manifest, publishedManifest } from './published-manifest.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The oldest Node that installs the packages. */
const nodeMin = '20.3';
/** Language and library of that Node: a newer function does not compile. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'es2024.string', 'esnext.disposable', 'dom', 'dom.iterable', 'dom.asynciterable'],
} as const;

interface PackageToBuild {
  readonly name: 'contract' | 'sdk' | 'cli';
  readonly build: (source: string, target: string) => Promise<void>;
  readonly bundled?: readonly string[];
}

/** In the file of the command line: nobody installs them. */
const bundledOfCli = [
  ...['@mneme/contract', '@mneme/sdk', 'commander'],
  ...['csv-parse', 'stream-chain', 'stream-json', 'tar-stream', 'yaml', 'yauzl'],
];

const packages: readonly PackageToBuild[] = [
  { name: 'contract', build: compile },
  { name: 'sdk', build: compile },
  { name: 'cli', build: bundleCli, bundled: bundledOfCli },
];

/** Builds all packages into `target`, a folder for each, and returns the folders. */
export async function buildPackages(target: string): Promise<readonly string[]> {
  await fs.rm(target, { recursive: true, force: true });
  const { repository } = await readManifest(root);
  const folders: string[] = [];
  for (const { name, build, bundled } of packages) {
    const source = path.join(root, 'packages', name);
    const folder = path.join(target, name);
    await fs.mkdir(folder, { recursive: true });
    await build(source, path.join(folder, 'dist'));
    const manifest = publishedManifest(await readManifest(source), {
      repository: repository as { type: string; url: string } | undefined,
      directory: `packages/${name}`,
      ...(bundled && { bundled }),
    });
    await fs.writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const file of ['LICENSE', 'CHANGELOG.md']) {
      await fs.copyFile(path.join(root, file), path.join(folder, file));
    }
    await fs.copyFile(path.join(source, 'README.md'), path.join(folder, 'README.md'));
    const pages = path.join(source, 'man');
    if (manifest.man !== undefined)
      await fs.cp(pages, path.join(folder, 'man'), { recursive: true });
    folders.push(folder);
  }
  return folders;
}

/** Packs each folder into a tarball in `target`, as `npm publish` would, and returns the files. */
export function packPackages(folders: readonly string[], target: string): readonly string[] {
  return folders.map((folder) => {
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const parameters = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
    const [packed] = Object.values(JSON.parse(execFileSync('npm', parameters, options)) as object);
    return path.join(target, String((packed as { filename: string }).filename));
  });
}

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await fs.readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** Compiles each source file to a module of its own, so that bundlers can omit what is unused. */
async function compile(source: string, target: string): Promise<void> {
  const sourceRoot = path.join(source, 'src');
  const config = `${target}.tsconfig.json`;
  const settings = {
    extends: path.join(root, 'tsconfig.base.json'),
    compilerOptions: {
      ...compilerOptions,
      types: [],
      noEmit: false,
      rootDir: sourceRoot,
      outDir: target,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      customConditions: [],
    },
    include: [path.join(sourceRoot, '**/*.ts')],
    exclude: ['**/*.test.ts', '**/testing.ts'].map((pattern) => path.join(sourceRoot, pattern)),
  };
  await fs.writeFile(config, JSON.stringify(settings));
  execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], { stdio: 'inherit' });
  await fs.rm(config);
  await renameImportsOfTypes(target);
}

/** The compiler leaves `./x.ts` in declarations, although the package has no such file. */
async function renameImportsOfTypes(folder: string): Promise<void> {
  for (const entry of await fs.readdir(folder, { recursive: true })) {
    if (!entry.endsWith('.d.ts')) continue;
    const file = path.join(folder, entry);
    const text = await fs.readFile(file, 'utf8');
    const renamed = text.replaceAll(/((?:from|import)[ (]*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
    await fs.writeFile(file, renamed);
  }
}

/** One file with everything that it imports: nothing to resolve at each start. */
async function bundleCli(source: string, target: string): Promise<void> {
  const bundle = await rolldown({
    input: path.join(source, 'src/main.ts'),
    platform: 'node',
    transform: { target: `node${nodeMin}` },
    tsconfig: false,
  });
  const { output } = await bundle.write({
    file: path.join(target, 'mneme.js'),
    format: 'esm',
    sourcemap: true,
    codeSplitting: false,
    banner: '#!/usr/bin/env node',
  });
  await bundle.close();
  const modules = output.flatMap((one) => ('moduleIds' in one ? one.moduleIds : []));
  await fs.writeFile(path.join(target, 'third-party-licenses.txt'), await licensesOf(modules));
}

/** The licenses of the packages that these modules belong to, which a copy must contain. */
async function licensesOf(modules: readonly string[]): Promise<string> {
  const packageFolder = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;
  const folders = new Set(modules.flatMap((id) => packageFolder.exec(id)?.[0] ?? []));
  const texts: string[] = [];
  for (const folder of [...folders].toSorted()) {
    const { name, version, license } = await readManifest(folder);
    const file = (await fs.readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? '' : await fs.readFile(path.join(folder, file), 'utf8');
    texts.push(`${name} ${version} (${license})\n\n${text.trim()}\n`);
  }
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function main(args: readonly string[]): Promise<void> {
  const target = path.join(root, 'artifacts/packages');
  const folders = await buildPackages(target);
  const results = args.includes('--pack') ? packPackages(folders, target) : folders;
  for (const result of results) console.log(path.relative(root, result));
}

if (import.meta.main) await main(process.argv);
