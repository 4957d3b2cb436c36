import type { FieldFault } from '@mneme/contract';
import { type RawAnswer, retryAfterSeconds } from './transport.ts';

/** The service refused, or could not. All published error forms end up here. */
export class MnemeError extends Error {
  override readonly name = 'MnemeError';
  readonly status: number;
  /** A code of the contract's catalogue, or `http_<status>` where the answer has none. */
  readonly code: string;
  /** What is wrong with single fields, by dotted path. */
  readonly fields: Readonly<Record<string, FieldFault>>;
  readonly details: Readonly<Record<string, unknown>>;
  /** What the service's log calls this request. */
  readonly requestId: string | null;
  /** When it may be tried again; null where the answer does not say. */
  readonly retryAfterSeconds: number | null;

  constructor(answer: RawAnswer) {
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

type Bag = Readonly<Record<string, unknown>>;

const bag = (value: unknown): Bag =>
  typeof value === 'object' && value !== null ? (value as Bag) : {};
const text = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === 'string' && value !== '');

/** Nested, flat, status and problem+json forms; anything else is told by its status. */
export function readError({ status, headers, body }: RawAnswer): {
  code: string;
  message: string;
  details: Bag;
  fields: Readonly<Record<string, FieldFault>>;
  requestId: string | null;
} {
  const outer = bag(body);
  const inner = bag(outer.error);
  const flatCode = 'statusCode' in outer ? undefined : text(outer.error);
  const details = 'details' in inner ? bag(inner.details) : bag(outer.details);
  return {
    code: text(inner.code, outer.code, flatCode) ?? `http_${status}`,
    message: text(inner.message, outer.detail, outer.message) ?? plainMessage(status),
    details,
    fields: bag(details.fields ?? outer.fields) as Readonly<Record<string, FieldFault>>,
    requestId: headers.get('x-request-id') ?? text(inner.request_id, outer.request_id) ?? null,
  };
}

const plainMessage = (status: number): string =>
  status >= 200 && status < 300
    ? `The answer (${status}) is not one of Mneme's: is the URL right?`
    : `The answer was ${status}.`;
