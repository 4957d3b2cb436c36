import path from 'node:path';
import { parse } from 'yaml';
import { decodeText, InvalidEncoding } from '../decode-text.ts';
import { type Item, skipped } from '../items.ts';
import { isObject, type Json, toDate, toText } from '../json-value.ts';
import type { Source, SourceFile } from '../source-files.ts';
import type { ImportFormat } from './format.ts';
import { findLinks, LinkResolver } from './markdown-links.ts';
import { toTags } from './rows.ts';

const charactersMax = 32 * 2 ** 20;
const frontMatterCharactersMax = 65_536;

/** A folder of Markdown files, such as a vault of Obsidian. */
export const markdownFormat: ImportFormat = {
  hasLocalIds: true,
  async *read(source: Source, { encoding }) {
    const notes = source.files.filter(
      (one): one is SourceFile => one.type === 'file' && /\.(?:md|markdown)$/i.test(one.name),
    );
    const resolver = new LinkResolver(notes.map(({ name }) => name));
    for (const one of source.files) {
      if (one.type === 'skipped') yield one;
      else if (notes.includes(one)) yield* readNote(one, encoding, resolver);
    }
  },
};

/** The same for a name that another system decomposes. */
const idOf = (name: string): string => name.normalize('NFC');

async function* readNote(
  file: SourceFile,
  encoding: string | null,
  resolver: LinkResolver,
): AsyncGenerator<Item> {
  const { name: place, modifiedAt } = file;
  const text = await readWhole(file, encoding);
  if (typeof text !== 'string') return yield text;
  const { fields, body, isInvalid } = splitFrontMatter(text);
  if (isInvalid) yield skipped('front_matter_invalid', place);
  if (body.trim() === '') return yield skipped('empty', place);
  const title = toText(fields.title) ?? path.posix.basename(place).replace(/\.[^.]+$/, '');
  const createdAt = firstDate(fields, ['created', 'created_at', 'date']);
  const { tags, rest } = splitFields(fields);
  yield {
    type: 'memory',
    id: idOf(place),
    content: /^\s*# /.test(body) ? body : `# ${title}\n\n${body}`,
    contentType: 'markdown',
    occurredAt: createdAt,
    createdAt,
    updatedAt: firstDate(fields, ['updated', 'updated_at', 'modified']) ?? modifiedAt,
    tags: [...new Set([...tags, ...findInlineTags(body)])],
    metadata: { ...rest, title, path: place },
    owner: {},
    place,
  };
  const targets = new Set(findLinks(body).flatMap((link) => resolver.find(link, place) ?? []));
  targets.delete(place);
  for (const target of targets) yield { type: 'link', from: idOf(place), to: idOf(target) };
}

async function readWhole(file: SourceFile, encoding: string | null) {
  if (file.bytes > charactersMax) return skipped('item_too_large', file.name);
  try {
    const parts: string[] = [];
    for await (const part of decodeText(file.name, file.open(), encoding)) parts.push(part);
    return parts.join('');
  } catch (error) {
    if (error instanceof InvalidEncoding) return skipped('invalid_encoding', file.name);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return skipped('unreadable_file', file.name);
  }
}

interface FrontMatter {
  readonly fields: Json;
  readonly body: string;
  /** It is no YAML object, and stays in the body. */
  readonly isInvalid: boolean;
}

function splitFrontMatter(text: string): FrontMatter {
  const none = { fields: {}, body: text, isInvalid: false };
  const head = text.slice(0, frontMatterCharactersMax);
  const found = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(head);
  if (!found) return none;
  const body = text.slice(found[0].length);
  try {
    const fields: unknown = parse(found[1] ?? '', { maxAliasCount: 100, uniqueKeys: false });
    if (fields === null) return { fields: {}, body, isInvalid: false };
    return isObject(fields) ? { fields, body, isInvalid: false } : { ...none, isInvalid: true };
  } catch {
    // Templates with braces are no YAML; the note is imported nevertheless.
    return { ...none, isInvalid: true };
  }
}

const firstDate = (fields: Json, names: readonly string[]): Date | null =>
  names.map((name) => toDate(fields[name])).find((date) => date !== null) ?? null;

function splitFields({ tags, tag, ...rest }: Json): { tags: string[]; rest: Json } {
  const all = [tags, tag].flatMap((value) =>
    typeof value === 'string' ? (toTags(value.split(/[,\s]+/)) ?? []) : (toTags(value) ?? []),
  );
  return { tags: all.map((one) => one.replace(/^#/, '')), rest };
}

const codePattern = /^(```|~~~)[\s\S]*?^\1|`[^`\n]*`/gm;
const tagPattern = /(?:^|\s)#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu;

/** Tags in the text, as Obsidian has them: not in code, and not only digits. */
const findInlineTags = (body: string): string[] =>
  [...body.replaceAll(codePattern, ' ').matchAll(tagPattern)].map(([, tag = '']) => tag);
