import { Tokenizer } from 'htmlparser2';

const hidden = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'noscript',
  'svg',
  'object',
]);
const blocks = new Set(
  'p div section article header footer main table tr ul ol dl dd dt form center address'.split(' '),
);
const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const marks: Readonly<Record<string, string>> = { b: '**', strong: '**', i: '*', em: '*' };
const quotesMax = 8;
const safeLink = /^(?:https?|mailto|tel):/i;

/**
 * Converts HTML to readable Markdown: headings, lists, links, quotes, emphasis. Works directly on
 * the tokenizer: the cost of each step of the library's parser grows with the nesting depth.
 */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter();
  let name = '';
  let attribute = '';
  let value = '';
  let attributes: Record<string, string> = {};
  const text = (start: number, end: number): string => html.slice(start, end);
  const open = (): void => {
    writer.open(name, attributes);
    attributes = {};
  };
  const nothing = (): void => undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = text(start, end).toLowerCase();
      },
      onattribname: (start, end) => {
        attribute = text(start, end).toLowerCase();
        value = '';
      },
      onattribdata: (start, end) => {
        value += text(start, end);
      },
      onattribentity: (code) => {
        value += String.fromCodePoint(code);
      },
      onattribend: () => {
        if (wantedAttributes.has(attribute)) attributes[attribute] ??= value;
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => writer.close(text(start, end).trim().toLowerCase()),
      ontext: (start, end) => writer.text(text(start, end)),
      ontextentity: (code) => writer.text(String.fromCodePoint(code)),
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return writer.finish();
}

const wantedAttributes = new Set(['href', 'alt']);

class MarkdownWriter {
  readonly #parts: string[] = [];
  #hiddenDepth = 0;
  #preDepth = 0;
  #quoteDepth = 0;
  readonly #lists: { ordered: boolean; count: number }[] = [];
  /** The open link; HTML has no nested links. */
  #open: { href: string; from: number } | null = null;
  /** Line breaks to write before the next text. */
  #pendingBreaks = 0;
  #atLineStart = true;

  open(name: string, attributes: Record<string, string>): void {
    if (hidden.has(name)) this.#hiddenDepth += 1;
    if (this.#hiddenDepth > 0) return;
    if (name === 'br') this.#break(1);
    else if (name === 'hr') this.#block('---');
    else if (name === 'pre') this.#fence(1);
    else if (name === 'blockquote') this.#quote(1);
    else if (name === 'li') this.#item();
    else if (name === 'td' || name === 'th') this.#cell();
    else if (headings.includes(name)) this.#heading(name);
    else if (name === 'a') this.#beginLink(attributes.href ?? '');
    else if (name === 'img' && attributes.alt) this.text(attributes.alt);
    else if (marks[name] !== undefined) this.#mark(marks[name]);
    else if (blocks.has(name)) this.#break(this.#isTight(name) ? 1 : 2);
    if (name === 'ul' || name === 'ol') this.#lists.push({ ordered: name === 'ol', count: 0 });
  }

  close(name: string): void {
    if (hidden.has(name) && this.#hiddenDepth > 0) {
      this.#hiddenDepth -= 1;
      return;
    }
    if (this.#hiddenDepth > 0) return;
    if (name === 'pre') this.#fence(-1);
    else if (name === 'blockquote') this.#quote(-1);
    else if (name === 'a') this.#link();
    else if (marks[name] !== undefined) this.#mark(marks[name]);
    else if (name === 'ul' || name === 'ol') {
      this.#lists.pop();
      this.#break(this.#lists.length > 0 ? 1 : 2);
    } else if (blocks.has(name) || headings.includes(name)) {
      this.#break(name === 'div' || name === 'tr' ? 1 : 2);
    }
  }

  text(raw: string): void {
    if (this.#hiddenDepth > 0) return;
    if (this.#preDepth > 0) {
      for (const [i, line] of raw.split('\n').entries()) {
        if (i > 0) this.#break(1);
        this.#write(line);
      }
      return;
    }
    const text = raw.replace(/[\s\u00a0\u200b\u200c\ufeff]+/g, ' ');
    this.#write(this.#atLineStart || this.#pendingBreaks > 0 ? text.trimStart() : text);
  }

  finish(): string {
    this.#link();
    return this.#parts
      .join('')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  #isTight(name: string): boolean {
    return name === 'div' || name === 'tr' || this.#lists.length > 0;
  }

  #beginLink(href: string): void {
    this.#link();
    this.#open = { href, from: this.#parts.length };
  }

  #write(text: string): void {
    if (text === '') return;
    if (this.#pendingBreaks > 0 && this.#parts.length > 0) {
      const prefix = '> '.repeat(Math.min(this.#quoteDepth, quotesMax));
      this.#parts.push(`\n${prefix}`.repeat(this.#pendingBreaks));
    } else if (this.#parts.length === 0) {
      this.#parts.push('> '.repeat(Math.min(this.#quoteDepth, quotesMax)));
    }
    this.#pendingBreaks = 0;
    this.#parts.push(text);
    this.#atLineStart = text.endsWith(' ');
  }

  #break(lines: number): void {
    this.#pendingBreaks = Math.max(this.#pendingBreaks, lines);
    this.#atLineStart = true;
  }

  #block(text: string): void {
    this.#break(2);
    this.#write(text);
    this.#break(2);
  }

  #fence(step: 1 | -1): void {
    this.#break(1);
    this.#write('```');
    this.#break(1);
    this.#preDepth = Math.max(0, this.#preDepth + step);
  }

  #quote(step: 1 | -1): void {
    this.#break(2);
    // The blank line in between belongs to neither side.
    this.#quoteDepth = Math.max(0, this.#quoteDepth + step);
  }

  #item(): void {
    const list = this.#lists.at(-1);
    if (list) list.count += 1;
    this.#break(1);
    const depth = Math.min(Math.max(0, this.#lists.length - 1), quotesMax);
    this.#write(`${'  '.repeat(depth)}${list?.ordered ? `${list.count}. ` : '- '}`);
    this.#atLineStart = true;
  }

  #cell(): void {
    if (this.#pendingBreaks === 0 && !this.#atLineStart) this.#write(' | ');
  }

  #heading(name: string): void {
    this.#break(2);
    this.#write(`${'#'.repeat(Number(name.slice(1)))} `);
    this.#atLineStart = true;
  }

  #mark(mark: string): void {
    if (this.#preDepth > 0) return;
    this.#write(mark);
    this.#atLineStart = false;
  }

  /**
   * A link whose text equals its address is written once; an unsafe link is reduced to its text.
   */
  #link(): void {
    const link = this.#open;
    this.#open = null;
    if (!link || !safeLink.test(link.href)) return;
    const text = this.#parts.splice(link.from).join('');
    const label = text.trim();
    const href = link.href.replaceAll(/[\s()<>]/g, encodeURIComponent);
    if (label === '') return;
    const lead = text.slice(0, text.length - text.trimStart().length);
    const same = label === link.href || `mailto:${label}` === link.href;
    this.#parts.push(lead, same ? label : `[${label.replaceAll('\n', ' ')}](${href})`);
  }
}
