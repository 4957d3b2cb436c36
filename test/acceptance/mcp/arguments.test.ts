import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneEngine, type Service, startService } from '../../support/service.ts';
import { type Connection, idsIn, postMessage, postToolCall } from './mcp-clients.ts';

describe.each(oneEngine)('Arguments of MCP tools on %s', (engine) => {
  let service: Service;
  let to: Connection;
  let id = '';
  beforeAll(async () => {
    service = await startService(engine);
    to = { url: `${service.url}/mcp`, key: service.adminKey };
    const stored = await postToolCall(to, 'remember', {
      content: 'Ana prefers tea.',
      tags: ['drinks', '7'],
      when: '2026-01-05',
    });
    [id = ''] = idsIn(stored.text);
  });
  afterAll(() => service.stop());

  const query = 'what does Ana prefer?';
  const accepted: Record<string, [tool: string, args: () => unknown]> = {
    'an object as JSON text': ['recall', () => JSON.stringify({ query })],
    'a list as JSON text': ['recall', () => ({ query, tags: '["drinks"]' })],
    'a list between commas': ['recall', () => ({ query, tags: 'drinks,7' })],
    'a single text for a list': ['recall', () => ({ query, tags: 'drinks' })],
    'numbers in a list': ['recall', () => ({ query, tags: [7] })],
    'an empty list': ['recall', () => ({ query, tags: [] })],
    'an empty list as text': ['recall', () => ({ query, tags: '[]' })],
    'a number as text': ['recall', () => ({ query, max_tokens: '1500' })],
    'a number with a fraction': ['recall', () => ({ query, max_tokens: 1500.5 })],
    'a number with a separator': ['recall', () => ({ query, max_tokens: '1,500' })],
    'a number above the maximum': ['recall', () => ({ query, max_tokens: 9_999_999 })],
    'null for what is left out': ['recall', () => ({ query, tags: null, since: null })],
    'an empty text for what is left out': ['recall', () => ({ query, tags: '', until: ' ' })],
    'unknown arguments': ['recall', () => ({ query, limit: 3, mode: { a: [] } })],
    'a day': ['recall', () => ({ query, since: '2026-01-05', until: '2026-01-05' })],
    'a time without an offset': ['recall', () => ({ query, since: '2026-01-04T10:00:00' })],
    'a time with a space': ['recall', () => ({ query, since: '2026-01-04 10:00' })],
    'one id for a list': ['read', () => ({ ids: id })],
    'ids with prefix and brackets': ['read', () => ({ ids: [`[mem_${id}]`] })],
    'an id twice': ['read', () => ({ ids: [id, id.toUpperCase()] })],
    'a space by the name of the account level': ['recall', () => ({ query, space: 'default' })],
  };

  it.each(Object.entries(accepted))('may be %s', async (_name, [tool, args]) => {
    const { text, isError } = await postToolCall(to, tool, args());
    expect(isError, text).toBe(false);
    expect(idsIn(text)).toEqual([id]);
  });

  it('may have an unknown id beside one that there is', async () => {
    const unknown = '019b8d1c-0000-7000-8000-00000000dead';
    const { text, isError } = await postToolCall(to, 'read', { ids: [id, unknown] });
    expect(isError, text).toBe(false);
    expect(idsIn(text)).toContain(id);
    expect(text).toContain('memory_not_found');
  });

  const rejected: Record<string, [tool: string, args: unknown, message: RegExp]> = {
    'no arguments': ['recall', undefined, /query is required\. Call recall with \{"query":/],
    'null instead of arguments': ['recall', null, /query is required/],
    'an empty query': ['recall', { query: '' }, /query is required/],
    'an object as the query': ['recall', { query: { text: 'tea' } }, /query must be a text/],
    'a query that is too long': [
      'recall',
      { query: 'tea '.repeat(300) },
      /query must have at most 1000 characters/,
    ],
    'too few tokens': ['recall', { query, max_tokens: 10 }, /max_tokens must be .*at least 100/],
    'no number': ['recall', { query, max_tokens: 'many' }, /max_tokens must be a number/],
    'a list that is no JSON': ['recall', { query, tags: '["a", ' }, /tags must be a list of texts/],
    'objects in a list': ['recall', { query, tags: [{ a: 1 }] }, /tags must be a list of texts/],
    'no date': ['recall', { query, since: 'last week' }, /since must be a date.*2026-01-31/],
    'several at once': [
      'recall',
      { query: null, max_tokens: 1, until: 'soon' },
      /query is required; max_tokens must .*; until must be/,
    ],
    'no content': ['remember', { text: 'Ana prefers tea.' }, /content is required.*remember with/],
    'no ids': ['forget', { ids: [] }, /ids must have at least one id/],
    'a text for an id': ['forget', { ids: ['tea'] }, /ids must be ids as recall returns them/],
    'too many ids': [
      'read',
      {
        ids: Array.from(
          { length: 21 },
          (_, i) => `019b8d1c-0000-7000-8000-${String(i).padStart(12, '0')}`,
        ),
      },
      /ids must have at most 20 ids per call/,
    ],
    'an unknown space': [
      'recall',
      { query, space: 'nowhere' },
      /space_not_found: .*existing space/,
    ],
    'no name': ['about', {}, /name is required.*Call about with/],
    'a lone surrogate': ['remember', { content: 'a\ud800b' }, /content must be valid Unicode/],
  };

  it.each(Object.entries(rejected))('are not %s', async (_name, [tool, args, message]) => {
    const { text, isError } = await postToolCall(to, tool, args);
    expect(text).toMatch(/^(?:validation_error|space_not_found): /);
    expect(text).toMatch(message);
    expect(isError).toBe(true);
  });

  it('name the tools to a client that calls another one', async () => {
    const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'add_memory' } };
    const { body } = await postMessage(to, call);
    expect(body).toMatchObject({ id: 5, error: { code: -32_602 } });
    expect(JSON.stringify(body)).toContain('The tools are recall, remember, read, about, forget.');
  });
});
