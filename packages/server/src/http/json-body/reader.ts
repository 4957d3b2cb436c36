import { type FieldError, fieldErrors, limits, listBody, type Route } from '@mneme/contract';
import { AppError } from '../../kernel/errors.ts';
import { GrowableBuffer } from './growable-buffer.ts';
import { JsonScanner } from './scanner.ts';

/** A body that was parsed and checked against its route's schema. */
export type CheckedBody =
  | { readonly status: 'valid'; readonly data: unknown; readonly sent?: unknown }
  | {
      readonly status: 'faulty';
      readonly faults: Record<string, FieldError>;
      /** What was sent, for faults that only the account's data shows; not of large bodies. */
      readonly sent?: unknown;
    }
  | { readonly status: 'refused'; readonly message: string };

type BodyRoute = Pick<Route, 'body' | 'bodyOptional' | 'bulkBody'>;

/**
 * Parses and checks a JSON body as its bytes arrive. Of a bulk body each item is parsed and checked
 * as soon as it is complete and then replaced by its index, so that neither the whole text nor an
 * unchecked tree of it is ever in memory.
 */
export class JsonBodyReader {
  readonly #route: BodyRoute;
  readonly #scanner: JsonScanner;
  /** The body without its items. */
  readonly #outline = new GrowableBuffer();
  readonly #item = new GrowableBuffer();
  readonly #items: unknown[] = [];
  readonly #itemBytes: number[] = [];
  readonly #itemFaults: Record<string, FieldError>[] = [];
  #itemCount = 0;
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

  /** JSON tokens so far. */
  get tokens(): number {
    return this.#scanner.tokens;
  }

  /** How many bytes each item had, by its index. */
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
    // An item without an end: what is left is no JSON, and the parser is to see it.
    this.#outline.append(this.#item.drain());
    const bytes = this.#outline.drain();
    const sent = bytes.length === 0 ? undefined : parse(bytes);
    const { bulkBody } = this.#route;
    return bulkBody ? this.#checkBulk(bulkBody, sent) : checkBody(this.#route, sent);
  }

  #flush(to: number): void {
    const target = this.#inItem ? this.#item : this.#outline;
    const piece = this.#chunk.subarray(this.#from, to);
    const isPadding = piece.length > 1 && !this.#scanner.inString && isBlank(piece);
    if (piece.length > 0) target.append(isPadding ? space : piece);
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
    // The list is refused for its length: what else is wrong with it is of no interest.
    if (index < limits.bulkItemsMax) this.#checkItem(value, index);
  }

  #checkItem(value: unknown, index: number): void {
    const { bulkBody } = this.#route;
    if (!bulkBody) return;
    const { success, data, error } = bulkBody.item.safeParse(value);
    if (success) this.#items[index] = data;
    else {
      const faults = fieldErrors(bulkBody.item, error.issues, value, `${bulkBody.list}.${index}`);
      this.#itemFaults.push(faults);
    }
  }

  #checkBulk({ list }: NonNullable<Route['bulkBody']>, sent: unknown): CheckedBody {
    if (!isObject(sent)) return notAnObject;
    const outline = listBody(list);
    const { success, error } = outline.safeParse(sent);
    const outlineFaults = success ? {} : fieldErrors(outline, error.issues, sent);
    const found = [...this.#itemFaults, outlineFaults].flatMap((each) => Object.entries(each));
    if (found.length > 0) return { status: 'faulty', faults: limitFaults(found) };
    const indexes = sent[list] as readonly number[];
    return { status: 'valid', data: { [list]: indexes.map((index) => this.#items[index]) } };
  }
}

/** `fromEntries`, since a field may be called `__proto__`. */
const limitFaults = (found: readonly [string, FieldError][]): Record<string, FieldError> =>
  Object.fromEntries(found.slice(0, limits.fieldErrorsMax));

const space = Buffer.from(' ');

const isBlank = (piece: Uint8Array): boolean =>
  piece.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const notAnObject = { status: 'refused', message: 'The body must be a JSON object.' } as const;

/** Checks a body that was parsed whole; undefined where there is none. */
function checkBody({ body: schema, bodyOptional }: BodyRoute, sent: unknown): CheckedBody {
  if (!schema) {
    const isEmpty = sent === undefined || Object.keys(Object(sent) as object).length === 0;
    if (isEmpty) return { status: 'valid', data: undefined };
    return { status: 'refused', message: 'This route takes no body.' };
  }
  const given = sent === undefined && bodyOptional ? {} : sent;
  if (!isObject(given)) return notAnObject;
  const { success, data, error } = schema.safeParse(given);
  if (success) return { status: 'valid', data, sent: given };
  return { status: 'faulty', faults: fieldErrors(schema, error.issues, given), sent: given };
}

/** Only a whole body may begin with a byte order mark. Throws 400 invalid_json. */
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
