import { describe, expect, it } from 'vitest';
import { renderTemplate } from './render.ts';
import { parseTemplate, TemplateError } from './template.ts';

const values = {
  memory: {
    content: 'Ana prefers tea',
    tags: ['drinks', 'hot'],
    metadata: { source: 'chat' },
    created_at: '2026-01-05T09:30:00.000Z',
    empty: [],
    none: null,
    priority: 0,
  },
};
const shown = (text: string, charactersMax = 1_000): string =>
  renderTemplate(parseTemplate(text), values, charactersMax);
const fault = (text: string): string => {
  try {
    parseTemplate(text);
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
  return 'none';
};

describe('templates of reactions', () => {
  it.each([
    ['plain text & <b>signs</b>', 'plain text & <b>signs</b>'],
    ['{{memory.content}}!', 'Ana prefers tea!'],
    ['{{memory.missing.deeper}}|{{missing}}|{{memory.none}}', '||'],
    ['{{memory.tags.[1]}}', 'hot'],
    ['{{memory.metadata}}', '{"source":"chat"}'],
    ['{{! nobody sees this }}{{!-- nor this --}}', ''],
    ['\\{{memory.content}}', '{{memory.content}}'],
    ['{{#if memory.tags}}yes{{else}}no{{/if}}', 'yes'],
    ['{{#if memory.empty}}yes{{else}}no{{/if}}', 'no'],
    ['{{#if memory.priority}}yes{{else if memory.none}}or{{else}}no{{/if}}', 'no'],
    ['{{#unless memory.priority}}none{{/unless}}', 'none'],
    [
      '{{#each memory.tags}}{{@index}}{{@key}} {{this}}{{#unless @last}}, {{/unless}}{{/each}}',
      '00 drinks, 11 hot',
    ],
    ['{{#each memory.metadata}}{{@key}}={{this}}{{/each}}', 'source=chat'],
    ['{{#each memory.empty}}x{{else}}nothing{{/each}}', 'nothing'],
    [
      '{{#each memory.tags}}{{../memory.content}};{{@root.memory.priority}} {{/each}}',
      'Ana prefers tea;0 Ana prefers tea;0 ',
    ],
    ['{{#with memory.metadata}}{{source}}{{/with}}', 'chat'],
    ['{{truncate memory.content 5}}', 'Ana …'],
    ['{{truncate memory.content 500}}', 'Ana prefers tea'],
    ['{{upper (truncate memory.content 3)}}', 'AN…'],
    ['{{join memory.tags}} {{join memory.tags "/"}}', 'drinks, hot drinks/hot'],
    ['{{date memory.created_at}}', '2026-01-05'],
    ['{{length memory.tags}} {{lower "ABC"}}', '2 abc'],
    ['{{default memory.none "nobody"}}', 'nobody'],
    ['{{#if (and (eq memory.priority 0) (not memory.none))}}low{{/if}}', 'low'],
    ['{{#if (or memory.none memory.tags)}}some{{/if}}', 'some'],
    ['a {{~#if true~}} b {{~/if~}} c', 'abc'],
  ])('%s', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it.each([
    ['{{{memory.content}}}', 'raw HTML'],
    ['{{&memory.content}}', 'raw HTML'],
    ['{{> partial}}', 'partials'],
    ['{{#> layout}}{{/layout}}', 'partials'],
    ['{{* decorate}}', 'partials or decorators'],
    ['{{#* inline "x"}}{{/inline}}', 'partials or decorators'],
    ['{{lookup this "constructor"}}', 'unknown helper lookup'],
    ['{{log "x"}}', 'unknown helper log'],
    ['{{constructor "x"}}', 'unknown helper constructor'],
    ['{{upper (exec "x")}}', 'unknown helper exec'],
    ['{{#memory}}{{/memory}}', 'unknown block memory'],
    ['{{^memory}}{{/memory}}', 'unknown block memory'],
    ['{{#if}}{{/if}}', 'exactly one value'],
    ['{{#if a b}}{{/if}}', 'exactly one value'],
    ['{{#each memory.tags as |tag|}}{{tag}}{{/each}}', 'block parameters'],
    ['{{upper x y=1}}', 'named parameters'],
    ['{{#if a}}', 'is not a valid Handlebars template'],
    ['{{/if}}', 'is not a valid Handlebars template'],
    [`${'{{#if a}}'.repeat(18)}${'{{/if}}'.repeat(18)}`, 'nests more than 16 blocks'],
    [`{{not ${'(not '.repeat(20)}a${')'.repeat(20)}}}`, 'nests more than 16 calls'],
  ])('%s is refused', (text, why) => {
    expect(fault(`${text}x`)).toContain(why);
  });

  it('see what an object has, and never what it inherits', () => {
    for (const path of [
      'constructor',
      '__proto__',
      'memory.constructor.name',
      'memory.__proto__.toString',
      'memory.tags.constructor',
      'memory.content.length',
      '@root.constructor',
    ]) {
      expect(shown(`{{${path}}}`), path).toBe('');
    }
  });

  it('end, however much they ask for', () => {
    const many = { list: Array.from({ length: 1_000 }, () => 'x') };
    const bomb = '{{#each @root.list}}'.repeat(4) + 'x'.repeat(100) + '{{/each}}'.repeat(4);
    const text = renderTemplate(parseTemplate(bomb), many, 5_000);
    expect(text).toBe(`${'x'.repeat(5_000)}…`);
    const silent = '{{#each @root.list}}'.repeat(4) + '{{/each}}'.repeat(4);
    expect(renderTemplate(parseTemplate(silent), many, 5_000)).toBe('…');
    const long = { content: 'x'.repeat(1_000_000) };
    const often = parseTemplate('{{#if (eq (length content) 0)}}y{{/if}}'.repeat(30));
    expect(renderTemplate(often, long, 5_000)).toBe('…');
    expect(shown('x'.repeat(20_000), 10)).toBe(`${'x'.repeat(10)}…`);
  });

  it.each([
    '{{#if a}}'.repeat(2_200),
    '{{~ # if a}}'.repeat(1_600),
    '{{^a}}'.repeat(3_300),
    `{{#if a}}${'{{else if b}}'.repeat(1_500)}{{/if}}`,
    '{{#if a}}{{else}}'.repeat(1_100),
    '{{{{if a}}}}'.repeat(1_600),
    `{{not ${'('.repeat(19_000)}`,
  ])('with thousands of nested blocks are rejected before parsing: %#', (text) => {
    expect(fault(text)).toBe('has more than 100 blocks and calls');
  });
});
