import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFakeClock } from '../../support/fake-clock.ts';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { readCsv, readRows } from './csv-parser.ts';
import { readHtml, textContent, walkElements } from './html-parser.ts';
import { onlySessionOfKey, searchWithSession, withoutTimers } from './session-requests.ts';

const oddTexts = [
  '</pre><script>alert(1)</script>',
  '"quoted", with, commas\r\nand lines\rand\nmore',
  '&lt; &amp &#60; & "\' <!-- -->',
  'lines\u2028apart\u2029and\u0085so',
  '\u202eright to left ‏שלום مرحبا\u202c',
  '```\n# not a heading\n```',
  '~~~ ````` ``',
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20SUM(A1)',
  '\tindented',
  '\rreturn',
  "'=already",
  '"',
  '\n\n\nleading line feeds',
  'trailing spaces   \n\n',
  '\u0001\u001b[31m\u007f\u009f',
  '\ufeffmark \ufdd0 \uffff 🦊\u200d👩🏽‍🚀 e\u0301',
  ']]> {{x}} <%= 1 %> #{x} \\0 \\u0000',
];
const text = fc
  .string({ unit: 'binary', maxLength: 60 })
  .map((value) => value.replaceAll('\0', ''));
const odd = fc.oneof(fc.constantFrom(...oddTexts), text);
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' });
const body = fc.record({
  content: fc.tuple(odd, odd).map(([before, after]) => `${before}\nneedle\n${after}`),
  type: fc.constantFrom('text', 'markdown', 'url', 'audio', 'image'),
  tags: fc.uniqueArray(
    odd.map((tag) => tag.slice(0, 40).toWellFormed() || 'x'),
    { maxLength: 4 },
  ),
  metadata: fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 10 }), json, { maxKeys: 4 }),
  priority: fc.nat(10),
  is_pinned: fc.boolean(),
  protection_level: fc.constantFrom('none', 'soft', 'hard'),
  occurred_at: fc.option(
    fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString()),
    { nil: undefined },
  ),
});
const bodies = (minLength: number, maxLength: number) =>
  fc.uniqueArray(body, { minLength, maxLength, selector: ({ content }) => content });

/** As JSON sends it: no negative zero, nothing undefined. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const kept = ({ content, content_type, tags, metadata, priority, ...rest }: Memory) => {
  const { is_pinned, protection_level, occurred_at } = rest;
  return {
    content,
    content_type,
    tags,
    metadata,
    priority,
    is_pinned,
    protection_level,
    occurred_at,
  };
};
const byContent = <T extends { content: string }>(some: readonly T[]): T[] =>
  some.toSorted((a, b) => (a.content < b.content ? -1 : 1));

async function post(client: Client, memories: readonly object[]): Promise<void> {
  for (let from = 0; from < memories.length; from += 100) {
    const page = memories.slice(from, from + 100) as { content: string }[];
    const { failed } = await client.memories.bulkCreate({ body: { memories: page } });
    expect(failed).toEqual([]);
  }
}

describe.each(engines)('An export of an activation session on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine, {
      overrides: { clock: withoutTimers(createFakeClock()) },
    });
  });
  afterAll(() => service.stop());

  /** An account with a session of these memories. */
  async function filled(memories: readonly object[]) {
    const { client } = await service.createAccount();
    await post(client, memories);
    for (let offset = 0; offset < memories.length; offset += 100) {
      await client.search.get({ query: { q: 'needle', session: 'k "<&', limit: 100, offset } });
    }
    const { id, memory_ids } = await onlySessionOfKey(client, 'k "<&');
    expect(memory_ids).toHaveLength(memories.length);
    const exported = async (format: string): Promise<string> => {
      const path = `/sessions/${id}/export?format=${format}`;
      const { status, body: taken } = await client.request({ method: 'GET', path });
      expect(status).toBe(200);
      return taken as string;
    };
    const read: Memory[] = [];
    for (let offset = 0; offset < memories.length; offset += 100) {
      const query = { limit: 100, offset };
      read.push(...(await client.sessions.memories({ params: { id }, query })).data);
    }
    return { client, id, exported, memories: read };
  }

  it.each([
    ['', 'md', 'text/markdown; charset=utf-8'],
    ['?format=markdown', 'md', 'text/markdown; charset=utf-8'],
    ['?format=json', 'json', 'application/json; charset=utf-8'],
    ['?format=csv', 'csv', 'text/csv; charset=utf-8'],
    ['?format=html', 'html', 'text/html; charset=utf-8'],
  ])('%s comes as a file with its name and its type', async (query, extension, type) => {
    const { client, id } = await filled([{ content: 'needle' }]);
    const path = `/sessions/${id}/export${query}`;
    const { status, headers } = await client.request({ method: 'GET', path });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="session-${id}.${extension}"`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('of nothing is a whole file, too', async () => {
    const { client } = await service.createAccount();
    await searchWithSession(client, 'k', 'nothing');
    const { id } = await onlySessionOfKey(client, 'k');
    const taken = async (format: string) =>
      (await client.request({ method: 'GET', path: `/sessions/${id}/export?format=${format}` }))
        .body;
    expect(await taken('json')).toMatchObject({ session: { id }, memories: [], relationships: [] });
    expect(readCsv(String(await taken('csv')))).toEqual([]);
    expect(textContent(readHtml(String(await taken('html'))))).toContain('Session k');
    expect(await taken('markdown')).toMatch(/^# Session k\n/);
  });

  it('as json can be posted into an empty account, and every field is kept', async () => {
    await fc.assert(
      fc.asyncProperty(bodies(101, 115), async (given) => {
        const { client, id, memories } = await filled(given);
        const { session, memories: taken } = await client.sessions.export({
          params: { id },
          query: { format: 'json' },
        });
        expect(session).toEqual(await client.sessions.get({ params: { id } }));
        expect(taken.map(({ create: _, ...memory }) => memory)).toEqual(memories);
        const copy = await service.createAccount();
        const creates = taken.map(({ create }) => create);
        await post(copy.client, creates);
        const copied: Memory[] = [];
        for await (const memory of copiesOf(copy.client)) copied.push(memory);
        const expected = given.map(({ type, occurred_at = null, ...rest }) =>
          sent({ ...rest, content_type: type, occurred_at }),
        );
        expect(byContent(copied.map(kept))).toEqual(byContent(expected));
      }),
      { numRuns: runCount(1, 10), endOnFailure: true },
    );
  });

  async function* copiesOf(client: Client): AsyncGenerator<Memory> {
    let cursor: string | null = null;
    do {
      const query: { limit: number; cursor?: string } = {
        limit: 100,
        ...(cursor === null ? {} : { cursor }),
      };
      const page = await client.memories.list({ query });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  it('as json keeps each of several memories of the same words when it is posted', async () => {
    const { client } = await service.createAccount();
    const red = await client.spaces.create({ body: { name: 'red' } });
    const session = await client.cliSessions.create({ body: { name: 'chat' } });
    const said = (role: string) => ({ role, content: 'needle yes' });
    await client.cliSessions.postMessages({
      params: { id: session.id },
      body: { messages: [said('user'), said('assistant'), said('user')] },
    });
    const twice = { content: 'needle twice' };
    await post(client, [{ content: 'needle yes' }, twice, { ...twice, space_id: red.id }]);
    await searchWithSession(client, 'k', 'needle');
    const { id, memory_count } = await onlySessionOfKey(client, 'k');
    expect(memory_count).toBe(6);
    const { memories } = await client.sessions.export({
      params: { id },
      query: { format: 'json' },
    });
    const isExempt = ({ create }: (typeof memories)[number]) => create.allow_duplicate === true;
    const exempt = (content: string) => memories.filter((one) => one.content === content);
    expect(exempt('needle yes').filter(isExempt)).toHaveLength(3);
    expect(exempt('needle twice').map(isExempt)).toEqual([false, true]);
    const copy = await service.createAccount();
    await post(
      copy.client,
      memories.map(({ create }) => create),
    );
    const { data } = await copy.client.memories.list({ query: { limit: 100 } });
    const roles = (some: readonly Memory[]) =>
      some.map(({ content, metadata }) => `${content} ${metadata.role}`).toSorted();
    expect(roles(data)).toEqual(roles(memories));
  });

  it('as csv reads by RFC 4180, gives each content back, and runs no formula', async () => {
    await fc.assert(
      fc.asyncProperty(bodies(20, 40), async (given) => {
        const { exported, id, memories } = await filled(given);
        const csv = await exported('csv');
        const formula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
        expect(
          readRows(csv)
            .flat()
            .filter((cell) => formula.test(cell)),
        ).toEqual([]);
        const records = readCsv(csv);
        expect(records.map((one) => one.id)).toEqual(memories.map((one) => one.id));
        for (const [i, memory] of memories.entries()) {
          const { content } = memory;
          expect(records[i]).toMatchObject({
            content: formula.test(content) ? `'${content}` : content,
            content_type: memory.content_type,
            priority: String(memory.priority),
            is_pinned: String(memory.is_pinned),
            protection_level: memory.protection_level,
            occurred_at: memory.occurred_at ?? '',
            space_id: '',
            activation_id: id,
            session_key: 'k "<&',
            activation_is_closed: 'false',
          });
          expect(JSON.parse(records[i]?.tags ?? '')).toEqual(memory.tags);
          expect(JSON.parse(records[i]?.metadata ?? '')).toEqual(memory.metadata);
        }
      }),
      { numRuns: runCount(2, 40), endOnFailure: true },
    );
  });

  it('as html is one document that shows what was stored and loads nothing', async () => {
    const plain = (content: string): string =>
      content
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll(/[^\P{Cc}\t\n\f]|\p{Noncharacter_Code_Point}/gu, '\ufffd');
    await fc.assert(
      fc.asyncProperty(bodies(20, 40), async (given) => {
        const { exported, memories } = await filled(given);
        const html = readHtml(await exported('html'));
        const elements = [...walkElements(html)];
        const named = (name: string) => elements.filter((element) => element.name === name);
        expect(named('pre').map(textContent)).toEqual(
          memories.map(({ content }) => plain(content)),
        );
        expect(named('title').map(textContent)).toEqual(['Session k "<&']);
        for (const [i, { tags, id }] of memories.entries()) {
          expect(textContent(named('small')[i] ?? html)).toBe(`${id} ${plain(tags.join(', '))}`);
        }
        const known = 'html head meta title style body h1 h2 dl dt dd article small pre ul li a';
        expect(elements.filter(({ name }) => !known.split(' ').includes(name))).toEqual([]);
        const attributes = elements.flatMap((element) => Object.keys(element.attributes));
        expect(attributes.filter((name) => /^on|^src|^style$|href/.test(name))).toEqual([]);
        expect(named('style').map(textContent).join()).not.toMatch(/url\(|@import/);
        const policy = named('meta').find(({ attributes }) => 'http-equiv' in attributes);
        expect(policy?.attributes).toEqual({
          'http-equiv': 'Content-Security-Policy',
          content: "default-src 'none'; style-src 'unsafe-inline'",
        });
      }),
      { numRuns: runCount(2, 40), endOnFailure: true },
    );
  });

  it('as markdown keeps each content within its own fence', async () => {
    const lines = (value: string): string[] => value.split(/\r\n|\r|\n/);
    await fc.assert(
      fc.asyncProperty(bodies(20, 40), async (given) => {
        const { exported, memories } = await filled(given);
        const fenced: string[][] = [];
        const outside: string[] = [];
        let fence = '';
        for (const line of lines(await exported('markdown'))) {
          const isFence = /^ {0,3}`{3,}[ \t]*$/.test(line);
          if (fence === '' && /^ {0,3}(?:`{3}|~{3})/.test(line)) {
            fence = line.trim();
            fenced.push([]);
          } else if (fence !== '' && isFence && line.trim().length >= fence.length) fence = '';
          else if (fence === '') outside.push(line);
          else fenced.at(-1)?.push(line);
        }
        expect(fence).toBe('');
        expect(fenced).toEqual(memories.map(({ content }) => lines(content)));
        const headings = outside.filter((line) => line.startsWith('#'));
        expect(headings).toEqual([
          '# Session k "\\<\\&',
          ...memories.map(({ created_at }, i) => `## ${i + 1}. ${created_at}`),
        ]);
        // Whatever a tag holds, it stays on its line and is no markup.
        expect(outside.filter((line) => !/^$|^# |^## |^- [A-Z]/.test(line))).toEqual([]);
        const tags = outside.filter((line) => line.startsWith('- Tags: '));
        expect(tags.filter((line) => /(?<!\\)(?:\\\\)*[`*_{}[\]<>#|~&]/.test(line))).toEqual([]);
      }),
      { numRuns: runCount(2, 40), endOnFailure: true },
    );
  });
});
