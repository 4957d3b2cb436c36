import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import {
  type Header,
  type HttpExchange,
  type RecordedBody,
  recordedExchanges,
  serviceLogLines,
} from './http-exchanges.ts';

const exchangesShownMax = 5;
const linesMax = 40;
const bodyCharactersMax = 4_000;
const lineCharactersMax = 600;
const warnings = new Set(['warn', 'error', 'fatal']);

const shownHeaders = [
  /^(?:accept|authorization|etag|expect|last-event-id|location|origin|range|retry-after)$/i,
  /^(?:content-(?:type|length|encoding|range)|www-authenticate)$/i,
  /^(?:access-control|idempotency|if|ratelimit|tus|upload)-/i,
  /^x-(?!content-type|frame|dns|permitted|download|xss)/i,
];

interface LogLine {
  readonly level: string;
  /** ISO 8601. */
  readonly time: string;
  readonly msg?: string;
  readonly reqId?: string;
  readonly [field: string]: unknown;
}

/** The last exchanges of the test with the log lines of each request; '' without exchanges. */
export function renderLastExchanges(startMs: number): string {
  const { exchanges, omitted } = recordedExchanges();
  const shown = exchanges.slice(-exchangesShownMax);
  const before = omitted + exchanges.length - shown.length;
  const printed = new Set<string>();
  const parts = shown.map((exchange, i) => {
    const heading = `--- request ${before + i + 1} of ${before + shown.length}: ${exchange.title}`;
    return [heading, ...exchangeLines(exchange), ...requestLogLines(exchange, printed)].join('\n');
  });
  const startedAt = new Date(startMs).toISOString();
  const others = [...new Set(serviceLogLines())]
    .filter((line) => !printed.has(line))
    .map(parseLogLine)
    .filter((line) => line !== null && warnings.has(line.level) && line.time >= startedAt);
  if (others.length > 0)
    parts.push(['--- other warnings and errors of the log', ...formatLogLines(others)].join('\n'));
  // Output outside the log: crash messages and exit codes.
  const plain = serviceLogLines().filter((line) => line !== '' && parseLogLine(line) === null);
  if (plain.length > 0) parts.push(['--- other output', ...plain.slice(-linesMax)].join('\n'));
  return redactSecrets(parts.join('\n'));
}

function exchangeLines(exchange: HttpExchange): string[] {
  const { requestHeaders, requestBody, status, responseHeaders, responseBody, error } = exchange;
  const noStatus = responseBody.bytes > 0 ? 'received' : 'no response';
  const response = status === null ? (error ?? noStatus) : `status ${status}`;
  return [
    ...headerLines(requestHeaders),
    ...bodyLines(requestBody, requestHeaders),
    `<<< ${response}`,
    ...headerLines(responseHeaders),
    ...bodyLines(responseBody, responseHeaders),
  ];
}

const headerLines = (headers: readonly Header[]): string[] =>
  headers
    .filter(
      ([name, value]) => shownHeaders.some((pattern) => pattern.test(name)) && value !== '*/*',
    )
    .map(([name, value]) => {
      const isSecret = /^(?:authorization|x-api-key)$/i.test(name);
      return `${name.toLowerCase()}: ${isSecret ? '[hidden]' : value}`;
    });

const headerOf = (headers: readonly Header[], name: string): string =>
  headers.find(([field]) => field.toLowerCase() === name)?.[1] ?? '';

function bodyLines(body: RecordedBody, headers: readonly Header[]): string[] {
  if (body.bytes === 0) return [];
  const text = decodeBody(body.firstBytes(), headerOf(headers, 'content-encoding')).toString(
    'utf8',
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals interpret these characters
  if (/[\x00-\x08\x0e-\x1f]/.test(text)) return [`(${body.bytes} bytes)`];
  const shown = text.slice(0, bodyCharactersMax);
  const isWhole = body.isComplete && shown === text;
  return isWhole ? [shown] : [shown, `(the beginning of ${body.bytes} bytes)`];
}

/** Decodes as much as possible: the end may be missing. */
function decodeBody(bytes: Buffer, encoding: string): Buffer {
  try {
    if (encoding === 'br') {
      return brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
    }
    if (encoding === '') return bytes;
    return unzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return bytes;
  }
}

/** The log lines of the requests of an exchange; a raw connection may have several requests. */
function requestLogLines(exchange: HttpExchange, printed: Set<string>): string[] {
  const raw = exchange.responseBody.firstBytes().toString('latin1');
  const ids = new Set([
    headerOf(exchange.responseHeaders, 'x-request-id'),
    ...[...raw.matchAll(/^x-request-id: (\S+)/gim)].map(([, id]) => id ?? ''),
  ]);
  const lines = serviceLogLines(exchange.origin).filter((line) => {
    const { reqId = '' } = parseLogLine(line) ?? {};
    return reqId !== '' && ids.has(reqId);
  });
  for (const line of lines) printed.add(line);
  return formatLogLines(lines.map(parseLogLine));
}

function parseLogLine(line: string): LogLine | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return null;
  }
}

function formatLogLines(lines: readonly (LogLine | null)[]): string[] {
  const shown = lines
    .slice(-linesMax)
    .flatMap((line) => (line === null ? [] : [formatLogLine(line)]));
  const hidden = lines.length - shown.length;
  return hidden > 0 ? [`log: ${hidden} earlier lines`, ...shown] : shown;
}

function formatLogLine({ level, time, msg = '', reqId: _, ...fields }: LogLine): string {
  const at = time.slice(11, 23);
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  const text = `log ${at} ${level}: ${msg}${rest}`;
  return text.length > lineCharactersMax ? `${text.slice(0, lineCharactersMax)}…` : text;
}

const secrets: readonly (readonly [RegExp, string])[] = [
  [/(mnk(?:_|%5F)[0-9A-Z]{12}(?:_|%5F))[0-9A-Z_%]+/gi, '$1[hidden]'],
  [/\b(mn[ors]_)[\w-]{43}/g, '$1[hidden]'],
  [/whsec_[\w+/=-]+/g, 'whsec_[hidden]'],
  [/\.eyJ[\w%.-]+/g, '.[hidden]'],
  // Also within a JSON string, where quotes are escaped.
  [/("\w*(?:secret|token|password|api_?key)\\?"\s*:\s*\\?")[^"\\]+/gi, '$1[hidden]'],
  [/^(authorization: ).+$/gim, '$1[hidden]'],
];

const redactSecrets = (text: string): string =>
  secrets.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
