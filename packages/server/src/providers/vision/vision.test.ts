import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  json,
  type LanguageEndpoint,
  startLanguageEndpoint,
} from '../../../../../test/support/language-endpoint.ts';
import { createLocalVision } from './local.ts';
import { createOpenAiVision } from './openai.ts';
import { type Vision, VisionFailed } from './vision.ts';

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff);
const never = new AbortController().signal;

describe('a model behind an endpoint', () => {
  let endpoint: LanguageEndpoint;
  let vision: Vision;
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

  test('is given the picture and its place, and its answer is cut to fit', async () => {
    const labels = ['whiteboard', ' whiteboard ', '', 'x'.repeat(500), ...'abcdefghijklmnopqrstuv'];
    endpoint.script(json({ description: ' A board\nwith\u0000 a plan. ', labels }));
    const seen = await vision.look({ jpeg, time: 12.34 }, never);
    expect(seen?.description).toBe('A board with a plan.');
    expect(seen?.labels.slice(0, 2)).toEqual(['whiteboard', 'x'.repeat(100)]);
    expect(seen?.labels).toHaveLength(20);
    const { messages } = endpoint.requests[0] as unknown as { messages: { content: unknown }[] };
    expect(messages[1]?.content).toEqual([
      { type: 'text', text: 'The frame at 12.3 s.' },
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/' } },
    ]);
  });

  test('is asked once more where its answer does not fit, and then fails', async () => {
    endpoint.script(json({ description: '', labels: [] }), json({ nothing: true }));
    const error = await vision.look({ jpeg, time: 0 }, never).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(VisionFailed);
    expect(endpoint.requests).toHaveLength(2);
  });

  test('that refuses the key would refuse every picture', async () => {
    endpoint.script({ status: 401, body: '{"error":{"code":"invalid_api_key"}}' });
    const call = vision.look({ jpeg, time: 0 }, never);
    await expect(call).rejects.toMatchObject({
      unavailable: true,
      lasting: true,
      message: expect.stringContaining('vision model: 401 invalid_api_key ('),
    });
  });
});

describe('text in the frame', () => {
  const reading = (lines: { text: string; mean: number }[]) => async () => ({
    default: { create: async () => ({ detect: async () => lines }) },
  });

  test('is what stands there legibly; a picture without any says nothing', async () => {
    const lines = [
      { text: 'Quarterly plan', mean: 0.95 },
      { text: 'x9#', mean: 0.2 },
      { text: 'Ship in May', mean: 0.9 },
    ];
    const seen = await createLocalVision(reading(lines)).look({ jpeg, time: 0 }, never);
    expect(seen).toEqual({ description: 'Quarterly plan Ship in May', labels: [] });
    expect(await createLocalVision(reading([])).look({ jpeg, time: 0 }, never)).toBeNull();
  });

  test('without the package the message names it and how to install it', async () => {
    const vision = createLocalVision(async () => {
      throw new Error('no such package');
    });
    const call = vision.look({ jpeg, time: 0 }, never);
    await expect(call).rejects.toThrow('npm install @gutenye/ocr-node');
  });
});
