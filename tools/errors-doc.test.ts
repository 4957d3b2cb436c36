import { readFileSync } from 'node:fs';
import { type ErrorCode, errorCatalogue, fieldErrorCodes, statusesOfError } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { renderError } from '../packages/server/src/http/errors.ts';
import { AppError, fieldError } from '../packages/server/src/kernel/errors.ts';

const document = readFileSync(new URL('../docs/errors.md', import.meta.url), 'utf8');

/** The rows of the table below a heading, cell by cell; code is taken out of its ticks. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = document.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^\| (`.+) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.replace(/^`(\w+)`$/, '$1').trim()),
  );
}

/** Every code of the published table, and the statuses that it was published with. */
const published: Readonly<Record<string, readonly number[]>> = {
  missing_api_key: [401],
  missing_auth: [401],
  invalid_api_key: [401],
  expired_api_key: [401],
  revoked_api_key: [401],
  expired_token: [401],
  insufficient_permissions: [403],
  space_access_denied: [403],
  validation_error: [422],
  invalid_json: [400],
  invalid_request: [400],
  missing_field: [400],
  missing_required_field: [422],
  invalid_field: [400],
  invalid_field_type: [422],
  invalid_enum_value: [422],
  field_too_long: [422],
  content_too_large: [422],
  invalid_embedding: [422],
  invalid_events: [400],
  bad_request: [400],
  unauthorized: [401],
  not_found: [404],
  memory_not_found: [404],
  space_not_found: [404],
  cluster_not_found: [404],
  relationship_not_found: [404],
  conflict: [409],
  duplicate_memory: [409],
  relationship_exists: [409],
  space_already_exists: [409],
  space_not_empty: [409],
  invalid_state_transition: [409],
  rate_limit_exceeded: [429],
  daily_limit_exceeded: [429],
  quota_exceeded: [403, 429],
  concurrent_limit_exceeded: [429],
  concurrent_limit: [429],
  internal_error: [500],
  embedding_failed: [500],
  storage_error: [500],
  service_unavailable: [503],
};

const statusCell = (statuses: readonly number[]): string => statuses.join(', ');

describe('docs/errors.md', () => {
  const codes = rowsBelow('Codes');
  const unused = rowsBelow('Published codes that are never produced');

  it('lists every code of the catalogue with its statuses, and no other', () => {
    const catalogue = Object.keys(errorCatalogue) as ErrorCode[];
    expect(Object.fromEntries(codes.map(([code, status]) => [code, status]))).toEqual(
      Object.fromEntries(catalogue.map((code) => [code, statusCell(statusesOfError(code))])),
    );
    expect(codes.map(([code]) => code)).toEqual(catalogue);
  });

  it('says of each when it comes', () => {
    for (const [code, , when] of codes) expect(when, code).toMatch(/\w{3}/);
  });

  it('lists every field code, and no other', () => {
    expect(rowsBelow('Faulty fields').map(([code]) => code)).toEqual([...fieldErrorCodes]);
  });

  it.each(Object.entries(published))('has the published code %s in one list', (code, statuses) => {
    const [used] = codes.filter(([name]) => name === code);
    const [left] = unused.filter(([name]) => name === code);
    expect([used, left].filter(Boolean)).toHaveLength(1);
    expect((used ?? left)?.[1]?.split(', ')).toEqual(expect.arrayContaining(statuses.map(String)));
  });

  it('names for a code that is never produced one that is', () => {
    for (const [code = '', , instead] of unused) {
      expect(Object.keys(published)).toContain(code);
      expect(Object.keys(errorCatalogue)).not.toContain(code);
      const [, other = ''] = /^`?(\w+)/.exec(instead ?? '') ?? [];
      expect(Object.keys(errorCatalogue)).toContain(other);
    }
  });

  it('shows each form as it is', () => {
    const fault = { code: 'invalid_range', message: 'must be at most 100' } as const;
    const field = fieldError('limit', { ...fault, received: 500, max: 100 });
    const details = { limit: 60, remaining: 0, reset: 1_767_225_660, retry_after: 17, window: 60 };
    const limited = new AppError('rate_limit_exceeded', { details });
    const rendered = [
      renderError(field, 'nested', 'my-request'),
      renderError(field, 'flat', 'my-request'),
      renderError(field, 'status', 'my-request'),
      renderError(field, 'problem', 'my-request'),
      renderError(limited, 'nested', 'my-request'),
    ];
    const shown = [...document.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text);
    expect(shown).toEqual(rendered.map(({ body }) => `${JSON.stringify(body, null, 2)}\n`));
    const named = [...document.matchAll(/^(?:Nested|Flat|Status|Problem), (\d+)/gm)];
    expect(named.map(([, status]) => Number(status))).toEqual(
      rendered.slice(0, 4).map(({ status }) => status),
    );
  });
});
