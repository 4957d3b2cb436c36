/** Python source as text. */

const columnsMax = 100;

/** Wraps prose at the width that is left after the indentation; keeps paragraphs. */
export function wrap(text: string, indent: string, next = indent): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const isEmpty = line.trim() === '';
    if (!isEmpty && line.length + 1 + word.length > columnsMax) {
      lines.push(line);
      line = next + word;
    } else {
      line += isEmpty ? word : ` ${word}`;
    }
  }
  return line.trim() === '' ? lines : [...lines, line];
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const escapeText = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");

/** A docstring of paragraphs; a single short line stays on one line. */
export function docstring(paragraphs: readonly (string | readonly string[])[], indent: string) {
  const [first = '', ...rest] = paragraphs;
  const summary = wrap(`"""${escapeText(sentence(String(first)))}`, indent);
  const [only = ''] = summary;
  if (rest.length === 0 && summary.length === 1 && only.length + 3 <= columnsMax) {
    return [`${only}"""`];
  }
  const more = rest.flatMap((paragraph) => [
    '',
    ...(typeof paragraph === 'string'
      ? wrap(escapeText(sentence(paragraph)), indent)
      : paragraph.map(escapeText)),
  ]);
  return [...summary, ...more, `${indent}"""`];
}

/** The section of a docstring that describes parameters or errors. */
export const docSection = (
  title: string,
  entries: readonly (readonly [name: string, text: string])[],
  indent: string,
): string[] => [
  `${indent}${title}:`,
  ...entries.flatMap(([name, text]) =>
    wrap(`${name}: ${sentence(text)}`, `${indent}    `, `${indent}        `),
  ),
];

/** `head(item, item)tail`, on one line if it fits, else an item on each. */
export function bracketed(
  head: string,
  items: readonly string[],
  tail: string,
  indent: string,
  /** Columns that the place of the text takes. */
  reserved = 0,
): string[] {
  const line = `${indent}${head}${items.join(', ')}${tail}`;
  const isSingleLine = items.every((item) => !item.includes('\n'));
  if (isSingleLine && line.length + reserved <= columnsMax) return [line];
  return [
    `${indent}${head}`,
    ...items.map((item) => `${indent}    ${item.replaceAll('\n', `\n${indent}    `)},`),
    `${indent}${tail}`,
  ];
}

export const quote = (text: string): string => JSON.stringify(text);

/** `from module import (names)`, sorted. */
export function importLine(module: string, names: Iterable<string>): string[] {
  const sorted = [...new Set(names)].sort();
  if (sorted.length === 0) return [];
  const line = `from ${module} import ${sorted.join(', ')}`;
  if (line.length <= columnsMax) return [line];
  return bracketed(`from ${module} import (`, sorted, ')', '');
}

export const generatedNotice = (title: string): string[] => [
  `"""${title}`,
  '',
  'Generated from the OpenAPI document by tools/emit-python.ts; do not edit.',
  '"""',
  '',
  'from __future__ import annotations',
  '',
];
