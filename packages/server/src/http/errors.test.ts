import { type ErrorCode, errorCatalogue, statusesOfError } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import {
  expectedResponse,
  formatHeaders,
  requestedFormats,
} from '../../../../test/acceptance/errors/error-formats.ts';
import { AppError } from '../kernel/errors.ts';
import { toErrorResponse } from './errors.ts';
import { jsonContentType } from './response.ts';

const id = 'request-1';
const limits = { limit: 5, remaining: 0, reset: 1_790_000_000, retry_after: 7, window: 60 };
const fields = {
  'tags.1': { code: 'field_too_long', message: 'has more than 255 characters', max: 255 },
  content: { code: 'required', message: 'is required' },
};

/** The possible details of an error with this code and status. */
const detailsOf = (code: ErrorCode, status: number): readonly (object | undefined)[] => {
  if (status === 429) return [limits];
  return code === 'validation_error' ? [{ fields }] : [undefined, { max_bytes: 9, field: 'x' }];
};
const errors = (Object.keys(errorCatalogue) as ErrorCode[]).flatMap((code) =>
  statusesOfError(code).map((status) => [`${status} ${code}`, code, status] as const),
);
const flatOnly = ['unauthorized', 'bad_request'];

describe.each(errors.filter(([, code]) => !flatOnly.includes(code)))('%s', (_, code, status) => {
  it.each(requestedFormats)('has the %s form with all fields', (asked) => {
    for (const given of detailsOf(code, status)) {
      const details = given as Record<string, unknown> | undefined;
      const headers = { 'x-test': 'kept' };
      const error = new AppError(code, {
        status,
        headers,
        cause: new Error('inside'),
        ...(details ? { details } : {}),
      });
      const request = { id, url: '/v1/memories', headers: formatHeaders[asked] };
      const answer = toErrorResponse(error, request);
      const row = { code, status, ...(details ? { details } : {}) };
      const { contentType, ...rest } = expectedResponse(row, asked, id);
      expect({ status: answer.status, body: answer.body }).toEqual(rest);
      expect(answer.headers).toMatchObject(headers);
      expect(answer.headers['content-type'] ?? jsonContentType).toBe(contentType);
    }
  });
});

describe('the form of an error', () => {
  const formOf = (url: string, headers: Record<string, string>, code: ErrorCode = 'conflict') => {
    const { body } = toErrorResponse(new AppError(code), { id, url, headers });
    const { error, statusCode, type } = body as Record<string, unknown>;
    if (type !== undefined) return 'problem';
    if (statusCode !== undefined) return 'status';
    return typeof error === 'string' ? 'flat' : 'nested';
  };

  it.each([
    ['/v1/memories', 'nested'],
    ['/v1/webhooks/1', 'flat'],
    ['/webhooks/1', 'nested'],
    ['/', 'nested'],
  ])('of %s is %s by default', (url, form) => {
    expect(formOf(url, {})).toBe(form);
  });

  it('is nested by default for a 429 of every area', () => {
    expect(formOf('/v1/webhooks/1', {}, 'rate_limit_exceeded')).toBe('nested');
    expect(formOf('/v1/webhooks/1', { 'x-error-format': 'flat' }, 'rate_limit_exceeded')).toBe(
      'flat',
    );
  });

  it.each<[string, Record<string, string>]>([
    ['nested', { 'x-error-format': 'yaml' }],
    ['nested', { accept: 'text/html, application/json' }],
    ['nested', { accept: 'application/problem+json;q=0, */*' }],
    ['nested', { accept: 'application/problem+json; q=0.00' }],
    ['problem', { accept: 'text/html, application/problem+json;q=.5' }],
    ['problem', { accept: 'Application/Problem+JSON' }],
    ['flat', { 'x-error-format': 'Flat' }],
    ['flat', { accept: 'application/problem+json', 'x-error-format': 'flat' }],
  ])('is %s by %o', (form, headers) => {
    expect(formOf('/v1/memories', headers)).toBe(form);
  });
});
