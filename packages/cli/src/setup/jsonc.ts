import { CliError } from '../errors.ts';

/** A value in a text of JSON with comments, by its place. */
type Node =
  | { readonly kind: 'object'; readonly start: number; end: number; readonly items: Property[] }
  | { readonly kind: 'array'; readonly start: number; end: number; readonly items: Node[] }
  | { readonly kind: 'scalar'; readonly start: number; end: number; readonly value: unknown };

interface Property {
  readonly key: string;
  readonly start: number;
  readonly value: Node;
}

type ObjectNode = Extract<Node, { kind: 'object' }>;

const depthMax = 200;
const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const scalar = /"(?:[^"\\\n]|\\.)*"|-?\d[\d.eE+-]*|true|false|null/y;

/** Reads JSON with comments and trailing commas. Throws SyntaxError. */
class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readAll(): Node {
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
    const node = this.#readValue(0);
    this.#skipBlank();
    if (this.#at < this.#text.length) throw new SyntaxError('text after the end');
    return node;
  }

  #readValue(depth: number): Node {
    if (depth > depthMax) throw new SyntaxError('nested too deeply');
    this.#skipBlank();
    const start = this.#at;
    if (this.#take('{')) {
      const items: Property[] = [];
      this.#readItems('}', () => items.push(this.#readProperty(depth)));
      return { kind: 'object', start, end: this.#at, items };
    }
    if (this.#take('[')) {
      const items: Node[] = [];
      this.#readItems(']', () => items.push(this.#readValue(depth + 1)));
      return { kind: 'array', start, end: this.#at, items };
    }
    const value = this.#readScalar();
    return { kind: 'scalar', start, end: this.#at, value };
  }

  #readItems(close: string, readItem: () => void): void {
    for (let isFirst = true; ; isFirst = false) {
      this.#skipBlank();
      if (this.#take(close)) return;
      if (!isFirst) {
        if (!this.#take(',')) throw new SyntaxError('a comma is missing');
        this.#skipBlank();
        if (this.#take(close)) return;
      }
      readItem();
    }
  }

  #readProperty(depth: number): Property {
    const start = this.#at;
    const key = this.#readScalar();
    this.#skipBlank();
    if (typeof key !== 'string' || !this.#take(':')) throw new SyntaxError('a name is missing');
    return { key, start, value: this.#readValue(depth + 1) };
  }

  #readScalar(): unknown {
    scalar.lastIndex = this.#at;
    const found = scalar.exec(this.#text)?.[0];
    if (found === undefined) throw new SyntaxError('a value is missing');
    this.#at += found.length;
    return JSON.parse(found);
  }

  #skipBlank(): void {
    blank.lastIndex = this.#at;
    this.#at += blank.exec(this.#text)?.[0].length ?? 0;
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }
}

/** Throws CliError `unreadable_file`. */
function read(text: string, file: string): ObjectNode {
  try {
    const node = new Reader(text).readAll();
    if (node.kind === 'object') return node;
    throw new SyntaxError('the value is no object');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliError('unreadable_file', `${file} is not valid JSON: ${error.message}.`);
  }
}

function toValue(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(toValue);
  return Object.fromEntries(node.items.map(({ key, value }) => [key, toValue(value)]));
}

/** The property that counts: the last one of a name. */
const propertyOf = (node: Node | undefined, key: string): Property | undefined =>
  node?.kind === 'object' ? node.items.findLast((property) => property.key === key) : undefined;

/** The value at a path of names; undefined if there is none. Throws CliError `unreadable_file`. */
export function getJsonValue(text: string, path: readonly string[], file: string): unknown {
  if (text.trim() === '') return undefined;
  let node: Node | undefined = read(text, file);
  for (const key of path) node = propertyOf(node, key)?.value;
  return node && toValue(node);
}

/**
 * The text with another value at a path; undefined removes it, and objects that are empty then.
 * Everything else stays as it is written, with its comments. Throws CliError `unreadable_file`,
 * also if the path leads through a value that is no object.
 */
export function setJsonValue(
  text: string,
  path: readonly string[],
  value: unknown,
  file: string,
): string {
  if (text.trim() === '') return value === undefined ? text : format(nest(path, value), '  ', '\n');
  const root = read(text, file);
  return value === undefined ? remove(text, root, path) : insert(text, root, path, value, file);
}

const nest = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, key) => ({ [key]: inner }), value);

const format = (value: unknown, unit: string, end: string): string =>
  `${JSON.stringify(value, null, unit)}${end}`;

function insert(
  text: string,
  root: ObjectNode,
  path: readonly string[],
  value: unknown,
  file: string,
): string {
  let target = root;
  for (const [i, key] of path.entries()) {
    const found = propertyOf(target, key)?.value;
    const rest = path.slice(i + 1);
    if (found === undefined) return addProperty(text, target, key, nest(rest, value));
    if (rest.length === 0) {
      const written = indented(text, found.start, value);
      return text.slice(0, found.start) + written + text.slice(found.end);
    }
    if (found.kind !== 'object') {
      throw new CliError(
        'unreadable_file',
        `${path.slice(0, i + 1).join('.')} of ${file} is no object.`,
      );
    }
    target = found;
  }
  return text;
}

const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const indentationAt = (text: string, at: number): string => {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
};

/** A value as it is written on the line of `at`. */
function indented(text: string, at: number, value: unknown): string {
  const lines = format(value, unitOf(text), '').split('\n');
  return lines.join(`${lineEndOf(text)}${indentationAt(text, at)}`);
}

function addProperty(text: string, target: ObjectNode, key: string, value: unknown): string {
  const last = target.items.at(-1);
  const end = lineEndOf(text);
  const outer = indentationAt(text, target.start);
  const inner =
    last && text.slice(target.start, last.start).includes('\n')
      ? indentationAt(text, last.start)
      : `${outer}${unitOf(text)}`;
  const written = format(value, unitOf(text), '').replaceAll('\n', `${end}${inner}`);
  const property = `${end}${inner}${JSON.stringify(key)}: ${written}`;
  if (!last)
    return `${text.slice(0, target.start)}{${property}${end}${outer}}${text.slice(target.end)}`;
  blank.lastIndex = last.value.end;
  const afterBlank = last.value.end + (blank.exec(text)?.[0].length ?? 0);
  const hasComma = text[afterBlank] === ',';
  const at = hasComma ? afterBlank + 1 : last.value.end;
  return `${text.slice(0, at)}${hasComma ? '' : ','}${property}${text.slice(at)}`;
}

function remove(text: string, root: ObjectNode, path: readonly string[]): string {
  const parents: { node: ObjectNode; property: Property }[] = [];
  let node: Node = root;
  for (const key of path) {
    const property = propertyOf(node, key);
    if (property === undefined || node.kind !== 'object') return text;
    parents.push({ node, property });
    node = property.value;
  }
  // An object that would be empty is removed with its property.
  let depth = parents.length - 1;
  while (depth > 0 && parents[depth]?.node.items.length === 1) depth -= 1;
  const { node: owner, property } = parents[depth] as (typeof parents)[number];
  const index = owner.items.indexOf(property);
  const before = owner.items[index - 1];
  const after = owner.items[index + 1];
  if (before) return text.slice(0, before.value.end) + text.slice(property.value.end);
  if (after) return text.slice(0, property.start) + text.slice(after.start);
  return `${text.slice(0, owner.start)}{}${text.slice(owner.end)}`;
}
