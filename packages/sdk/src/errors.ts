import type { FieldError } from '@mneme/contract';
import { type RawResponse, retryAfterSeconds } from './transport.ts';

/** An error response of the service, in any of its formats. */
export class MnemeError extends Error {
  override readonly name = 'MnemeError';
  readonly status: number;
  /** An error code of the contract, or `http_<status>` if the response has none. */
  readonly code: string;
  /** Errors of single fields, by dotted path. */
  readonly fields: Readonly<Record<string, FieldError>>;
  readonly details: Readonly<Record<string, unknown>>;
  /** Id of the request in the log of the service. */
  readonly requestId: string | null;
  /** Seconds until a retry is allowed; null if the response does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(response: RawResponse) {
    const { code, message, details, fields, requestId } = parseErrorResponse(response);
    super(message);
    this.status = response.status;
    this.code = code;
    this.details = details;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds(response);
  }
}

type UnknownRecord = Readonly<Record<string, unknown>>;

const asRecord = (value: unknown): UnknownRecord =>
  typeof value === 'object' && value !== null ? (value as UnknownRecord) : {};
const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

/** Reads the nested, flat, status and problem+json formats; other bodies give only the status. */
export function parseErrorResponse({ status, headers, body }: RawResponse): {
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
    ? `The response (${status}) is not from a Mneme service: check the URL.`
    : `The service responded with status ${status}.`;
