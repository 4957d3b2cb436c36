import {
  type FieldError,
  findAliases,
  limits,
  type Route,
  rawItemsBody,
  toFieldErrors,
} from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { GrowableBuffer } from './growable-buffer.ts';
import { JsonScanner } from './scanner.ts';

/** A body that was parsed and validated against the schema of its route. */
export type CheckedBody =
  | { readonly status: 'valid'; readonly data: unknown; readonly sent?: unknown }
  | {
      readonly status: 'faulty';
      readonly faults: Record<string, FieldError>;
      /** The raw body, for checks against stored data; not for large bodies. */
      readonly sent?: unknown;
    }
  | { readonly status: 'refused'; readonly message: string };

type BodyRoute = Pick<Route, 'body' | 'bodyOptional' | 'bulkBody'>;

/**
 * Parses and validates a JSON body as its bytes arrive. In a bulk body, each item is parsed and
 * validated as soon as it is complete and then replaced by its index, so that neither the whole
 * text nor its unvalidated tree is ever in memory.
 */
export class JsonBodyReader {
  readonly #route: BodyRoute;
  readonly #scanner: JsonScanner;
  /** The body without its items. */
  readonly #outline = new GrowableBuffer();
  readonly #item = new GrowableBuffer();
  readonly #items: unknown[] = [];
  readonly #itemBytes: number[] = [];
  readonly #itemErrors: Record<string, FieldError>[] = [];
  #itemCount = 0;
  #usesAliases = false;
  #inItem = false;
  #chunk: Uint8Array = new Uint8Array();
  #from = 0;

  constructor(route: BodyRoute) {
    this.#route = route;
    this.#scanner = new JsonScanner(route.bulkBody?.list ?? null, {
      itemStart: (offset) => {
        this.#flush(offset);
        this.#inItem = true;
      },
      itemEnd: (offset) => {
        this.#flush(offset);
        this.#inItem = false;
        this.#endItem();
      },
    });
  }

  /** The number of JSON tokens so far. */
  get tokens(): number {
    return this.#scanner.tokens;
  }

  /** Whether the body has fields under an alias of their canonical name. */
  get usesAliases(): boolean {
    return this.#usesAliases;
  }

  /** The size of each item in bytes, by index. */
  get itemBytes(): readonly number[] {
    return this.#itemBytes;
  }

  /** The chunk may be reused afterwards. Throws 413 payload_too_large, 400 invalid_json. */
  write(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#from = 0;
    this.#scanner.write(chunk);
    this.#flush(chunk.length);
  }

  /** Throws 400 invalid_json. */
  finish(): CheckedBody {
    // The parser must reject an item without an end.
    this.#outline.append(this.#item.drain());
    const bytes = this.#outline.drain();
    const sent = bytes.length === 0 ? undefined : parse(bytes);
    const { bulkBody } = this.#route;
    if (bulkBody) return this.#checkBulk(bulkBody, sent);
    this.#usesAliases = findAliases(this.#route.body, sent).length > 0;
    return checkBody(this.#route, sent);
  }

  #flush(to: number): void {
    const target = this.#inItem ? this.#item : this.#outline;
    const part = this.#chunk.subarray(this.#from, to);
    const isPadding = part.length > 1 && !this.#scanner.inString && isBlank(part);
    if (part.length > 0) target.append(isPadding ? space : part);
    this.#from = to;
    if (target.bytes <= limits.bodyBytesMax || !this.#route.bulkBody) return;
    const { list } = this.#route.bulkBody;
    const where = this.#inItem ? `An item of "${list}"` : `The body outside of "${list}"`;
    const message = `${where} has more than ${limits.bodyBytesMax} bytes.`;
    throw new AppError('payload_too_large', { message });
  }

  #endItem(): void {
    const bytes = this.#item.drain();
    if (isBlank(bytes)) {
      this.#outline.append(bytes);
      return;
    }
    const value = parse(bytes, { ignoreBOM: true });
    const index = this.#itemCount;
    this.#itemCount += 1;
    this.#itemBytes[index] = bytes.length;
    this.#outline.append(Buffer.from(String(index)));
    // A list above the limit is rejected for its length only.
    if (index < limits.bulkItemsMax) this.#checkItem(value, index);
  }

  #checkItem(value: unknown, index: number): void {
    const { bulkBody } = this.#route;
    if (!bulkBody) return;
    this.#usesAliases ||= findAliases(bulkBody.item, value).length > 0;
    const { success, data, error } = bulkBody.item.safeParse(value);
    if (success) this.#items[index] = data;
    else {
      const prefix = `${bulkBody.list}.${index}`;
      this.#itemErrors.push(toFieldErrors(bulkBody.item, error.issues, value, prefix));
    }
  }

  #checkBulk({ list }: NonNullable<Route['bulkBody']>, sent: unknown): CheckedBody {
    if (!isObject(sent)) return notAnObject;
    const outline = rawItemsBody(list);
    const { success, error } = outline.safeParse(sent);
    const outlineErrors = success ? {} : toFieldErrors(outline, error.issues, sent);
    const errors = [...this.#itemErrors, outlineErrors].flatMap((each) => Object.entries(each));
    if (errors.length > 0) return { status: 'faulty', faults: limitErrors(errors) };
    const indexes = sent[list] as readonly number[];
    return { status: 'valid', data: { [list]: indexes.map((index) => this.#items[index]) } };
  }
}

/** Uses `fromEntries`, because a field may be named `__proto__`. */
const limitErrors = (errors: readonly [string, FieldError][]): Record<string, FieldError> =>
  Object.fromEntries(errors.slice(0, limits.fieldErrorsMax));

const space = Buffer.from(' ');

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notAnObject = { status: 'refused', message: 'The body must be a JSON object.' } as const;

/** Validates a parsed body; undefined for a request without a body. */
function checkBody({ body: schema, bodyOptional }: BodyRoute, sent: unknown): CheckedBody {
  if (!schema) {
    const isEmpty = sent === undefined || Object.keys(Object(sent) as object).length === 0;
    if (isEmpty) return { status: 'valid', data: undefined };
    return { status: 'refused', message: 'This route does not accept a body.' };
  }
  const body = sent === undefined && bodyOptional ? {} : sent;
  if (!isObject(body)) return notAnObject;
  const { success, data, error } = schema.safeParse(body);
  if (success) return { status: 'valid', data, sent: body };
  return { status: 'faulty', faults: toFieldErrors(schema, error.issues, body), sent: body };
}

/** Only the body itself, not an item, may begin with a byte order mark. Throws 400 invalid_json. */
function parse(bytes: Uint8Array, { ignoreBOM = false } = {}): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(bytes);
  } catch {
    throw new AppError('invalid_json', { message: 'The body is not valid UTF-8.' });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError('invalid_json');
  }
}
