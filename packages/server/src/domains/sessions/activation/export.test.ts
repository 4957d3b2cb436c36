import type { Memory } from '@mneme/contract';
import { describe, expect, it } from 'vitest';
import { createBodyOf, type Exported, extensions, mediaTypes, textOf } from './export.ts';

const at = '2026-01-05T10:00:00.000Z';
const id = '019b8d1c-0000-7000-8000-000000000001';
const memory = (more: Partial<Memory> = {}): Memory => ({
  id,
  content: 'Ana prefers tea.',
  content_type: 'text',
  space_id: null,
  session_id: null,
  tags: ['drink'],
  metadata: { far: true },
  priority: 3,
  salience: null,
  is_pinned: true,
  is_deleted: false,
  protection_level: 'soft',
  quality_score: null,
  occurred_at: null,
  verified_at: null,
  deleted_at: null,
  created_at: at,
  updated_at: at,
  ...more,
});
const exported = (memories: Memory[], session_key = 'k'): Exported => ({
  session: {
    id,
    session_key,
    started_at: at,
    last_activity_at: at,
    memory_count: memories.length,
    memory_ids: memories.map((one) => one.id),
    is_closed: false,
    api_key_id: null,
  },
  memories,
  relationships: [],
});

describe('the create body of an exported memory', () => {
  it('has what means something elsewhere, and nothing else', () => {
    expect(createBodyOf(memory({ occurred_at: at, space_id: id, session_id: id }))).toEqual({
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

  it('names no time where there is none, and no type that no create takes', () => {
    expect(createBodyOf(memory())).not.toHaveProperty('occurred_at');
    expect(createBodyOf(memory({ content_type: 'video' }))).not.toHaveProperty('type');
  });
});

describe('an export as csv', () => {
  const row = (more: Partial<Memory>): string =>
    textOf('csv', exported([memory(more)])).split(/(?<=protection_level,.*\r\n)/s)[1] ?? '';

  it('begins with the names and ends each record with CRLF', () => {
    expect(textOf('csv', exported([]))).toBe(
      'id,content,content_type,space_id,session_id,tags,metadata,priority,is_pinned,' +
        'protection_level,occurred_at,created_at,updated_at\r\n',
    );
    const lists = '"[""drink""]","{""far"":true}"';
    const record = `${id},Ana prefers tea.,text,,,${lists},3,true,soft,,${at},${at}\r\n`;
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
  ])('writes %j as %j', (content, cell) => {
    expect(row({ content })).toContain(`${id},${cell},text,`);
  });
});

describe('an export as html', () => {
  it('escapes all that could be markup, in contents, tags and the key', () => {
    const odd = `</pre><script>"&'</script>`;
    const html = textOf('html', exported([memory({ content: odd, tags: [odd] })], odd));
    expect(html).not.toContain('<script');
    const shown = '&lt;/pre&gt;&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;';
    expect(html.split(shown)).toHaveLength(5);
  });

  it('keeps line feeds at the beginning, and shows what no document may hold as U+FFFD', () => {
    const content = '\n\n\u0001\u001b\u0085\ufdd0\uffff\t\r\f\u2028🦊';
    const html = textOf('html', exported([memory({ content })]));
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
  ])('fences a content with %s back-ticks by more', (_many, content, fence) => {
    const text = textOf('markdown', exported([memory({ content })]));
    expect(text).toContain(`\n\n${fence}\n${content}\n${fence}\n`);
  });

  it('bears a megabyte of back-ticks', () => {
    for (const content of ['` '.repeat(500_000), '`'.repeat(1_000_000)]) {
      expect(textOf('markdown', exported([memory({ content })]))).toContain(content);
    }
  });

  it('takes keys and tags for text on one line', () => {
    const text = textOf(
      'markdown',
      exported([memory({ tags: ['# a\n\n## b', '<b>&amp;', '[x](y)', '*_`~|\\'] })], 'a\r\n# b'),
    );
    expect(text).toContain('# Session a \\# b\n');
    expect(text).toContain(
      '- Tags: \\# a \\#\\# b, \\<b\\>\\&amp;, \\[x\\](y), \\*\\_\\`\\~\\|\\\\\n',
    );
  });
});

describe('the forms of an export', () => {
  it('have a type and an ending each', () => {
    expect(mediaTypes).toEqual({
      markdown: 'text/markdown; charset=utf-8',
      csv: 'text/csv; charset=utf-8',
      html: 'text/html; charset=utf-8',
    });
    expect(extensions).toEqual({ markdown: 'md', json: 'json', csv: 'csv', html: 'html' });
  });
});
