import { describe, expect, it } from 'vitest';
import { MnemeError } from './index.ts';
import { type ScriptedResponse, startScriptedServer } from './testing.ts';

async function refusal(answer: ScriptedResponse): Promise<unknown> {
  await using scene = await startScriptedServer(() => answer, { retries: 0 });
  return await scene.client.memories.list().then(
    () => null,
    (error: unknown) => error,
  );
}

const fields = { limit: { code: 'invalid_range', message: 'must be at most 100', max: 100 } };

describe('MnemeError', () => {
  it('has everything of the nested form', async () => {
    const error = { code: 'validation_error', message: 'm', details: { fields, a: 1 } };
    const body = { error: { ...error, request_id: 'r1' } };
    const refused = await refusal({ status: 422, body, headers: { 'retry-after': '3' } });
    expect(refused).toBeInstanceOf(MnemeError);
    expect(refused).toMatchObject({
      ...error,
      name: 'MnemeError',
      status: 422,
      fields,
      requestId: 'r1',
      retryAfterSeconds: 3,
    });
  });

  it('has code and message of the flat form', async () => {
    const refused = await refusal({ status: 400, body: { error: 'bad_request', message: 'm' } });
    const none = { fields: {}, details: {}, requestId: null, retryAfterSeconds: null };
    expect(refused).toMatchObject({ status: 400, code: 'bad_request', message: 'm', ...none });
  });

  it('has the message of the status form, whose code is the status', async () => {
    const body = { statusCode: 409, error: 'Conflict', message: 'm' };
    const refused = await refusal({ status: 409, body });
    expect(refused).toMatchObject({ status: 409, code: 'http_409', message: 'm' });
  });

  it('has everything of the problem form', async () => {
    const problem = { type: 'about:blank', title: 'Unprocessable Content', status: 422 };
    const body = { ...problem, detail: 'm', code: 'validation_error', request_id: 'r1', fields };
    const headers = { 'content-type': 'application/problem+json; charset=utf-8' };
    const refused = await refusal({ status: 422, body, headers });
    const expected = { code: 'validation_error', message: 'm', fields, requestId: 'r1' };
    expect(refused).toMatchObject(expected);
  });

  it('takes the request id of the header first', async () => {
    const headers = { 'x-request-id': 'header' };
    const refused = await refusal({ status: 404, headers, body: { request_id: 'body' } });
    expect(refused).toMatchObject({ requestId: 'header' });
  });

  it.each([
    ['a page of a proxy', { 'content-type': 'text/html' }, '<h1>Bad gateway</h1>'],
    ['JSON that is cut off', {}, '{"error": {"co'],
    ['JSON that is no object', {}, '"no"'],
    ['nothing', {}, ''],
    ['null', {}, 'null'],
  ])('tells %s by its status', async (_what, headers, body) => {
    const refused = await refusal({ status: 502, headers, body });
    expect(refused).toMatchObject({
      code: 'http_502',
      message: 'The service responded with status 502.',
    });
  });

  it.each([
    ['a page of another server', { 'content-type': 'text/html' }, '<h1>Welcome</h1>'],
    ['JSON that is cut off', {}, '{"data": ['],
    ['nothing', {}, ''],
    ['null', {}, 'null'],
  ])('is what becomes of %s with status 200', async (_what, headers, body) => {
    const refused = await refusal({ status: 200, headers, body });
    expect(refused).toMatchObject({ name: 'MnemeError', status: 200, code: 'http_200' });
  });
});
