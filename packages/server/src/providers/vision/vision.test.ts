import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  jsonReply,
  type LanguageEndpoint,
  startLanguageEndpoint,
} from '../../../../../test/support/language-endpoint.ts';
import { systemClock } from '../../kernel/clock.ts';
import { type ModelClient, ModelProcess } from '../model-process/index.ts';
import { createLocalVision, ocrProcessSettings } from './local.ts';
import type { OcrLine } from './ocr.ts';
import { createOpenAiVision } from './openai.ts';
import { VisionFailed, type VisionModel } from './vision.ts';

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff);
const never = new AbortController().signal;

describe('a model behind an endpoint', () => {
  let endpoint: LanguageEndpoint;
  let vision: VisionModel;
  beforeEach(async () => {
    endpoint = await startLanguageEndpoint();
    vision = createOpenAiVision(
      { url: endpoint.url, apiKey: 'sk-vision', model: 'sees-1', timeoutMs: 5_000 },
      { sleep: async () => undefined },
    );
  });
  afterEach(async () => {
    await endpoint[Symbol.asyncDispose]();
  });

  test('receives the picture and its time, and its response is truncated', async () => {
    const labels = ['whiteboard', ' whiteboard ', '', 'x'.repeat(500), ...'abcdefghijklmnopqrstuv'];
    endpoint.queueReplies(jsonReply({ description: ' A board\nwith\u0000 a plan. ', labels }));
    const seen = await vision.describe({ jpeg, time: 12.34 }, never);
    expect(seen?.description).toBe('A board with a plan.');
    expect(seen?.labels.slice(0, 2)).toEqual(['whiteboard', 'x'.repeat(100)]);
    expect(seen?.labels).toHaveLength(20);
    const { messages } = endpoint.requests[0] as unknown as { messages: { content: unknown }[] };
    expect(messages[1]?.content).toEqual([
      { type: 'text', text: 'The frame at 12.3 s.' },
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } },
    ]);
  });

  test('is retried once if its response is invalid, and then fails', async () => {
    endpoint.queueReplies(jsonReply({ description: '', labels: [] }), jsonReply({ nothing: true }));
    const error = await vision
      .describe({ jpeg, time: 0 }, never)
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VisionFailed);
    expect(endpoint.requests).toHaveLength(2);
  });

  test('that rejects the key is unavailable', async () => {
    endpoint.queueReplies({ status: 401, body: '{"error":{"code":"invalid_api_key"}}' });
    const call = vision.describe({ jpeg, time: 0 }, never);
    await expect(call).rejects.toMatchObject({
      unavailable: true,
      isPermanent: true,
      message: expect.stringContaining('vision model: 401 invalid_api_key ('),
    });
  });
});

describe('text in the frame', () => {
  const fixture = new URL('./fixtures/ocr.ts', import.meta.url).href;
  const start = (library = fixture) =>
    new ModelProcess<Uint8Array, OcrLine[]>(ocrProcessSettings(library), systemClock);
  const look = (reader: ModelClient<Uint8Array, OcrLine[]>, bytes: number) =>
    createLocalVision(reader).describe({ jpeg: new Uint8Array(bytes), time: 0 }, never);

  test('is the legible text; a picture without text has no description', async () => {
    await using reader = start();
    const description = 'A picture of 3 bytes and more';
    expect(await look(reader, 3)).toEqual({ description, labels: [] });
    expect(await look(reader, 0)).toBeNull();
  });

  test('of an unreadable picture fails alone', async () => {
    await using reader = start();
    const error = await look(reader, 2).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VisionFailed);
    const message = 'the text of a frame could not be read';
    expect(error).toMatchObject({ message, unavailable: false });
    expect(await look(reader, 0)).toBeNull();
  });

  test('without the package the message names it and how to install it', async () => {
    await using reader = start('file:///nowhere/ocr.js');
    const error = await look(reader, 3).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VisionFailed);
    expect(error).toMatchObject({
      message: expect.stringContaining(
        'run "npm install @gutenye/ocr-node" in the server\'s folder',
      ),
      unavailable: true,
    });
  });
});
