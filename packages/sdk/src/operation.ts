/** What differs from an ordinary operation: JSON in, JSON out, a success status. */
export interface OperationTraits {
  /** Accepts an Idempotency-Key. */
  readonly idempotent?: boolean;
  /** A POST that only reads. */
  readonly reads?: boolean;
  /** A success is binary: the result is the unread `Response` of fetch. */
  readonly binary?: boolean;
  /** A success can be a text instead of JSON. */
  readonly text?: boolean;
  /** A success can have no body. */
  readonly empty?: boolean;
  /** A success is an endless stream of events. */
  readonly stream?: boolean;
  /** A success is one page of a list. */
  readonly list?: boolean;
  /** Statuses from 300 on that have a result. */
  readonly statuses?: readonly number[];
  /** Headers that every request sends with these values. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One operation of the API. `Input` and `Result` are the types of its call. */
export interface Operation<Input = unknown, Result = unknown> extends OperationTraits {
  /** The operationId, such as `memories.create`. */
  readonly id: string;
  readonly method: string;
  /** Path below /v1, with parameters as `:name`. */
  readonly path: string;
  /** Carries the types; never set. */
  readonly types?: { readonly input: Input; readonly result: Result };
}

/** An operation whose result is one page of a list; `Item` is the type of a record. */
export interface ListOperation<Input = unknown, Result = unknown, Item = unknown>
  extends Operation<Input, Result> {
  readonly list: true;
  /** Carries the type of a record; never set. */
  readonly itemType?: Item;
}

/** @param target method and path, such as `POST /memories` */
export function defineOperation<Input, Result>(
  id: string,
  target: string,
  traits?: OperationTraits,
): Operation<Input, Result> {
  const [method = '', path = ''] = target.split(' ');
  return { id, method, path, ...traits };
}

export const defineListOperation = <Input, Result, Item>(
  id: string,
  target: string,
): ListOperation<Input, Result, Item> => ({ ...defineOperation(id, target), list: true });
