import type { RecalledMemory, RecallFormat } from '@mneme/contract';

/**
 * How memories are written into a context. Entries can be counted separately: each ends with a line
 * end, what follows starts with neither white space and a line end nor a slash, and no token of
 * o200k spans such a boundary.
 */
export interface ContextFormat {
  /** Before the first entry and after the last; neither in an empty context. */
  readonly start: string;
  readonly end: string;
  /** After an entry, if another follows, and after the last one. */
  readonly separator: string;
  readonly lastSeparator: string;
  /** @param content the whole content, or its start */
  readonly formatEntry: (memory: RecalledMemory, content: string) => string;
  /** One line for each memory: ranked, outdated ones last, and never without the first one. */
  readonly isRankedList?: boolean;
  /** A part of the content, as `formatEntry` writes it. */
  readonly escape: (part: string) => string;
}

/** What a context says about a memory besides its content. */
interface EntryFacts {
  readonly id: string;
  /** Of the content, else of the creation: YYYY-MM-DD. */
  readonly date: string;
  readonly speaker: string | undefined;
  readonly role: string | undefined;
  /** The memory that replaces it. */
  readonly outdatedBy: string | undefined;
}

function factsOf(memory: RecalledMemory): EntryFacts {
  const { id, occurred_at, created_at, metadata, outdated_by } = memory;
  return {
    id,
    date: (occurred_at ?? created_at).slice(0, 10),
    speaker: textOf(metadata.speaker),
    role: textOf(metadata.role),
    outdatedBy: outdated_by ?? undefined,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() || undefined : undefined;

/** As `2026-01-05 Ana (user), outdated by [id]`. */
function headingOf({ date, speaker, role, outdatedBy }: EntryFacts): string {
  const voice = speaker !== undefined && role !== undefined ? `${speaker} (${role})` : undefined;
  const heading = [date, voice ?? speaker ?? role].filter((part) => part !== undefined).join(' ');
  return outdatedBy === undefined ? heading : `${heading}, outdated by [${outdatedBy}]`;
}

const identity = (text: string): string => text;

const text: ContextFormat = {
  start: '',
  end: '',
  separator: '\n\n',
  lastSeparator: '\n\n',
  escape: identity,
  formatEntry: (memory, content) => {
    const facts = factsOf(memory);
    return `[${facts.id}] ${headingOf(facts)}\n${content.trimEnd()}`;
  },
};

/** Lines after the first belong to the list item by their indentation. */
const indent = (part: string): string => part.replaceAll(/(\r\n?|\n)(?=[^\r\n])/g, '$1  ');

const markdown: ContextFormat = {
  start: '',
  end: '',
  separator: '\n',
  lastSeparator: '\n',
  escape: indent,
  formatEntry: (memory, content) => {
    const facts = factsOf(memory);
    const body = content.trim();
    const heading = `- **${headingOf(facts)}** [${facts.id}]`;
    // A block, such as a list or code, starts on a line of its own.
    return /[\r\n]/.test(body) ? `${heading}\n\n  ${indent(body)}\n` : `${heading}: ${body}`;
  },
};

const json: ContextFormat = {
  start: '{"memories":[\n',
  end: ']}\n',
  separator: ',\n',
  lastSeparator: '\n',
  escape: (part) => JSON.stringify(part).slice(1, -1),
  formatEntry: (memory, content) => {
    const { id, date, speaker, role, outdatedBy } = factsOf(memory);
    const session_id = memory.session_id ?? undefined;
    return JSON.stringify({
      id,
      date,
      session_id,
      role,
      speaker,
      outdated_by: outdatedBy,
      content,
    });
  },
};

/** Characters that XML 1.0 cannot contain. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const xmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
};
const escapeXml = (part: string): string =>
  part.replaceAll(notXml, '').replaceAll(/[&<>]/g, (sign) => xmlEntities[sign] ?? sign);
const escapeAttribute = (value: string): string => escapeXml(value).replaceAll('"', '&quot;');

const xml: ContextFormat = {
  start: '<memories>\n',
  end: '</memories>\n',
  separator: '\n',
  lastSeparator: '\n',
  escape: escapeXml,
  formatEntry: (memory, content) => {
    const { id, date, speaker, role, outdatedBy } = factsOf(memory);
    const session = memory.session_id ?? undefined;
    const attributes = Object.entries({ id, date, session, role, speaker, outdated_by: outdatedBy })
      .filter((attribute): attribute is [string, string] => attribute[1] !== undefined)
      .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
    return `<memory${attributes.join('')}>${escapeXml(content.trimEnd())}</memory>`;
  },
};

const toOneLine = (part: string): string => part.replaceAll(/\s+/g, ' ');
/** Longer names are cut, so that the first line always fits. */
const speakerPattern = /^.{0,40}/u;

const lines: ContextFormat = {
  start: '',
  end: '',
  separator: '\n',
  lastSeparator: '\n',
  isRankedList: true,
  escape: toOneLine,
  formatEntry: (memory, content) => {
    const { id, date, speaker, role, outdatedBy } = factsOf(memory);
    const voice = speakerPattern.exec(speaker ?? role ?? '')?.[0] ?? '';
    const marks = [outdatedBy === undefined ? '' : '(outdated)', voice === '' ? '' : `${voice}:`];
    const parts = [`[${id}]`, date, ...marks, toOneLine(content).trim()];
    return parts.filter((part) => part !== '').join(' ');
  },
};

export const contextFormats: Readonly<Record<RecallFormat, ContextFormat>> = {
  text,
  markdown,
  json,
  xml,
  lines,
};
