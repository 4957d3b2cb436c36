import type { ErrorCode } from '@mneme/contract';
import { expect } from 'vitest';
import { openRawConnection, type RawHttpResponse } from '../../support/raw-http.ts';
import type { FaultInjectionService } from './fault-injection-service.ts';

/** One way to one error. Add a row for each new way; the test does the rest. */
export interface ErrorCase {
  readonly code: ErrorCode;
  /** What happens, as the end of a sentence: "409 conflict where …". */
  readonly where: string;
  /** The route that answers, by its id in the contract; null where none is reached. */
  readonly route: string | null;
  /** Where it is not the catalogue's usual status. */
  readonly status?: number;
  /** The form that is used unless another is asked for; nested unless told. */
  readonly format?: 'nested' | 'flat';
  /** The head of the request is never read: no form can be asked for, and no id is echoed. */
  readonly isHeadUnread?: boolean;
  /** The whole of `details`, matchers allowed; left out where there are none. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Headers beyond those of every error of its kind. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the fault inside says and only the log may tell; for statuses from 500 on. */
  readonly internalMessage?: string;
  /** Brings the service to where `send` is refused, any number of times. */
  readonly provoke: (stage: FaultInjectionService) => Promise<ProvokedError>;
}

export interface ProvokedError {
  /** Sends the request with these headers added. */
  send(headers: Readonly<Record<string, string>>): Promise<RawHttpResponse>;
  /** The lines of the log, where another service than the stage's answers. */
  logLines?(): readonly string[];
  /** Puts things right again. */
  restore?(): Promise<void> | void;
}

export interface RequestOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown;
}

/** A request below /v1, such as `POST /memories`, on a connection of its own each time. */
export function prepareRequest(
  { service }: Pick<FaultInjectionService, 'service'>,
  line: string,
  asked: RequestOptions = {},
) {
  return {
    async send(headers: Readonly<Record<string, string>>): Promise<RawHttpResponse> {
      using wire = await openRawConnection(service.url);
      wire.send(requestText(line, { ...asked, headers: { ...asked.headers, ...headers } }));
      return await wire.readResponse();
    },
  };
}

/** The request as it goes over the wire. */
export function requestText(line: string, { key, headers, body }: RequestOptions): string {
  const [method = '', path = ''] = line.split(' ');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const fields = {
    host: 'localhost',
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
    ...headers,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`${method} /v1${path} HTTP/1.1`, ...head, '', text ?? ''].join('\r\n');
}

/** The id of nothing. */
export const absentId = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';
export const someId = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
