import {
  type ErrorCode,
  errorCatalogue,
  errorFormatOf,
  fieldErrorCodes,
  type Route,
  statusesOfError,
} from '@mneme/contract';

/** What came back, as it came. */
export interface ActualResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Codes that any route may answer, besides those of its row. */
const commonErrorCodes: readonly ErrorCode[] = [
  'invalid_api_key',
  'missing_api_key',
  'insufficient_permissions',
  'invalid_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'validation_error',
  'bad_request',
  'not_found',
  'method_not_allowed',
  'idempotency_key_reused',
];

/** Everything that is wrong with an answer by the contract; empty when all is well. */
export function findContractViolations(
  route: Route,
  { status, headers, text }: ActualResponse,
): string[] {
  if (status >= 500) return [`a ${status}: ${text}`];
  if (!headers.get('x-request-id')) return ['no X-Request-Id'];
  if (!(status in route.responses)) return findErrorViolations(route, status, text);
  const [type = ''] = headers.get('content-type')?.split(';') ?? [];
  // The route's schema is that of its JSON form; its other forms are any text.
  if (route.formats?.includes(type)) return text === '' ? ['an empty text'] : [];
  if (
    route.responseType === '*/*' ||
    (route.responseType !== undefined && route.responseType === type)
  )
    return [];
  const schema = route.responses[status];
  if (!schema) return text === '' ? [] : [`a ${status} with a body: ${text}`];
  const body = parse(text);
  const { error } = schema.safeParse(body);
  return error ? [`a ${status} that is no answer of the route: ${error.message}`] : [];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The flat form has its code in the place of the error. */
function parsePublishedError(text: string): PublishedError {
  const body = parse(text) as { error?: unknown; message?: unknown } | undefined;
  if (typeof body?.error !== 'string') return (body ?? {}) as PublishedError;
  return { error: { code: body.error, message: body.message } };
}

interface PublishedError {
  readonly error?: {
    readonly code?: string;
    readonly message?: unknown;
    readonly request_id?: unknown;
    readonly details?: { readonly fields?: Readonly<Record<string, PublishedFieldError>> };
  };
}
interface PublishedFieldError {
  readonly code?: string;
  readonly message?: unknown;
}

function findErrorViolations(route: Route, status: number, text: string): string[] {
  const { error } = parsePublishedError(text);
  const code = error?.code ?? '';
  if (!(code in errorCatalogue)) return [`a ${status} without a published code: ${text}`];
  const known = statusesOfError(code as ErrorCode);
  const faults: string[] = [];
  if (!known.includes(status)) faults.push(`${code} with ${status}, published as ${known}`);
  if (typeof error?.message !== 'string' || error.message === '')
    faults.push(`${code}: no message`);
  const isFlat = errorFormatOf(route.path) === 'flat';
  if (!isFlat && typeof error?.request_id !== 'string') faults.push(`${code}: no request_id`);
  const own = [...commonErrorCodes, ...route.errors, ...(route.notFound ? [route.notFound] : [])];
  if (!own.includes(code as ErrorCode)) faults.push(`${code} is no error of ${route.id}`);
  if (/\b(?:select|insert|update) .* from\b|at \S+\.ts:\d+|node_modules/i.test(text)) {
    faults.push(`${code} tells of the inside: ${text}`);
  }
  if (code === 'validation_error')
    faults.push(...findFieldViolations(error?.details?.fields ?? {}));
  return faults;
}

function findFieldViolations(fields: Readonly<Record<string, PublishedFieldError>>): string[] {
  const entries = Object.entries(fields);
  if (entries.length === 0) return ['validation_error without fields'];
  return entries.flatMap(([name, { code, message }]) => {
    const isKnown = (fieldErrorCodes as readonly unknown[]).includes(code);
    const isNamed = typeof message === 'string' && message !== '';
    return isKnown && isNamed ? [] : [`field ${name}: ${code}, ${message}`];
  });
}
