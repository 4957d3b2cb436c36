import type { ErrorCode } from '@mneme/contract';
import type { CheckedBody } from './reader.ts';

/** What the server asks of the thread that parses large bodies; `id` names one body. */
export type BodyRequest =
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

export interface BodyResponses {
  begin: null;
  /** JSON tokens so far, since they take memory as well as bytes do. */
  write: { readonly tokens: number };
  /** The items of a bulk body are left out and fetched in batches. */
  finish: {
    readonly body: CheckedBody;
    readonly itemCount: number;
    /** SHA-256 of the body's bytes, where it was asked for. */
    readonly digest: Uint8Array | null;
  };
  items: { readonly items: readonly unknown[] };
}

export type BodyResult<K extends keyof BodyResponses> =
  | { readonly answer: BodyResponses[K] }
  | { readonly refused: BodyError };

/** The thread forgets the body. */
export interface DropBody {
  readonly drop: number;
}
