import type { ErrorDetails, FieldError } from './error-details.ts';
import type { ErrorCode } from './generated/types.ts';
import { type RawResponse, retryAfterSeconds } from './transport.ts';

/** A published code; `http_<status>` if the response has none; a newer service may have others. */
export type AnyErrorCode = ErrorCode | (string & {});

/** An error response of the service, in any of its formats. */
export class MnemeError<Code extends string = AnyErrorCode> extends Error {
  override readonly name = 'MnemeError';
  readonly status: number;
  readonly code: Code;
  /** Errors of single fields, by dotted path. */
  readonly fields: Readonly<Record<string, FieldError>>;
  readonly details: ErrorDetails<Code>;
  /** Id of the request in the log of the service. */
  readonly requestId: string | null;
  /** Seconds until a retry is allowed; null if the response does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(response: RawResponse) {
    const { code, message, details, fields, requestId } = parseErrorResponse(response);
    super(message);
    this.status = response.status;
    this.code = code as Code;
    this.details = details as ErrorDetails<Code>;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds(response);
  }
}

/**
 * Whether an error is an error response, with one of these codes if there are any. Narrows `code`
 * and `details`.
 *
 * ```ts
 * if (isMnemeError(error, 'duplicate_memory')) return error.details.memory_id;
 * ```
 */
export const isMnemeError = <Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is MnemeError<Code> =>
  error instanceof MnemeError && (codes.length === 0 || codes.includes(error.code as Code));

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
