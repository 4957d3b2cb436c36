import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  findInstalledModel,
  listInstalledModels,
  verifyInstalledModel,
} from '../installed-models.ts';
import { ModelNotInstalled } from './errors.ts';
import { type InstallRequest, installModel, removeInstalledModel } from './install.ts';
import {
  type FakeHub,
  hubRevision,
  sendFile,
  sha256Of,
  startFakeHub,
  tinyFiles,
} from './testing.ts';

const weights = 'onnx/model_quantized.onnx';
const files = tinyFiles();
const weightBytes = files[weights] as Buffer;

let folder: string;
let hub: FakeHub;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-install-'));
  hub = await startFakeHub(files);
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const install = (request: Partial<InstallRequest> = {}) =>
  installModel(
    { name: 'own/tiny', folder, now: new Date(0), onProgress: () => undefined, ...request },
    hub.deps,
  );
const rejection = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ModelNotInstalled);
  return (error as Error).message;
};

test('a model is downloaded with what its files say, and verified', async () => {
  const progress: string[] = [];
  const model = await install({
    onProgress: ({ file, bytes, total }) => void progress.push(`${file} ${bytes}/${total}`),
  });
  expect(model).toMatchObject({
    name: 'tiny',
    source: 'own/tiny',
    revision: hubRevision,
    dtype: 'q8',
    pooling: 'cls',
    dimensions: 3,
  });
  expect(model.files).toContainEqual({
    path: weights,
    bytes: weightBytes.length,
    sha256: sha256Of(weightBytes),
  });
  expect(progress.at(-1)).toBe(`${weights} 300000/300000`);
  expect(await readFile(path.join(folder, 'tiny', weights))).toEqual(weightBytes);
  expect(hub.requests).not.toContain('README.md');
  await verifyInstalledModel(folder, 'tiny');
  expect(await listInstalledModels(folder)).toEqual([model]);
  expect(await readdir(folder)).toEqual(['tiny']);
  expect(await readdir(path.join(folder, 'tiny'))).not.toContain(`.revision-${hubRevision}`);
  expect(await rejection(install())).toContain('mneme models remove tiny');
});

describe('a download', () => {
  /** Sends the first half of the weights, then breaks off, for some requests. */
  const breakOff = (times: number): void => {
    let left = times;
    hub.handle = (bytes, response, request) => {
      if (bytes !== weightBytes || left === 0) return false;
      left -= 1;
      const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
      const start = Number(from);
      const range = `bytes ${start}-${bytes.length - 1}/${bytes.length}`;
      const status = start === 0 ? 200 : 206;
      response.writeHead(status, {
        'content-length': bytes.length - start,
        ...(start === 0 ? {} : { 'content-range': range }),
      });
      const end = start + Math.floor((bytes.length - start) / 2);
      response.write(bytes.subarray(start, end), () => response.destroy());
      return true;
    };
  };

  test('that breaks off continues where it was', async () => {
    breakOff(3);
    await install();
    await verifyInstalledModel(folder, 'tiny');
    const ranges = hub.requests.filter((request) => request.startsWith(weights));
    expect(ranges).toHaveLength(4);
    expect(ranges[1]).toMatch(/bytes=\d+-$/);
    expect(ranges[1]).not.toContain('bytes=0-');
  });

  test('that fails continues in the next call', async () => {
    hub.handle = (bytes, response, request) => {
      if (bytes !== weightBytes) return false;
      if (request.headers.range) {
        response.writeHead(503).end();
        return true;
      }
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 1_000), () => response.destroy());
      return true;
    };
    expect(await rejection(install())).toMatch(/responded with 503 .*continues where it ended/);
    expect(await findInstalledModel(folder, 'tiny')).toBeNull();
    hub.handle = () => false;
    hub.requests.length = 0;
    await install();
    expect(hub.requests).toEqual([`${weights} bytes=1000-`]);
    await verifyInstalledModel(folder, 'tiny');
  });

  test('waits as long as a busy hub requests, then succeeds', async () => {
    const statuses = [429, 500, 503];
    hub.handle = (_bytes, response) => {
      const status = statuses.shift();
      if (status === undefined) return false;
      response.writeHead(status, status === 429 ? { 'retry-after': '7' } : {}).end();
      return true;
    };
    await install();
    expect(hub.pauses).toEqual([7_000, 1_000, 2_000]);
  });

  test('starts again where the hub ignores the range', async () => {
    breakOff(1);
    const breaking = hub.handle;
    hub.handle = (bytes, response, request) => {
      if (breaking(bytes, response, request)) return true;
      if (bytes === weightBytes) response.writeHead(200).end(bytes);
      return bytes === weightBytes;
    };
    await install();
    await verifyInstalledModel(folder, 'tiny');
  });

  test('of wrong bytes is repeated once, then rejected', async () => {
    hub.handle = (bytes, response) => {
      if (bytes === weightBytes) response.end(Buffer.alloc(bytes.length));
      return bytes === weightBytes;
    };
    expect(await rejection(install())).toMatch(/sent other bytes for .*Nothing was installed/);
    expect(hub.requests.filter((request) => request === weights)).toHaveLength(2);
    expect(await findInstalledModel(folder, 'tiny')).toBeNull();
    let isFirst = true;
    hub.handle = (bytes, response, request) => {
      if (bytes !== weightBytes || !isFirst) return false;
      isFirst = false;
      sendFile(Buffer.alloc(bytes.length), response, request);
      return true;
    };
    await install();
    await verifyInstalledModel(folder, 'tiny');
  });

  test('that stalls is interrupted and continued', async () => {
    await hub[Symbol.asyncDispose]();
    hub = await startFakeHub(files, { idleMs: 100 });
    let isFirst = true;
    hub.handle = (bytes, response) => {
      if (bytes !== weightBytes || !isFirst) return false;
      isFirst = false;
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 5_000));
      return true;
    };
    await install();
    expect(hub.requests.at(-1)).toBe(`${weights} bytes=5000-`);
  });

  test('with more bytes than listed is rejected', async () => {
    hub.handle = (bytes, response) => {
      if (bytes === weightBytes) response.end(Buffer.alloc(bytes.length + 1));
      return bytes === weightBytes;
    };
    expect(await rejection(install())).toContain('sent too many bytes');
  });
});

describe('clear errors', () => {
  test.each([
    ['an unknown name', { name: 'nonsense' }, /^Unknown model: nonsense.*owner\/name/],
    ['an endpoint', { name: 'voyage-3.5' }, /^voyage-3.5 runs behind an endpoint/],
    ['a repository that is not there', { name: 'own/other' }, /has no model own\/other at/],
    ['an unsafe name', { name: '../x', from: os.tmpdir() }, /cannot be the name of a model/],
    ['other weights', { dtype: 'fp16' as const }, /no weights of type fp16 .*only q8/],
    ['a folder that is not there', { name: 'x', from: '/nowhere' }, /\/nowhere cannot be read/],
  ])('for %s', async (_what, request, message) => {
    expect(await rejection(install(request))).toMatch(message);
    expect(await listInstalledModels(folder)).toEqual([]);
  });

  test('for a gated model, and for a hub that cannot be reached', async () => {
    hub.listStatus = 401;
    expect(await rejection(install())).toContain('set HF_TOKEN');
    await hub[Symbol.asyncDispose]();
    expect(await rejection(install())).toContain('cannot be reached. Repeat the installation');
    expect(hub.pauses).toHaveLength(4);
    hub = await startFakeHub(files);
  });
});

describe('a folder', () => {
  let source: string;
  beforeEach(async () => {
    source = path.join(folder, 'source');
    for (const [name, bytes] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(source, name)), { recursive: true });
      await writeFile(path.join(source, name), bytes);
    }
  });

  test('is copied without a network', async () => {
    const models = path.join(folder, 'models');
    const model = await install({ name: 'my-model', from: source, folder: models });
    expect(model).toMatchObject({ name: 'my-model', source: 'source', revision: null });
    expect(hub.requests).toEqual([]);
    await verifyInstalledModel(models, 'my-model');
  });

  test('of a known model gets the facts of the table', async () => {
    const from = { from: source, folder: path.join(folder, 'models') };
    expect(await install({ name: 'BAAI/bge-small-en-v1.5', ...from })).toMatchObject({
      name: 'bge-small-en-v1.5',
      pooling: 'cls',
      dimensions: 384,
      tokensMax: 512,
      licence: 'MIT',
    });
    // Its checksum is known.
    const message = await rejection(install({ name: 'multilingual-e5-small', ...from }));
    expect(message).toContain('is not the file of multilingual-e5-small');
  });
});

test('a changed or missing file is found before the model is loaded', async () => {
  await install();
  const file = path.join(folder, 'tiny', weights);
  const changed = Buffer.from(weightBytes);
  changed[7] = 99;
  await writeFile(file, changed);
  await expect(verifyInstalledModel(folder, 'tiny')).rejects.toThrow(
    /model_quantized.onnx has changed since its installation.*mneme models install tiny/,
  );
  await rm(file);
  await expect(verifyInstalledModel(folder, 'tiny')).rejects.toThrow('is missing');
  await expect(verifyInstalledModel(folder, 'other')).rejects.toThrow('is not installed');
});

test('a removed model is gone with its files', async () => {
  await install();
  expect(await removeInstalledModel(folder, 'tiny')).toBeGreaterThan(300_000);
  expect(await removeInstalledModel(folder, 'tiny')).toBeNull();
  expect(await removeInstalledModel(folder, '..')).toBeNull();
  expect((await stat(folder)).isDirectory()).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});
