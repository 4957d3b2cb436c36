import { type ClientOptions, createTransport, createUntypedCaller } from './caller.ts';
import type { AnyInput, CallOptions, OperationCaller } from './calls.ts';
import { type FollowedEvent, type FollowOptions, followEvents } from './follow.ts';
import { operations } from './generated/operations.ts';
import type { Areas, Memory } from './generated/types.ts';
import { createListCall } from './list-call.ts';
import type { Operation } from './operation.ts';
import { prepareRequest, type RawRequest, type RawResponse, sendRequest } from './transport.ts';
import {
  type CompletedUpload,
  type FileUpload,
  type PartsUpload,
  type UploadInPartsOptions,
  type UploadOptions,
  uploadFile,
  uploadInParts,
} from './upload.ts';

export interface Client extends Areas, OperationCaller {
  readonly memories: Areas['memories'] & {
    /**
     * Stores a text, audio or video file; the service detects the type from its bytes. With
     * `onProgress`, a Blob is sent in parts that resume after a lost connection.
     */
    upload(file: FileUpload, options?: UploadOptions): Promise<Memory>;
    /** Like `upload`, always in parts; an interrupted upload can be resumed by its id. */
    uploadInParts(file: PartsUpload, options?: UploadInPartsOptions): Promise<CompletedUpload>;
  };
  /** Iterates over new events, each once and in order; reconnects automatically. */
  follow(options?: FollowOptions): AsyncGenerator<FollowedEvent, void>;
  /** Sends one request unchanged: no retries, no error for any status. */
  request(request: RawRequest): Promise<RawResponse>;
}

/**
 * Creates a client whose methods are the operations of the API, by area and verb. Throws a
 * TypeError for an invalid URL and for an unknown option.
 */
export function createClient(options: ClientOptions = {}): Client {
  const transport = createTransport(options);
  const untyped = createUntypedCaller(transport, options.validator);
  const areas = mapOperations((operation) => (input?: AnyInput, callOptions?: CallOptions) => {
    const result = untyped.call(operation, input, callOptions);
    if (!operation.list) return result;
    return createListCall(result, (firstPage) =>
      untyped.paginateFrom(firstPage, operation, input, callOptions),
    );
  });
  const { call, raw, paginate } = untyped;
  const caller = { call, raw, paginate } as OperationCaller;
  const memories = {
    ...areas.memories,
    upload: (file: FileUpload, uploadOptions?: UploadOptions) =>
      uploadFile(transport, caller, file, uploadOptions),
    uploadInParts: (file: PartsUpload, partsOptions?: UploadInPartsOptions) =>
      uploadInParts(transport, caller, file, partsOptions),
  };
  // The loop over the operations builds exactly what `Client` declares.
  return {
    ...areas,
    memories,
    ...caller,
    follow: (followOptions?: FollowOptions) => followEvents(transport, followOptions),
    request: (request: RawRequest) => sendRequest(transport, prepareRequest(transport, request)),
  } as unknown as Client;
}

/** By area and verb, listed once; an event stream has no response to return. */
const callableOperations = Object.entries<Readonly<Record<string, Operation>>>(operations).map(
  ([area, verbs]) => [area, Object.entries(verbs).filter(([, { stream }]) => !stream)] as const,
);

const mapOperations = <T>(make: (operation: Operation) => T): Record<string, Record<string, T>> =>
  Object.fromEntries(
    callableOperations.map(([area, verbs]) => [
      area,
      Object.fromEntries(verbs.map(([verb, operation]) => [verb, make(operation)])),
    ]),
  );
