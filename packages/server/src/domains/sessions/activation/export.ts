import type { ActivationSessionDetail, ExportFormat, Memory, Relationship } from '@mneme/contract';

/** What is taken out of a session, whatever the form. */
export interface Exported {
  readonly session: ActivationSessionDetail;
  readonly memories: readonly Memory[];
  readonly relationships: readonly Relationship[];
}

/**
 * A body that creates the memory anew: every field of a create that means something elsewhere,
 * too. Which space and session it goes to is for the one who posts it.
 */
export function createBodyOf(memory: Memory): Record<string, unknown> {
  const { content, content_type, tags, metadata, priority } = memory;
  const { is_pinned, protection_level, occurred_at } = memory;
  return {
    content,
    // A video comes by upload only; its text does not.
    ...(content_type === 'video' ? {} : { type: content_type }),
    tags,
    metadata,
    priority,
    is_pinned,
    protection_level,
    ...(occurred_at === null ? {} : { occurred_at }),
  };
}

export const mediaTypes: Readonly<Record<Exclude<ExportFormat, 'json'>, string>> = {
  markdown: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

export const extensions: Readonly<Record<ExportFormat, string>> = {
  markdown: 'md',
  json: 'json',
  csv: 'csv',
  html: 'html',
};

export function textOf(format: Exclude<ExportFormat, 'json'>, exported: Exported): string {
  switch (format) {
    case 'markdown':
      return markdownOf(exported);
    case 'csv':
      return csvOf(exported);
    case 'html':
      return htmlOf(exported);
  }
}

const titleOf = ({ session }: Exported): string => `Session ${session.session_key}`;

function factsOf({ session }: Exported): [name: string, value: string][] {
  return [
    ['Started', session.started_at],
    ['Last activity', session.last_activity_at],
    ['State', session.is_closed ? 'closed' : 'open'],
    ['Memories', String(session.memory_count)],
  ];
}

/** Longer than any run of back-ticks inside, so that the content cannot end it. */
function fenced(content: string): string {
  let longest = 2;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${content}\n${fence}`;
}

/** One line of Markdown in which nothing of the text is markup. */
const inline = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~&]/g, '\\$&');

function markdownOf(exported: Exported): string {
  const memories = exported.memories.map((memory, i) => {
    const tags = memory.tags.length > 0 ? `\n- Tags: ${memory.tags.map(inline).join(', ')}` : '';
    const head = `## ${i + 1}. ${memory.created_at}`;
    return `${head}\n\n- Id: ${memory.id}${tags}\n\n${fenced(memory.content)}`;
  });
  const links = exported.relationships.map(
    (link) => `- ${link.source_id} ${inline(link.relationship_type)} ${link.target_id}`,
  );
  return [
    `# ${inline(titleOf(exported))}`,
    factsOf(exported)
      .map(([name, value]) => `- ${name}: ${value}`)
      .join('\n'),
    ...memories,
    ...(links.length > 0 ? [`## Relationships\n\n${links.join('\n')}`] : []),
    '',
  ].join('\n\n');
}

const csvColumns = [
  'id',
  'content',
  'content_type',
  'space_id',
  'session_id',
  'tags',
  'metadata',
  'priority',
  'is_pinned',
  'protection_level',
  'occurred_at',
  'created_at',
  'updated_at',
] as const;

/** RFC 4180; a cell that a spreadsheet would run as a formula begins with an apostrophe (OWASP). */
function cell(value: unknown): string {
  const text = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : `${value}`;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const csvOf = ({ memories }: Exported): string =>
  [csvColumns, ...memories.map((memory) => csvColumns.map((name) => memory[name]))]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** What no document may hold, not even escaped, is shown as the replacement character. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (one) => escapes[one] ?? one)
    .replaceAll(/[^\P{Cc}\t\n\f\r]|\p{Noncharacter_Code_Point}/gu, '\ufffd');

const policy = "default-src 'none'; style-src 'unsafe-inline'";
const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f4f4f2;padding:1rem}' +
  'dt{font-weight:600}small{color:#666}';

/** One page with everything in it: no script, no picture, nothing from elsewhere. */
function htmlOf(exported: Exported): string {
  const title = escaped(titleOf(exported));
  const facts = factsOf(exported).map(
    ([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`,
  );
  const memories = exported.memories.map(
    (memory) =>
      `<article id="${memory.id}"><h2>${escaped(memory.created_at)}</h2>` +
      `<small>${memory.id} ${escaped(memory.tags.join(', '))}</small>` +
      // The first line feed after the tag is the tag's.
      `<pre dir="auto">\n${escaped(memory.content)}</pre></article>`,
  );
  const links = exported.relationships.map(
    ({ source_id, target_id, relationship_type }) =>
      `<li><a href="#${source_id}">${source_id}</a> ${escaped(relationship_type)} ` +
      `<a href="#${target_id}">${target_id}</a></li>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${title}</title><style>${style}</style></head>`,
    `<body><h1 dir="auto">${title}</h1><dl>${facts.join('')}</dl>`,
    ...memories,
    ...(links.length > 0 ? [`<h2>Relationships</h2><ul>${links.join('')}</ul>`] : []),
    '</body></html>',
    '',
  ].join('\n');
}
