import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildUrl, fillPathParams, normalizeBaseUrl } from './url.ts';

const base = 'http://127.0.0.1:7077';
const text = fc.string({ unit: 'grapheme' });
const queryOf = (query: Record<string, unknown>): URLSearchParams =>
  new URL(buildUrl(base, { path: '/search', query })).searchParams;

describe('urlOf', () => {
  it('carries any text through a query', () => {
    fc.assert(
      fc.property(text, text, (name, value) => {
        expect([...queryOf({ [name]: value })]).toEqual([[name, value]]);
      }),
    );
  });

  it('carries any list of texts without commas, comma-separated', () => {
    const items = fc.array(
      text.map((item) => item.replaceAll(',', ';')),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(items, (tags) => {
        expect(queryOf({ tags }).get('tags')?.split(',')).toEqual(tags);
      }),
    );
  });

  it('refuses an item with a comma, which would arrive as two', () => {
    expect(() => queryOf({ tags: ['a', 'b,c'] })).toThrow(/^tags: .*comma/);
  });

  it('writes numbers, booleans and filters by metadata as the contract reads them', () => {
    const query = { q: 'x', limit: 5, explain: false, 'metadata.source': 'chat & mail' };
    expect(buildUrl(base, { path: '/search', query })).toBe(
      `${base}/v1/search?q=x&limit=5&explain=false&metadata.source=chat+%26+mail`,
    );
  });

  it('leaves out what is undefined, and empty lists', () => {
    expect(buildUrl(base, { path: '/search', query: { limit: undefined, tags: [] } })).toBe(
      `${base}/v1/search`,
    );
  });

  it('leaves a whole URL as it is', () => {
    expect(buildUrl(base, { path: 'http://other/metrics' })).toBe('http://other/metrics');
  });
});

describe('baseOf', () => {
  it.each(['http://h:1', 'http://h:1/', 'http://h:1/v1', 'http://h:1/v1//'])(
    'takes off what is added anyway: %s',
    (url) => expect(normalizeBaseUrl(url)).toBe('http://h:1'),
  );

  it('keeps the path of a service behind a proxy', () => {
    expect(normalizeBaseUrl('https://h/mneme/v1/')).toBe('https://h/mneme');
  });
});

describe('fillPathParams', () => {
  it('makes exactly one part of the path of any id', () => {
    const id = text.filter((value) => !/^\.{0,2}$/.test(value));
    fc.assert(
      fc.property(id, (value) => {
        const { pathname } = new URL(
          `${base}${fillPathParams('/memories/:id/pin', { id: value })}`,
        );
        const parts = pathname.split('/');
        expect([parts.length, decodeURIComponent(parts[2] ?? '')]).toEqual([4, value]);
      }),
    );
  });

  it.each(['', '.', '..'])('refuses "%s", which would be another path', (id) => {
    expect(() => fillPathParams('/memories/:id', { id })).toThrow(/^params\.id: /);
  });

  it('refuses a part that is missing', () => {
    expect(() => fillPathParams('/memories/:id', {})).toThrow(TypeError);
  });
});
