import { readFile } from 'node:fs/promises';
import { constants, getPriority } from 'node:os';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createFakeClock } from '../../../../../test/support/fake-clock.ts';
import { isAvailable } from '../../../../../test/support/requirements.ts';
import { createTestModel, neverAborted, TestModelError } from './testing.ts';

const model = createTestModel(createFakeClock());
const pidOf = async (): Promise<number> => (await model.request('pid', neverAborted)) as number;
afterAll(() => model[Symbol.asyncDispose]());

describe('a model in a child process', () => {
  test('returns its input, numbers as numbers', async () => {
    const samples = Int16Array.of(1, -2, 32_767);
    const bytes = Uint8Array.of(255, 216);
    const given = { samples: samples.subarray(1), bytes, language: undefined };
    expect(await model.request(given, neverAborted)).toEqual({
      ...given,
      samples: Int16Array.of(-2, 32_767),
    });
    expect(await pidOf()).not.toBe(process.pid);
  });

  test('serves requests in order, in one process that loads once', async () => {
    const order: unknown[] = [];
    const questions = ['a', 'b', 'pid', 'loads'].map((question) =>
      model.request(question, neverAborted).then((answer) => order.push(answer)),
    );
    await Promise.all(questions);
    expect(order).toEqual(['a', 'b', await pidOf(), 1]);
  });

  test.runIf(isAvailable('processFiles'))('has only the environment passed to it', async () => {
    vi.stubEnv('MNEME_SECRET_KEY', 'a secret of the service');
    const listed = await readFile(`/proc/${await pidOf()}/environ`, 'utf8');
    vi.unstubAllEnvs();
    const own = listed
      .split('\0')
      .filter((line) => line !== '' && !line.startsWith('NODE_CHANNEL_'));
    expect(own).toEqual(['HF_TOKEN=of the hub']);
  });

  test('runs at a lower priority', async () => {
    const least = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
    expect(await model.request('priority', neverAborted)).toBe(least);
  });
});

describe('a failing request', () => {
  test('with the error of its provider has its class and message', async () => {
    const error = await model.request('refuse', neverAborted).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TestModelError);
    expect(error).toMatchObject({ message: 'it cannot be read', unavailable: true });
    expect((error as Error & { cause: Error }).cause.stack).toContain('fixtures/model.ts');
  });

  test('with another error is not of that class', async () => {
    const error = await model.request('fail', neverAborted).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(TestModelError);
    expect(error).toMatchObject({ message: 'no such question' });
    expect((error as Error).stack).toContain('RangeError');
  });
});
