import { STATUS_CODES } from 'node:http';
import { errorCatalogue } from '@mneme/contract';
import { expect } from 'vitest';
import type { ErrorCase } from './error-case.ts';

/** By which headers a caller asks for which form. */
export const formatHeaders = {
  default: {},
  nested: { 'x-error-format': 'nested' },
  flat: { 'x-error-format': 'flat' },
  status: { 'x-error-format': 'status' },
  problem: { accept: 'application/problem+json' },
} as const satisfies Record<string, Record<string, string>>;

export type RequestedFormat = keyof typeof formatHeaders;
export const requestedFormats = Object.keys(formatHeaders) as RequestedFormat[];

/** What of a row decides the answer. */
type ErrorExpectation = Pick<ErrorCase, 'code' | 'status' | 'format' | 'isHeadUnread' | 'details'>;

interface Expected {
  readonly status: number;
  readonly contentType: string;
  readonly body: unknown;
}

const someMessage = expect.stringMatching(/^[A-Z].*\w/s);
const limitFields = ['limit', 'remaining', 'reset', 'retry_after', 'window'];

/** 460 is a status of the tus protocol, which Node does not know. */
export const statusText = (status: number): string | undefined =>
  status === 460 ? 'Checksum Mismatch' : STATUS_CODES[status];

export const statusOf = ({ code, status }: ErrorExpectation): number =>
  status ?? errorCatalogue[code].status;

/** A row is asked in its own form and in one of the others: http/errors.test.ts has them all. */
export function formatsForCase(index: number): readonly RequestedFormat[] {
  const others = requestedFormats.filter((asked) => asked !== 'default');
  return ['default', others[index % others.length] as RequestedFormat];
}

/** Fewer codes are published in the flat form. */
export function toFlatFormat(row: ErrorExpectation): { code: string; status: number } {
  if (row.code === 'validation_error') return { code: 'bad_request', status: 400 };
  const status = statusOf(row);
  return { code: status === 401 ? 'unauthorized' : row.code, status };
}

/** The published answer to a row in a form; `requestId` may be a matcher. */
export function expectedResponse(
  row: ErrorExpectation,
  asked: RequestedFormat,
  requestId: unknown,
): Expected {
  const status = statusOf(row);
  const form = asked === 'default' || row.isHeadUnread ? (row.format ?? 'nested') : asked;
  const { code, details } = row;
  const json = { status, contentType: 'application/json; charset=utf-8' };
  switch (form) {
    case 'nested': {
      const limits = status === 429 ? limitsOf(row) : {};
      const known = { code, message: someMessage, ...limits, request_id: requestId };
      return { ...json, body: { error: details ? { ...known, details } : known } };
    }
    case 'flat': {
      const flat = toFlatFormat(row);
      const message = messageOf(row);
      return { ...json, status: flat.status, body: { error: flat.code, message } };
    }
    case 'status': {
      const message = messageOf(row);
      return { ...json, body: { statusCode: status, error: statusText(status), message } };
    }
    case 'problem':
      return {
        status,
        contentType: 'application/problem+json; charset=utf-8',
        body: {
          type: 'about:blank',
          title: statusText(status),
          status,
          detail: someMessage,
          code,
          request_id: requestId,
          ...details,
        },
      };
  }
}

const limitsOf = ({ details = {} }: ErrorExpectation): Record<string, unknown> =>
  Object.fromEntries(limitFields.map((name) => [name, details[name]]));

/** Where there are no details, the message names every faulty field. */
function messageOf({ code, details }: ErrorExpectation): unknown {
  if (code !== 'validation_error') return someMessage;
  const names = Object.keys((details?.fields ?? {}) as object);
  const each = names.map((name) => `(?=(?:|.*; )${name.replaceAll('.', String.raw`\.`)} \\w)`);
  return expect.stringMatching(
    new RegExp(`^${each.join('')}[^;]+(?:; [^;]+){${names.length - 1}}$`),
  );
}
