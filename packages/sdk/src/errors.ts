import type { FieldError } from '@mneme/contract';
import { type RawResponse, retryAfterSeconds } from './transport.ts';

/** The service refused, or could not. All published error forms end up here. */
export class MnemeError extends Error {
  override readonly name = 'MnemeError';
  readonly status: number;
  /** A code of the contract's catalogue, or `http_<status>` where the answer has none. */
  readonly code: string;
  /** What is wrong with single fields, by dotted path. */
  readonly fields: Readonly<Record<string, FieldError>>;
  readonly details: Readonly<Record<string, unknown>>;
  /** What the service's log calls this request. */
  readonly requestId: string | null;
  /** When it may be tried again; null where the answer does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(answer: RawResponse) {
    const { code, message, details, fields, requestId } = readError(answer);
    super(message);
    this.status = answer.status;
    this.code = code;
    this.details = details;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds(answer);
  }
}

type UnknownRecord = Readonly<Record<string, unknown>>;

const asRecord = (value: unknown): UnknownRecord =>
  typeof value === 'object' && value !== null ? (value as UnknownRecord) : {};
const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

/** Nested, flat, status and problem+json forms; anything else is told by its status. */
export function readError({ status, headers, body }: RawResponse): {
  code: string;
  message: string;
  details: UnknownRecord;
  fields: Readonly<Record<string, FieldError>>;
  requestId: string | null;
} {
  const outer = asRecord(body);
  const inner = asRecord(outer.error);
  const flatCode = 'statusCode' in outer ? undefined : firstText(outer.error);
  const details = 'details' in inner ? asRecord(inner.details) : asRecord(outer.details);
  return {
    code: firstText(inner.code, outer.code, flatCode) ?? `http_${status}`,
    message: firstText(inner.message, outer.detail, outer.message) ?? statusMessage(status),
    details,
    fields: asRecord(details.fields ?? outer.fields) as Readonly<Record<string, FieldError>>,
    requestId: headers.get('x-request-id') ?? firstText(inner.request_id, outer.request_id) ?? null,
  };
}

const statusMessage = (status: number): string =>
  status >= 200 && status < 300
    ? `The answer (${status}) is not one of Mneme's: is the URL right?`
    : `The answer was ${status}.`;
