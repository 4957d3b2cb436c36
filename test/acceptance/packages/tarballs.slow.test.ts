import fs from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { buildPackages, packPackages } from '../../../tools/release/build-packages.ts';
import { isAvailable } from '../../support/requirements.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { createProject, installNode, runProgram } from './installed-project.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const nodeMajors = [20, 22, 24];

/** The loop of the README, with the URL of the service of the test, and a last line to check. */
async function readmeLoop(): Promise<string> {
  const readme = await fs.readFile(path.join(root, 'README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code);
  const loop = blocks.find((code) => code.includes('postMessages')) ?? '';
  const connected = loop.replace('createClient({', 'createClient({ url: process.env.MNEME_URL,');
  expect(connected).not.toBe(loop);
  return `${connected}
const { results } = await mneme.search.get({ query: { q: 'tea' } });
const [first] = results;
console.log(first?.type === 'memory' ? first.content : 'nothing found');
`;
}

/** Uses what the types promise: unions narrow, errors narrow, lists iterate. */
const typedProgram = `
import { createClient, isMnemeError, type Memory, type PublicEvent } from '@mneme/sdk';
import { memoriesList } from '@mneme/sdk/operations';

const mneme = createClient({ url: process.env.MNEME_URL, apiKey: process.env.MNEME_API_KEY });
const memory: Memory = await mneme.memories.create({ body: { content: 'A typed sentence.' } });
try {
  await mneme.memories.create({ body: { content: memory.content } });
} catch (error) {
  if (!isMnemeError(error, 'duplicate_memory')) throw error;
  const id: string = error.details.memory_id;
  console.log(id === memory.id ? 'duplicate found' : id);
}
for await (const { id } of mneme.memories.list({ query: { limit: 1 } })) id.toUpperCase();
for await (const { content } of mneme.paginate(memoriesList)) content.toUpperCase();
const { results } = await mneme.search.post({ body: { q: 'sentence' } });
for (const result of results) {
  if (result.type === 'memory') result.content.toUpperCase();
  else result.start_time.toFixed();
}
const subjectOf = (event: PublicEvent): string | undefined =>
  event.type === 'space.created' && 'name' in event.data ? event.data.name : undefined;
subjectOf satisfies (event: PublicEvent) => string | undefined;
// @ts-expect-error a memory has no such field
memory.body;
// @ts-expect-error the content is required
void mneme.memories.create({ body: {} }).catch(() => undefined);
export {};
`;

const tsconfig = (module: 'nodenext' | 'esnext', moduleResolution: 'nodenext' | 'bundler') =>
  JSON.stringify({
    compilerOptions: {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      outDir: 'built',
      rootDir: '.',
    },
    files: ['program.ts', 'environment.d.ts'],
  });

describe.runIf(isAvailable('registry')).each(oneEngine)('the packed packages on %s', (engine) => {
  let service: Service;
  let folder: string;
  let project: string;
  let env: Record<string, string>;
  const nodes = new Map<number, string>();
  beforeAll(async () => {
    service = await startService(engine);
    env = { MNEME_URL: service.url, MNEME_API_KEY: (await service.createAccount()).key };
    folder = await makeTestFolder();
    const tarballs = packPackages(await buildPackages(path.join(folder, 'packages')), folder);
    const installed = tarballs.filter((file) => !file.includes('contract'));
    project = await createProject(path.join(folder, 'project'), installed);
    for (const major of nodeMajors) {
      nodes.set(major, major === 24 ? process.execPath : await installNode(major));
    }
  });
  afterAll(() => service.stop());

  /** Without import statements: those of Node's modules would be left in it. */
  const standalone = /^(?!.*(?<![.\w$/])import\s*(?:["'{*]|[\w$]+\s*(?:,|from\b)))/s;
  const runIn = (major: number, file: string) =>
    runProgram(nodes.get(major) ?? '', [file], { cwd: project, env });

  it.each(nodeMajors)("run the README's loop in JavaScript on Node %i", async (major) => {
    await fs.writeFile(path.join(project, 'loop.js'), stripTypeScriptTypes(await readmeLoop()));
    expect((await runIn(major, 'loop.js')).stdout).toBe('I prefer tea over coffee.\n');
  });

  it.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const)('compile in strict TypeScript with module %s, %s', async (module, resolution) => {
    const environment = 'declare const process: { env: Record<string, string | undefined> };\n';
    await fs.writeFile(path.join(project, 'environment.d.ts'), environment);
    await fs.writeFile(path.join(project, 'tsconfig.json'), tsconfig(module, resolution));
    await fs.writeFile(path.join(project, 'program.ts'), typedProgram);
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    await runProgram(tsc, ['-p', 'tsconfig.json'], { cwd: project });
    const account = await service.createAccount();
    const { stdout } = await runProgram(nodes.get(20) ?? '', ['built/program.js'], {
      cwd: project,
      env: { ...env, MNEME_API_KEY: account.key },
    });
    expect(stdout).toBe('duplicate found\n');
  });

  /** Bundles a module for browsers and returns its only file. */
  const bundle = async (name: string, code: string): Promise<string> => {
    await fs.writeFile(path.join(project, `${name}.js`), code);
    await build({
      root: project,
      logLevel: 'silent',
      configFile: false,
      define: { 'process.env': 'globalThis.settings' },
      build: {
        target: 'es2022',
        outDir: `bundled-${name}`,
        lib: { entry: `${name}.js`, formats: ['es'], fileName: 'bundle' },
        minify: true,
      },
    });
    return fs.readFile(path.join(project, `bundled-${name}/bundle.js`), 'utf8');
  };

  it("run the README's loop from a Vite bundle of at most 15 kB for browsers", async () => {
    const code = await bundle('page', stripTypeScriptTypes(await readmeLoop()));
    expect(code).toMatch(standalone);
    expect(gzipSync(code).length).toBeLessThanOrEqual(15_000);
    const settings = `globalThis.settings = ${JSON.stringify(env)};\n`;
    await fs.writeFile(path.join(project, 'bundled.js'), settings + code);
    expect((await runIn(22, 'bundled.js')).stdout).toBe('I prefer tea over coffee.\n');
  });

  it('leave out of a bundle what it does not use', async () => {
    const whole = await bundle('whole', "export { createClient } from '@mneme/sdk';");
    const single = await bundle(
      'single',
      `import { createCaller } from '@mneme/sdk';
       import { memoriesCreate } from '@mneme/sdk/operations';
       export const store = (body) => createCaller().call(memoriesCreate, { body });`,
    );
    expect(single).not.toContain('webhooks');
    expect(gzipSync(single).length).toBeLessThan(gzipSync(whole).length / 2);
  });

  it('run the command line client on the oldest Node and the newest', async () => {
    const program = path.join(project, 'node_modules/.bin/mneme');
    const account = await service.createAccount();
    const settings = { ...env, MNEME_API_KEY: account.key };
    for (const major of [20, 24]) {
      const mneme = (...parameters: string[]) =>
        runProgram(nodes.get(major) ?? '', [program, ...parameters], {
          cwd: project,
          env: settings,
        });
      await mneme('add', `The battery was dead on Node ${major}.`);
      expect((await mneme('search', 'dead battery')).stdout).toContain(`on Node ${major}.`);
    }
  });

  it('have adapters that load a framework only where they extend it', async () => {
    const manifest = await fs.readFile(
      path.join(project, 'node_modules/@mneme/sdk/package.json'),
      'utf8',
    );
    const { peerDependencies, peerDependenciesMeta } = JSON.parse(manifest);
    expect(Object.keys(peerDependenciesMeta)).toEqual(Object.keys(peerDependencies));
    const program = `
      for (const name of ['anthropic-memory', 'openai-agents', 'vercel-ai', 'langgraph']) {
        const loaded = import('@mneme/sdk/' + name).then(Object.keys, ({ message }) => message);
        console.log(name, String(await loaded).split(' imported')[0]);
      }`;
    await fs.writeFile(path.join(project, 'adapters.js'), program);
    expect((await runIn(20, 'adapters.js')).stdout.trim().split('\n')).toEqual([
      'anthropic-memory MnemeMemoryTool',
      'openai-agents MnemeSession',
      "vercel-ai Cannot find package 'ai'",
      "langgraph Cannot find package '@langchain/langgraph-checkpoint'",
    ]);
  });

  it('contain the licence, types and sources of each module, and no tests', async () => {
    const own = path.join(project, 'node_modules/@mneme');
    for (const name of ['sdk', 'cli']) {
      const files = await fs.readdir(path.join(own, name), { recursive: true });
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      expect(
        files.filter((file) => /\.test\.|testing|\.ts$/.test(file) && !/\.d\.ts$/.test(file)),
      ).toEqual([]);
    }
    await expect(fs.access(path.join(own, 'cli/man/mneme.1'))).resolves.toBeUndefined();
    const licenses = await fs.readFile(path.join(own, 'cli/dist/third-party-licenses.txt'), 'utf8');
    for (const name of ['commander', 'stream-json', 'csv-parse', 'yaml', 'yauzl', 'zod'])
      expect(licenses).toMatch(new RegExp(`^${name} \\d.* \\(.*\\)\\n\\n\\S`, 'm'));
    const map = await fs.readFile(path.join(own, 'sdk/dist/client.js.map'), 'utf8');
    expect(JSON.parse(map).sourcesContent[0]).toContain('export function createClient');
  });
});
