export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Element | string)[];
}

const namedReferences: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
const voidElements = new Set(['meta', 'br', 'hr', 'img', 'link', 'input']);
const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-z-]*="[^"<>]*")*)>/y;
const attribute = /([a-z][a-z-]*)="([^"]*)"/g;
// Control characters other than white space may not stand in a document.
const forbidden = /[^\P{Cc}\t\n\f\r]|\p{Noncharacter_Code_Point}|\p{Surrogate}/u;

/**
 * Reads one HTML document, narrower than a browser does: every `<` begins a whole tag with quoted
 * attributes, every `&` a known reference, every element is closed by its own end. Throws where
 * a browser would have to guess. Line ends and the first line feed in pre are as a browser's.
 */
export function readHtml(text: string): Element {
  if (forbidden.test(text)) throw new Error('a character that no document may hold');
  const source = text.replaceAll(/\r\n?/g, '\n').trim();
  const [start = ''] = /^<!doctype html>\s*/i.exec(source) ?? [];
  if (start === '') throw new Error('no doctype');
  const root: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [root];
  for (let at = start.length; at < source.length; ) {
    const parent = open.at(-1) ?? root;
    const isRaw = parent.name === 'style' || parent.name === 'script';
    const found = source.indexOf(isRaw ? `</${parent.name}>` : '<', at);
    const end = found < 0 ? source.length : found;
    if (end > at) parent.children.push(isRaw ? source.slice(at, end) : unescaped(source, at, end));
    at = end === source.length ? end : readTag(source, end, open);
  }
  const [html, ...more] = root.children;
  if (open.length > 1) throw new Error(`${open.at(-1)?.name} is never closed`);
  if (typeof html !== 'object' || html.name !== 'html' || more.length > 0) {
    throw new Error('not one html element');
  }
  return html;
}

/** Opens or closes an element; gives where the tag ends. */
function readTag(source: string, at: number, open: Element[]): number {
  tag.lastIndex = at;
  const found = tag.exec(source);
  if (!found) throw new Error(`no tag: ${source.slice(at, at + 40)}`);
  const [whole, slash, name = '', rest = ''] = found;
  let end = at + whole.length;
  if (slash) {
    if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
    return end;
  }
  const pairs = [...rest.matchAll(attribute)].map(([, key = '', value = '']) => [
    key,
    unescaped(value, 0, value.length),
  ]);
  const element: Element = { name, attributes: Object.fromEntries(pairs), children: [] };
  open.at(-1)?.children.push(element);
  if (!voidElements.has(name)) open.push(element);
  if (name === 'pre' && source[end] === '\n') end += 1;
  return end;
}

function unescaped(source: string, from: number, to: number): string {
  return source.slice(from, to).replaceAll(/&(#\d+|\w+)?(;)?/g, (whole, what, semicolon) => {
    const value = what?.startsWith('#')
      ? String.fromCodePoint(Number(what.slice(1)))
      : namedReferences[what ?? ''];
    if (value === undefined || !semicolon) throw new Error(`no reference: ${whole}`);
    return value;
  });
}

/** The element and all within it, in the order of the document. */
export function* walkElements(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) if (typeof child === 'object') yield* walkElements(child);
}

export const textContent = ({ children }: Element): string =>
  children.map((child) => (typeof child === 'string' ? child : textContent(child))).join('');
