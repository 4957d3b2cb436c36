import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { engines, type Service, startService } from '../../support/service.ts';

/** What one query finds among some contents: these match, and none of the rest. */
interface Example {
  readonly says: string;
  readonly contents: readonly string[];
  readonly q: string;
  readonly finds: readonly string[];
}

const tea = ['Black tea with milk', 'Black coffee', 'Milk for the tea', 'Green tea'];

const phrases: Example[] = [
  { says: 'must occur', contents: tea, q: '"black tea"', finds: ['Black tea with milk'] },
  { says: 'must occur in this order', contents: tea, q: '"tea black"', finds: [] },
  { says: 'must occur whole', contents: tea, q: '"black te"', finds: [] },
  {
    says: 'marked by + may stand among other words',
    contents: tea,
    q: 'milk +"green tea"',
    finds: ['Green tea'],
  },
  {
    says: 'must occur each, when there are several',
    contents: ['red car, blue bike', 'blue bike only', 'red car only'],
    q: '"red car" "blue bike"',
    finds: ['red car, blue bike'],
  },
  {
    says: 'may go over a line break and any white space',
    contents: ['the red\n   car', 'the car is red'],
    q: '"red car"',
    finds: ['the red\n   car'],
  },
  {
    says: 'is found with or without accents and capitals',
    contents: ['at the Café Noir', 'noir at the cafe'],
    q: '"cafe noir"',
    finds: ['at the Café Noir'],
  },
  {
    says: 'takes words as they are, not their stems',
    contents: ['we walked home', 'we walk home'],
    q: '"walked home"',
    finds: ['we walked home'],
  },
  {
    says: 'may be in any letter case, beyond ASCII too',
    contents: ['Die ÜBERGABE ist morgen', 'Morgen ist die Übergabe'],
    q: '"übergabe IST"',
    finds: ['Die ÜBERGABE ist morgen'],
  },
  {
    says: 'may be an identifier or a path',
    contents: ['call get_user_name()', 'get the user name', 'src/http/bind.ts is new'],
    q: '"get_user_name"',
    finds: ['call get_user_name()'],
  },
  {
    says: 'may be a part of a Chinese sentence',
    contents: ['我喜欢喝绿茶', '我喜欢咖啡'],
    q: '"绿茶"',
    finds: ['我喜欢喝绿茶'],
  },
];

const exclusions: Example[] = [
  {
    says: 'leaves out what holds the term',
    contents: ['Black tea with milk', 'Milk for the tea', 'Green tea'],
    q: 'tea -milk',
    finds: ['Green tea'],
  },
  {
    says: 'leaves out its other forms as well',
    contents: ['tea for drinkers', 'tea to drink', 'tea leaves'],
    q: 'tea -drinking',
    finds: ['tea for drinkers', 'tea leaves'],
  },
  {
    says: 'holds for several terms',
    contents: tea,
    q: 'black tea milk coffee -coffee -green',
    finds: ['Black tea with milk', 'Milk for the tea'],
  },
  {
    says: 'holds for a quoted phrase as it stands',
    contents: ['black coffee and tea', 'black tea and white coffee'],
    q: 'tea -"black coffee"',
    finds: ['black tea and white coffee'],
  },
  {
    says: 'takes a hyphen inside a word for a hyphen',
    contents: ['a well-known tea', 'an unknown tea'],
    q: 'well-known',
    finds: ['a well-known tea'],
  },
];

const languages: Example[] = [
  {
    says: 'stems: plural and singular, forms of a verb',
    contents: ['The batteries were replaced', 'A red bicycle'],
    q: 'replacing battery',
    finds: ['The batteries were replaced'],
  },
  {
    says: 'irregular verbs',
    contents: ['She went to Lisbon', 'A red bicycle'],
    q: 'go Lisbon',
    finds: ['She went to Lisbon'],
  },
  {
    says: 'irregular nouns',
    contents: ['Two mice in the attic', 'A red bicycle'],
    q: 'mouse',
    finds: ['Two mice in the attic'],
  },
  {
    says: 'accents in the text',
    contents: ['Café crème à Orléans', 'A red bicycle'],
    q: 'cafe creme orleans',
    finds: ['Café crème à Orléans'],
  },
  {
    says: 'accents in the query, composed or not',
    contents: ['resume of Zoe', 'A red bicycle'],
    q: 're\u0301sume\u0301 Zoë',
    finds: ['resume of Zoe'],
  },
  {
    says: 'letter case',
    contents: ['ANNUAL REPORT', 'A red bicycle'],
    q: 'annual report',
    finds: ['ANNUAL REPORT'],
  },
  {
    says: 'Chinese',
    contents: ['今天的会议讨论了数据库迁移', '我喜欢喝绿茶'],
    q: '数据库',
    finds: ['今天的会议讨论了数据库迁移'],
  },
  {
    says: 'Japanese',
    contents: ['東京タワーに行きました', '猫はソファーの上で寝ている'],
    q: '東京',
    finds: ['東京タワーに行きました'],
  },
  {
    says: 'Korean',
    contents: ['다음 주 화요일에 회의가 있습니다', '고양이는 소파에서 잔다'],
    q: '화요일 회의',
    finds: ['다음 주 화요일에 회의가 있습니다'],
  },
  {
    says: 'Cyrillic',
    contents: ['Собрание перенесено на вторник', 'Красный велосипед'],
    q: 'собрание',
    finds: ['Собрание перенесено на вторник'],
  },
  {
    says: 'Arabic',
    contents: ['الاجتماع يوم الثلاثاء', 'دراجة حمراء'],
    q: 'الاجتماع',
    finds: ['الاجتماع يوم الثلاثاء'],
  },
];

const code: Example[] = [
  {
    says: 'snake_case whole',
    contents: ['retry_after_seconds is set', 'The train leaves at noon'],
    q: 'retry_after_seconds',
    finds: ['retry_after_seconds is set'],
  },
  {
    says: 'snake_case by a part',
    contents: ['retry_after_seconds is set', 'The train leaves at noon'],
    q: 'retry',
    finds: ['retry_after_seconds is set'],
  },
  {
    says: 'camelCase by a part',
    contents: ['parseHttpHeader fails', 'The train leaves at noon'],
    q: 'header',
    finds: ['parseHttpHeader fails'],
  },
  {
    says: 'a path by its file',
    contents: ['see packages/server/src/bind.ts', 'The train leaves at noon'],
    q: 'bind.ts',
    finds: ['see packages/server/src/bind.ts'],
  },
  {
    says: 'SCREAMING_CASE',
    contents: ['set MNEME_DATA_DIR first', 'The train leaves at noon'],
    q: 'MNEME_DATA_DIR',
    finds: ['set MNEME_DATA_DIR first'],
  },
  {
    says: 'an address',
    contents: ['write to ana@example.org', 'The train leaves at noon'],
    q: 'ana@example.org',
    finds: ['write to ana@example.org'],
  },
];

describe.each(engines)('search expressions on %s', (engine) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(engine);
  });
  afterAll(() => service.stop());

  const holds = async ({ contents, q, finds }: Example): Promise<void> => {
    const { client } = await service.createAccount();
    const memories = contents.map((content) => ({ content }));
    await client.memories.bulkCreate({ body: { memories } });
    const { results, facets } = await client.search.post({ body: { q } });
    const found = onlyMemoryResults(results).map(({ content }) => content);
    expect(found.slice(0, finds.length).sort()).toEqual([...finds].sort());
    expect(facets.memories).toBe(finds.length);
    // The nearest others fill the page, unless the query says what must occur.
    if (/(^|\s)\+?"/.test(q)) expect(found).toHaveLength(finds.length);
  };

  it.each(phrases)('a quoted phrase $says', holds);
  it.each(exclusions)('-term $says', holds);
  it.each(languages)('finds over $says', holds);
  it.each(code)('finds $says', holds);

  it('puts the memory with the very version first', async () => {
    const { client } = await service.createAccount();
    const memories = ['1.2.3', '1.2.4', '1.3.2', '3.2.1', '2.1.3'].map((version) => ({
      content: `Release ${version} of the parser is out`,
    }));
    await client.memories.bulkCreate({ body: { memories } });
    const { results } = await client.search.get({ query: { q: 'parser 1.2.4' } });
    expect(onlyMemoryResults(results)[0]?.content).toBe('Release 1.2.4 of the parser is out');
  });

  it('puts the memory with the very identifier before one with its words', async () => {
    const { client } = await service.createAccount();
    const memories = [
      { content: 'The name of the user is what we get from the form' },
      { content: 'Then get_user_name reads it from the form' },
    ];
    await client.memories.bulkCreate({ body: { memories } });
    const { results } = await client.search.get({ query: { q: 'get_user_name' } });
    expect(onlyMemoryResults(results)[0]?.content).toBe(
      'Then get_user_name reads it from the form',
    );
  });

  it('a result shows its content byte for byte', async () => {
    const { client } = await service.createAccount();
    const content = '  Tabs\tand\r\nlines — “quotes” e\u0301 é 👩‍💻 \u202e end \n';
    await client.memories.create({ body: { content } });
    const { results } = await client.search.get({ query: { q: 'tabs lines quotes' } });
    expect(onlyMemoryResults(results).map((result) => result.content)).toEqual([content]);
  });
});
