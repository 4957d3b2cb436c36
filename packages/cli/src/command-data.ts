/** The commands of the API as data; `generated/commands.ts` is written from the contract. */

/** How the text of an option becomes a value. */
export type ValueType =
  /** A short text, such as a name, an id or one of several values; as it is. */
  | 'word'
  /** A text of any length; `-` reads stdin, `@file` a file. */
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  /** A time: ISO 8601, or relative such as `7d` (ago) and `+7d` (ahead). */
  | 'time'
  /** Texts, separated by commas; `-` reads lines from stdin. */
  | 'list'
  /** Numbers, separated by commas or as a JSON array. */
  | 'numbers'
  /** A JSON object, or `key=value`, which can be repeated. */
  | 'object'
  /** Like `object`, but values stay texts; sent as `metadata.<key>` in a query. */
  | 'filter'
  /** A list of JSON values: as an array, or one value per line. */
  | 'json'
  /** A space by name or id. */
  | 'space';

/** The part of a request that has a field. */
export type Place = 'params' | 'query' | 'headers' | 'body';

export interface FieldData {
  /** The name on the wire; dots separate the names of nested fields. */
  readonly field: string;
  readonly place: Place;
  readonly type: ValueType;
  readonly description: string;
  readonly values?: readonly string[];
  readonly required?: true;
  /** null is a valid value: `--unset` sends it. */
  readonly nullable?: true;
}

export interface ArgumentData extends FieldData {
  /** `memory-id` in `<memory-id>`. */
  readonly name: string;
  /** The last argument can be repeated. */
  readonly variadic?: true;
}

export interface OptionData extends FieldData {
  /** `created-after` in `--created-after`. */
  readonly flag: string;
}

export interface CommandData {
  readonly verb: string;
  readonly aliases?: readonly string[];
  /** The operationId, such as `memories.list`. */
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly arguments?: readonly ArgumentData[];
  readonly options?: readonly OptionData[];
  /** Has a JSON body. */
  readonly body?: true;
  /** The media type of a body that is sent unchanged. */
  readonly rawBody?: string;
  /** The question of the confirmation; `{0}` is the first argument. */
  readonly confirms?: string;
  /** The result can name a job that continues the work. */
  readonly job?: true;
  /** Fields of the result that people do not see: older names of other fields. */
  readonly hidden?: readonly string[];
  /** The maximum page size of a list. */
  readonly pageMax?: number;
}

export interface NounData {
  readonly noun: string;
  readonly commands: readonly CommandData[];
}
