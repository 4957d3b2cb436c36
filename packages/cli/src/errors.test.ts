import { MnemeError } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import { CliError, renderError } from './errors.ts';

const url = 'http://h';
const refusal = (body: unknown, headers: Record<string, string> = {}) =>
  new MnemeError({ status: 422, headers: new Headers(headers), body });

describe('renderError', () => {
  it('prints a line for each invalid field', () => {
    const fields = {
      plan: { code: 'invalid_enum_value', message: 'must be one of a, b' },
      name: { code: 'required', message: 'is required' },
    };
    const error = { code: 'validation_error', message: 'Not valid.', details: { fields } };
    expect(renderError(refusal({ error }), url)).toEqual([
      'mneme: validation_error: Not valid.',
      '  plan: must be one of a, b (invalid_enum_value)',
      '  name: is required (required)',
    ]);
  });

  it('says how long to wait before the next attempt', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Too many.' };
    expect(renderError(refusal({ error }, { 'retry-after': '7' }), url)).toEqual([
      'mneme: rate_limit_exceeded: Too many. Try again in 7 s.',
    ]);
  });

  it('names the scope that the key lacks', () => {
    const details = { required_scope: 'search:read' };
    const error = { code: 'insufficient_permissions', message: 'Not permitted.', details };
    expect(renderError(refusal({ error }), url)).toEqual([
      'mneme: insufficient_permissions: Not permitted. The key needs the scope search:read.',
    ]);
  });

  it('prints an error of the CLI itself', () => {
    expect(renderError(new CliError('missing_api_key', 'Set it.'), url)).toEqual([
      'mneme: missing_api_key: Set it.',
    ]);
  });

  it.each([
    ['a refused connection', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
    ['a lost connection', new TypeError('terminated', { cause: { message: 'other side closed' } })],
    ['a timeout', new DOMException('aborted', 'TimeoutError')],
  ])('names the URL after %s', (_what, error) => {
    expect(renderError(error, url)?.[0]).toMatch(
      /^mneme: unreachable: No response from http:\/\/h \(/,
    );
  });

  it('says how to reach a port without TLS', () => {
    const cause = { code: 'ERR_SSL_WRONG_VERSION_NUMBER' };
    expect(renderError(new TypeError('fetch failed', { cause }), url)?.[0]).toMatch(
      / This port has no TLS: use http:\/\/ in MNEME_URL, or the port of the proxy\.$/,
    );
  });

  it('returns null for a defect of the program, whose stack is printed', () => {
    expect(renderError(new TypeError('x is not a function'), url)).toBeNull();
  });
});
