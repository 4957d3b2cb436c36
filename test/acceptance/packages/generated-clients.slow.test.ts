import fs from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../../packages/server/src/database/testing.ts';
import { isAvailable } from '../../support/requirements.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { installFromRegistry, runProgram } from './installed-project.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = path.join(root, 'docs/openapi.json');

/** openapi-typescript needs the compiler API of TypeScript 5. */
const generators = [
  'typescript@5.9.3',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
];

/** Lists are comma-separated, and filters by metadata are parameters of their own. */
const withOpenApiFetch = `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const client = createClient<paths>({
  baseUrl: process.env.MNEME_URL + '/v1',
  headers: { Authorization: 'Bearer ' + process.env.MNEME_API_KEY },
  querySerializer: {
    array: { style: 'form', explode: false },
    object: { style: 'form', explode: true },
  },
});
const body = { content: 'Stored with openapi-fetch.', tags: ['a', 'b'], metadata: { source: 'x' } };
const created = await client.POST('/memories', { body });
if (created.error) throw new Error(JSON.stringify(created.error));
const query = { tags: ['a', 'b'], metadata: { 'metadata.source': 'x' } };
const listed = await client.GET('/memories', { params: { query } });
const found = await client.GET('/search', { params: { query: { q: 'stored', tags: ['a'] } } });
const [first] = found.data?.results ?? [];
if (first?.type !== 'memory') throw new Error(JSON.stringify(found.error));
console.log(first.content, listed.data?.data[0]?.id === created.data.id);
`;

const withHeyApi = `
import { client } from './generated/client.gen.js';
import { memoriesCreate, memoriesList, searchPost } from './generated/index.js';

client.setConfig({ baseUrl: process.env.MNEME_URL + '/v1', auth: process.env.MNEME_API_KEY });
const body = { content: 'Stored with hey-api.', tags: ['c', 'd'] };
const created = await memoriesCreate({ body });
if (created.error) throw new Error(JSON.stringify(created.error));
const listed = await memoriesList({ query: { tags: ['c', 'd'] } });
const found = await searchPost({ body: { q: 'stored' } });
const [first] = found.data?.results ?? [];
if (first?.type !== 'memory') throw new Error(JSON.stringify(found.error));
console.log(first.content, listed.data?.data[0]?.id === created.data?.id);
`;

const tsconfig = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    skipLibCheck: true,
    outDir: 'built',
    rootDir: '.',
  },
  files: ['program.ts', 'environment.d.ts'],
};

/** Clients that users generate from the OpenAPI document with the common generators. */
describe.runIf(isAvailable('registry')).each(oneEngine)('a generated client on %s', (engine) => {
  let service: Service;
  let installed: string;
  beforeAll(async () => {
    installed = await installFromRegistry('generators', generators);
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  /** Compiles the program strictly, runs it for a new account and returns its output. */
  const compileAndRun = async (folder: string, program: string): Promise<string> => {
    await fs.writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
    await fs.writeFile(path.join(folder, 'program.ts'), program);
    const environment = 'declare const process: { env: Record<string, string> };\n';
    await fs.writeFile(path.join(folder, 'environment.d.ts'), environment);
    const tsc = path.join(root, 'node_modules/.bin/tsc');
    await runProgram(tsc, ['-p', 'tsconfig.json'], { cwd: folder });
    const { key } = await service.createAccount();
    const { stdout } = await runProgram(process.execPath, ['built/program.js'], {
      cwd: folder,
      env: { MNEME_URL: service.url, MNEME_API_KEY: key },
    });
    return stdout.trim();
  };

  const createFolder = async (): Promise<string> => {
    const folder = await makeTestFolder();
    await fs.writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    await fs.symlink(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'));
    return folder;
  };
  const runGenerator = (folder: string, name: string, ...parameters: string[]) =>
    runProgram(process.execPath, [path.join(installed, 'node_modules', name), ...parameters], {
      cwd: folder,
    });

  it('of openapi-typescript and openapi-fetch compiles, stores and finds', async () => {
    const folder = await createFolder();
    await runGenerator(folder, 'openapi-typescript/bin/cli.js', document, '-o', 'schema.ts');
    expect(await compileAndRun(folder, withOpenApiFetch)).toBe('Stored with openapi-fetch. true');
  });

  it('of @hey-api/openapi-ts compiles, stores and finds', async () => {
    const folder = await createFolder();
    const settings = {
      input: document,
      output: { path: 'generated', module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    };
    const config = path.join(folder, 'openapi-ts.config.js');
    await fs.writeFile(config, `export default ${JSON.stringify(settings)};\n`);
    await runGenerator(folder, '@hey-api/openapi-ts/bin/run.js', '-f', config);
    expect(await compileAndRun(folder, withHeyApi)).toBe('Stored with hey-api. true');
  });
});
