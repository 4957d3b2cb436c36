import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceOverrides } from '../../../packages/server/src/context.ts';
import { systemClock } from '../../../packages/server/src/kernel/clock.ts';
import { ModelProcess } from '../../../packages/server/src/providers/model-process/index.ts';
import {
  createTransformersTranscriber,
  toWhisperProcessSettings,
} from '../../../packages/server/src/providers/transcription/transformers.ts';
import type {
  WhisperRequest,
  WhisperResult,
} from '../../../packages/server/src/providers/transcription/whisper.ts';
import {
  createLocalVision,
  ocrProcessSettings,
} from '../../../packages/server/src/providers/vision/local.ts';
import type { OcrLine } from '../../../packages/server/src/providers/vision/ocr.ts';
import { generateAudio, generateVideo } from '../../support/generated-media.ts';
import { jsonReply as reply, startLanguageEndpoint } from '../../support/language-endpoint.ts';
import { type Service, startService } from '../../support/service.ts';
import { startSpeechEndpoint, verboseJsonReply } from '../../support/speech-endpoint.ts';
import { errorCodeOf, type HttpResult, parseJson, sendRequest } from './http-requests.ts';
import { uploadRecording, waitForResult } from './transcription-service.ts';

const transcriptReply = verboseJsonReply([
  { start: 0.2, end: 0.8, text: 'Ana ships the importer on Friday.' },
]);
const reasonOf = (response: HttpResult): string =>
  parseJson<{ error: { details: { reason: string } } }>(response).error.details.reason;

/** A provider with a missing dependency that only the operator can install. */
interface Broken {
  readonly env?: Record<string, string>;
  readonly overrides?: ServiceOverrides;
  mend(): Promise<void>;
  stop(): Promise<void>;
}

const key = 'sk-very-secret';
const refusing = (status: number) => ({ status, body: JSON.stringify({ error: { code: key } }) });

async function hearsByEndpoint(status: number): Promise<Broken> {
  const endpoint = await startSpeechEndpoint();
  endpoint.setDefaultReply(() => refusing(status));
  const settings = { MODEL: 'hears-1', API_KEY: key, URL: endpoint.url };
  return {
    env: namedAs('MNEME_TRANSCRIPTION', settings),
    mend: async () => endpoint.setDefaultReply(() => transcriptReply),
    stop: async () => endpoint[Symbol.asyncDispose](),
  };
}

async function seesByEndpoint(status: number): Promise<Broken> {
  const endpoint = await startLanguageEndpoint();
  endpoint.setDefaultReply(() => refusing(status));
  const settings = { MODEL: 'sees-1', API_KEY: key, URL: endpoint.url };
  return {
    env: namedAs('MNEME_VISION', settings),
    mend: async () => endpoint.setDefaultReply(() => reply({ description: 'A wall.', labels: [] })),
    stop: async () => endpoint[Symbol.asyncDispose](),
  };
}

const namedAs = (prefix: string, settings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`${prefix}_${name}`, value]));

async function hearsByProgram(): Promise<Broken> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-listener-'));
  const program = path.join(folder, 'listener');
  const text = JSON.stringify([{ start: 0, end: 1, text: 'Words.' }]);
  return {
    env: { MNEME_TRANSCRIPTION_COMMAND: `${program} {file}` },
    async mend() {
      await writeFile(program, `#!/bin/sh\necho '${text}'\n`);
      await chmod(program, 0o755);
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs in a separate process, which finds the package after its installation. */
async function lacksPackage(
  stands: URL,
  overridesOf: (library: string, opening: AsyncDisposableStack) => ServiceOverrides,
): Promise<Broken> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'mneme-package-'));
  const library = path.join(folder, 'package.ts');
  const opening = new AsyncDisposableStack();
  return {
    overrides: overridesOf(library, opening),
    mend: () => copyFile(stands, library),
    async stop() {
      await opening.disposeAsync();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const standing = (provider: string): URL =>
  new URL(`../../../packages/server/src/providers/${provider}`, import.meta.url);

const hearsByLibrary = () =>
  lacksPackage(standing('transcription/fixtures/transformers.ts'), (library, opening) => {
    const settings = { model: 'hub/whisper', cacheDir: '/cache', library };
    const whisper = toWhisperProcessSettings(settings, { timeoutMs: 60_000, memoryBytes: null });
    const model = opening.use(
      new ModelProcess<WhisperRequest, WhisperResult>(whisper, systemClock),
    );
    return { transcribers: [createTransformersTranscriber(settings, model)] };
  });

const seesByLibrary = () =>
  lacksPackage(standing('vision/fixtures/ocr.ts'), (library, opening) => {
    const reader = new ModelProcess<Uint8Array, OcrLine[]>(
      ocrProcessSettings(library),
      systemClock,
    );
    return { vision: createLocalVision(opening.use(reader)) };
  });

const hearing = { asked: 'transcribe', told: 'transcript' } as const;
const seeing = { asked: 'video/interpret', told: 'video/interpretation' } as const;
const cases = [
  [
    'an endpoint that refuses the key',
    hearing,
    () => hearsByEndpoint(401),
    /transcription endpoint: 401.*key.*MNEME_TRANSCRIPTION_API_KEY/,
  ],
  [
    'an endpoint that forbids',
    hearing,
    () => hearsByEndpoint(403),
    /transcription endpoint: 403.*MNEME_TRANSCRIPTION_API_KEY/,
  ],
  [
    'an endpoint without such a model',
    hearing,
    () => hearsByEndpoint(404),
    /transcription endpoint: 404.*MNEME_TRANSCRIPTION_MODEL/,
  ],
  [
    'a program that is not installed',
    hearing,
    hearsByProgram,
    /"command".* listener.*install it.*MNEME_TRANSCRIPTION_COMMAND/,
  ],
  [
    'a library that is not installed',
    hearing,
    hearsByLibrary,
    /"transformers".*npm install @huggingface\/transformers/,
  ],
  [
    'a model that sees and refuses the key',
    seeing,
    () => seesByEndpoint(401),
    /vision model: 401.*key.*MNEME_VISION_API_KEY/,
  ],
  [
    'a model that sees and is not there',
    seeing,
    () => seesByEndpoint(404),
    /vision model: 404.*MNEME_VISION_MODEL/,
  ],
  [
    'a reader of frames that is not installed',
    seeing,
    seesByLibrary,
    /npm install @gutenye\/ocr-node/,
  ],
] as const;

/** These tests do not depend on the database engine. */
describe.each(cases)('with %s', (_name, { asked: verb, told: noun }, breaking, remedy) => {
  let broken: Broken;
  let service: Service;
  beforeAll(async () => {
    broken = await breaking();
    const { env = {}, overrides = {} } = broken;
    service = await startService('embedded', { env, overrides });
  });
  afterAll(async () => {
    await service.stop();
    await broken.stop();
  });

  it('it is told at once what to do, and what is asked for after that is made', async () => {
    const credentials = { ...(await service.createAccount()), url: service.url };
    const bytes = await (noun === 'transcript'
      ? generateAudio('tone.ogg', 1)
      : generateVideo('film.mp4', 1));
    const id = await uploadRecording(credentials, bytes);
    const address = `/v1/memories/${id}/${verb}`;
    if (verb === 'video/interpret') await sendRequest(credentials, address, { method: 'POST' });
    const failed = await waitForResult(credentials, `/v1/memories/${id}/${noun}`);
    expect([failed.status, errorCodeOf(failed)]).toEqual([503, 'service_unavailable']);
    expect(reasonOf(failed)).toMatch(remedy);
    expect(failed.bytes.toString('utf8')).not.toContain(key);
    expect(failed.bytes.toString('utf8')).not.toContain(os.tmpdir());
    await broken.mend();
    const again = await sendRequest(credentials, address, { method: 'POST' });
    expect(again.status).toBe(202);
    expect((await waitForResult(credentials, `/v1/memories/${id}/${noun}`)).status).toBe(200);
  });
});
