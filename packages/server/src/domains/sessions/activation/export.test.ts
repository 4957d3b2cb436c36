import type { ActivationExportFormat, Memory, Relationship } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { createMemorySample } from '../../../../../../test/support/memory-sample.ts';
import { exportFormats, toCreateMemoryBody } from './export.ts';
import type { ExportedMemory } from './formatters/formatter.ts';

const at = '2026-01-05T10:00:00.000Z';
const id = '019b8d1c-0000-7000-8000-000000000001';
const other = '019b8d1c-0000-7000-8000-000000000002';
const memory = (more: Partial<Memory> = {}): Memory =>
  createMemorySample({
    id,
    tags: ['drink'],
    metadata: { far: true },
    priority: 3,
    is_pinned: true,
    protection_level: 'soft',
    ...more,
  });
const relationship = (more: Partial<Relationship> = {}): Relationship => ({
  id: '019b8d1c-0000-7000-8000-00000000000a',
  source_id: id,
  target_id: other,
  relationship_type: 'references',
  type: 'references',
  description: null,
  weight: 0.50049,
  strength: 0.50049,
  usage_count: 0,
  reinforcement_count: 0,
  last_reinforced_at: null,
  decay_rate: 0.02,
  rules: {},
  metadata: {},
  created_at: at,
  updated_at: at,
  ...more,
});

/** The full text of an export. */
function textOf(
  format: ActivationExportFormat,
  memories: readonly (Memory | ExportedMemory)[],
  { key = 'k', relationships = [] as Relationship[] } = {},
): string {
  const formatter = exportFormats[format].createFormatter();
  const all = memories.map((one) => ('memory' in one ? one : toExported(one)));
  const session = {
    id: other,
    session_key: key,
    started_at: at,
    last_active_at: at,
    last_activity_at: at,
    memory_count: all.length,
    memory_ids: all.map((one) => one.memory.id),
    is_closed: false,
    api_key_id: null,
  };
  return [
    formatter.header(session),
    ...all.map((one) => formatter.memory(one)),
    formatter.relationshipsHeader(),
    ...relationships.map((one) => formatter.relationship(one)),
    formatter.footer(),
  ].join('');
}

const toExported = (one: Memory): ExportedMemory => ({
  memory: one,
  createBody: {},
  relationships: [],
});

describe('toCreateMemoryBody', () => {
  it('has the fields that are valid elsewhere, and nothing else', () => {
    expect(
      toCreateMemoryBody(memory({ occurred_at: at, space_id: id, session_id: id }), false),
    ).toEqual({
      content: 'Ana prefers tea.',
      type: 'text',
      tags: ['drink'],
      metadata: { far: true },
      priority: 3,
      is_pinned: true,
      protection_level: 'soft',
      occurred_at: at,
    });
  });

  it('omits a missing time, and a type that creates do not accept', () => {
    expect(toCreateMemoryBody(memory(), false)).not.toHaveProperty('occurred_at');
    expect(toCreateMemoryBody(memory({ content_type: 'video' }), false)).not.toHaveProperty('type');
  });

  it('allows a duplicate for a copy', () => {
    expect(toCreateMemoryBody(memory(), true)).toEqual({
      ...toCreateMemoryBody(memory(), false),
      allow_duplicate: true,
    });
  });
});

describe('exportFormats', () => {
  it('have a media type and an extension each', () => {
    expect(
      Object.entries(exportFormats).map(([name, { mediaType, extension }]) => [
        name,
        extension,
        mediaType,
      ]),
    ).toEqual([
      ['markdown', 'md', 'text/markdown; charset=utf-8'],
      ['json', 'json', 'application/json; charset=utf-8'],
      ['csv', 'csv', 'text/csv; charset=utf-8'],
      ['html', 'html', 'text/html; charset=utf-8'],
    ]);
  });
});

describe('an export as csv', () => {
  const row = (more: Partial<Memory>): string =>
    textOf('csv', [memory(more)]).split(/(?<=activation_is_closed\r\n)/s)[1] ?? '';

  it('begins with the column names and ends each record with CRLF', () => {
    expect(textOf('csv', [])).toBe(
      'id,content,content_type,space_id,session_id,tags,metadata,priority,is_pinned,' +
        'protection_level,occurred_at,created_at,updated_at,relationships,activation_id,' +
        'session_key,activation_started_at,activation_last_activity_at,activation_is_closed\r\n',
    );
    const lists = '"[""drink""]","{""far"":true}"';
    const own = `${id},Ana prefers tea.,text,,,${lists},3,true,soft,,${at},${at}`;
    const record = `${own},[],${other},k,${at},${at},false\r\n`;
    expect(row({})).toBe(record);
  });

  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['a\nb', '"a\nb"'],
    ['=1', "'=1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    [' =1', ' =1'],
    ["'=1", "'=1"],
    ['\n=1', '"\'\n=1"'],
    ['\r\n=1', '"\'\r\n=1"'],
    ['\uff1d1+1', "'\uff1d1+1"],
    ['\uff0b1', "'\uff0b1"],
    ['\uff0d1', "'\uff0d1"],
    ['\uff20SUM(A1)', "'\uff20SUM(A1)"],
    ['a=1', 'a=1'],
    ['a\n=1', '"a\n=1"'],
  ])('writes %j as %j', (content, cell) => {
    expect(row({ content })).toContain(`${id},${cell},text,`);
  });
});

describe('an export as html', () => {
  it('escapes markup in contents, tags and the key', () => {
    const odd = `</pre><script>"&'</script>`;
    const html = textOf('html', [memory({ content: odd, tags: [odd] })], { key: odd });
    expect(html).not.toContain('<script');
    const shown = '&lt;/pre&gt;&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;';
    expect(html.split(shown)).toHaveLength(5);
  });

  it('keeps leading line feeds, and replaces characters that HTML forbids by U+FFFD', () => {
    const content = '\n\n\u0001\u001b\u0085\ufdd0\uffff\t\r\f\u2028🦊';
    const html = textOf('html', [memory({ content })]);
    expect(html).toContain(
      '<pre dir="auto">\n\n\n\ufffd\ufffd\ufffd\ufffd\ufffd\t\r\f\u2028🦊</pre>',
    );
  });
});

describe('an export as markdown', () => {
  it.each([
    ['none', 'tea', '```'],
    ['one', '`tea`', '```'],
    ['three', '```\ntea\n```', '````'],
    ['five', 'a `````', '``````'],
  ])('uses a longer fence for a content with %s back-ticks', (_many, content, fence) => {
    const text = textOf('markdown', [memory({ content })]);
    expect(text).toContain(`\n\n${fence}\n${content}\n${fence}\n`);
  });

  it('handles a megabyte of back-ticks', () => {
    for (const content of ['` '.repeat(500_000), '`'.repeat(1_000_000)]) {
      expect(textOf('markdown', [memory({ content })])).toContain(content);
    }
  });

  it('writes keys and tags as plain text on one line', () => {
    const tags = ['# a\n\n## b', '<b>&amp;', '[x](y)', '*_`~|\\'];
    const text = textOf('markdown', [memory({ tags })], { key: 'a\r\n# b' });
    expect(text).toContain('# Session a \\# b\n');
    expect(text).toContain(
      '- Tags: \\# a \\#\\# b, \\<b\\>\\&amp;, \\[x\\](y), \\*\\_\\`\\~\\|\\\\\n',
    );
  });
});

describe('relationships in an export', () => {
  const two = [memory(), memory({ id: other })];
  const described = relationship({ description: 'a\n<b>*c*' });
  const relationships = [relationship(), described];

  it('follow the memories in markdown, one per line', () => {
    const text = textOf('markdown', two, { relationships });
    expect(text.split('## Relationships\n\n')[1]).toBe(
      `- ${id} → ${other}, references, weight 0.5\n` +
        `- ${id} → ${other}, references, weight 0.5: a \\<b\\>\\*c\\*\n`,
    );
    expect(textOf('markdown', two)).not.toContain('Relationships');
  });

  it('follow the memories in html, with links to both', () => {
    const html = textOf('html', two, { relationships });
    const memoryLinks = `<a href="#${id}">${id}</a> → <a href="#${other}">${other}</a>`;
    expect(html.split('<h2>Relationships</h2>')[1]).toBe(
      `<ul>\n<li>${memoryLinks}, references, weight 0.5</li>\n` +
        `<li>${memoryLinks}, references, weight 0.5: a\n&lt;b&gt;*c*</li>\n</ul>\n</body></html>\n`,
    );
    expect(textOf('html', two)).not.toContain('Relationships');
  });

  it('are complete in json, and the text is one object with any number of them', () => {
    const create = { content: 'x' };
    const parsed = (memories: readonly (Memory | ExportedMemory)[], some: Relationship[]) =>
      JSON.parse(textOf('json', memories, { relationships: some })) as object;
    expect(parsed([{ ...toExported(memory()), createBody: create }], relationships)).toMatchObject({
      session: { memory_ids: [id] },
      memories: [{ ...memory(), create }],
      relationships,
    });
    expect(parsed([], [])).toMatchObject({ memories: [], relationships: [] });
    expect(parsed(two, [described])).toMatchObject({
      memories: [{ id }, { id: other }],
      relationships: [described],
    });
  });

  it('are in the csv record of their source memory', () => {
    const { id: linkId, relationship_type, target_id, weight } = relationship();
    const links = [{ id: linkId, relationship_type, target_id, weight }];
    const csv = textOf('csv', [{ ...toExported(memory()), relationships: links }], {
      relationships,
    });
    expect(csv).toContain(`,"${JSON.stringify(links).replaceAll('"', '""')}",${other},k,`);
    expect(csv.match(/\r\n/g)).toHaveLength(2);
  });
});
