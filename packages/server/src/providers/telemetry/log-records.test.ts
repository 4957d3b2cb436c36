import { SeverityNumber } from '@opentelemetry/api-logs';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../kernel/log.ts';
import { toLogRecord } from './log-records.ts';

function recordOf(level: 'info' | 'error', fields: object, message: string) {
  const lines: string[] = [];
  createLog('info', { write: (line) => lines.push(line) })[level](fields, message);
  return toLogRecord(lines[0] ?? '');
}

describe('a record of the log', () => {
  it('has the message, the severity and the fields that name no tenant', () => {
    const fields = { method: 'GET', status: 200, url: '/v1/memories/x', client: '192.0.2.1' };
    expect(
      recordOf('info', { ...fields, account: 'acme', kind: { a: 1 } }, 'request'),
    ).toMatchObject({
      body: 'request',
      severityNumber: SeverityNumber.INFO,
      severityText: 'INFO',
      attributes: { method: 'GET', status: 200 },
    });
    const { attributes } = recordOf('info', { ...fields, account: 'acme' }, 'request');
    expect(Object.keys(attributes ?? {})).toEqual(['method', 'status']);
  });

  it('has an error by the conventions for exceptions', () => {
    const record = recordOf('error', { err: new TypeError('no such pool') }, 'job failed');
    expect(record.severityNumber).toBe(SeverityNumber.ERROR);
    expect(record.attributes).toEqual({
      'exception.type': 'TypeError',
      'exception.message': 'no such pool',
      'exception.stacktrace': expect.stringContaining('log-records.test.ts'),
    });
  });
});
