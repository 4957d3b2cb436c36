import type { ErrorCode } from '@mneme/contract';
import type { CheckedBody } from './reader.ts';

/** A request to the thread that parses large bodies; `id` identifies the body. */
export type BodyThreadRequest =
  | {
      readonly kind: 'begin';
      readonly id: number;
      readonly routeId: string;
      readonly hashed: boolean;
    }
  | { readonly kind: 'write'; readonly id: number; readonly chunk: Uint8Array }
  | { readonly kind: 'finish'; readonly id: number }
  | { readonly kind: 'items'; readonly id: number; readonly from: number };

interface BodyError {
  readonly code: ErrorCode;
  readonly message: string;
}

export interface BodyThreadResponses {
  begin: null;
  /** The number of JSON tokens so far, because they need memory in addition to the bytes. */
  write: { readonly tokens: number };
  /** Without the items of a bulk body, which are fetched in batches. */
  finish: {
    readonly body: CheckedBody;
    readonly usesAliases: boolean;
    readonly itemCount: number;
    /** The SHA-256 of the body, if it was requested. */
    readonly digest: Uint8Array | null;
  };
  items: { readonly items: readonly unknown[] };
}

export type BodyThreadResult<K extends keyof BodyThreadResponses> =
  | { readonly answer: BodyThreadResponses[K] }
  | { readonly refused: BodyError };

/** The thread releases the body. */
export interface DropBodyMessage {
  readonly drop: number;
}
