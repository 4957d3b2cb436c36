import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onlyMemoryResults } from '../../support/memory-results.ts';
import { oneEngine, type Service, startService } from '../../support/service.ts';

/** What is stored, and each query that must find it first. */
const identifiers: readonly [content: string, ...queries: string[]][] = [
  ['The job calls retry_with_backoff before it gives up.', 'retry_with_backoff', 'retry backoff'],
  [
    'Use parseHttpHeaders to read them.',
    'parseHttpHeaders',
    'parse http headers',
    'parsehttpheaders',
  ],
  ['class OrderRepositoryImpl implements it', 'OrderRepositoryImpl', 'order repository'],
  [
    'See packages/core/src/loader.ts for how plugins are found.',
    'packages/core/src/loader.ts',
    'loader.ts',
  ],
  [
    'Logs go to /var/log/nginx/access.log on that host.',
    '/var/log/nginx/access.log',
    'nginx access log',
  ],
  ['We pinned libfoo to 2.14.3 after the crash.', '2.14.3', 'libfoo 2.14.3'],
  ['Postgres v16.1-rc2 is installed there.', 'v16.1-rc2', '16.1-rc2'],
  ['Write to billing.team@example.org for refunds.', 'billing.team@example.org', 'billing team'],
  ['The ticket is PROJ-4821.', 'PROJ-4821', 'proj 4821'],
  ['Error E0277 comes from the trait bound.', 'E0277'],
  ['The commit was 9f3c2ab.', '9f3c2ab'],
  ['Set MAX_POOL_SIZE=40 in production.', 'MAX_POOL_SIZE', 'max pool size'],
  ['Open port 5433/tcp in the firewall.', '5433', '5433/tcp'],
  [
    'The endpoint is https://api.example.com/v2/orders?id=7',
    'api.example.com/v2/orders',
    'https://api.example.com/v2/orders',
  ],
  ['C:\\Users\\ana\\notes.txt holds the list.', 'notes.txt', 'C:\\Users\\ana\\notes.txt'],
  ['std::vector<int> is copied here.', 'std::vector', 'vector<int>'],
  ['The flag is --dry-run.', '--dry-run flag', 'dry-run'],
  ['The licence key begins with QX7.', 'QX7'],
  ['Call +49 30 901820 for the office.', '901820', '+49 30 901820'],
  ['The colour is #ff8800.', '#ff8800', 'ff8800'],
];

const phrases: readonly [content: string, query: string][] = [
  ['He said that the quick brown fox was late.', '"quick brown fox"'],
  ['To be or not to be is a question.', '"to be or not to be"'],
  ['The Who played in the old hall.', '"the who"'],
  ['Crème brûlée was served last.', '"creme brulee"'],
];

/** One edit away from a word of the memory. */
const misspelt: readonly [content: string, ...queries: string[]][] = [
  [
    'The restaurant by the harbour closes on Mondays.',
    'restarant',
    'restauarnt',
    'restaurantt',
    'resteurant',
    'harbur',
  ],
  ['The veterinarian vaccinated the puppy.', 'vetrinarian', 'veterinarain', 'vacinated', 'pupy'],
  ['Her accommodation was cancelled.', 'acommodation', 'accomodation', 'canceled'],
  ['A definite necessity of maintenance.', 'definate', 'neccessity', 'maintenence'],
];

const languages: readonly [language: string, content: string, query: string][] = [
  ['German', 'Der Vertrag wurde gestern von Frau Müller unterschrieben.', 'Vertrag Muller'],
  ['French', 'La réunion est reportée à jeudi à cause de la grève.', 'reunion grève'],
  ['Spanish', 'El niño aprendió a nadar en la piscina municipal.', 'nino piscina'],
  ['Portuguese', 'A reunião com o cliente foi adiada para amanhã.', 'reuniao adiada'],
  ['Italian', 'La fattura di marzo non è stata ancora pagata.', 'fattura pagata'],
  ['Dutch', 'De fiets staat in de schuur achter het huis.', 'fiets schuur'],
  ['Swedish', 'Mötet flyttades till fredag eftermiddag.', 'motet fredag'],
  ['Polish', 'Książka leży na półce obok okna.', 'książka półce'],
  ['Czech', 'Zítra přijede babička z Brna.', 'babička Brna'],
  ['Turkish', 'İstanbul’daki toplantı iptal edildi.', 'toplantı iptal'],
  ['Vietnamese', 'Cuộc họp được dời sang thứ sáu.', 'cuộc họp'],
  ['Russian', 'Договор подписан вчера в Москве.', 'договор Москве'],
  ['Ukrainian', 'Ключі лежать у верхній шухляді.', 'ключі шухляді'],
  ['Greek', 'Το συμβόλαιο υπογράφηκε στην Αθήνα.', 'συμβολαιο Αθηνα'],
  ['Hebrew', 'המפתחות נמצאים במגירה העליונה.', 'המפתחות במגירה'],
  ['Arabic', 'تم توقيع العقد أمس في القاهرة.', 'العقد القاهرة'],
  ['Hindi', 'बैठक कल सुबह दस बजे होगी।', 'बैठक सुबह'],
  ['Chinese', '合同昨天在北京签署了。', '北京合同'],
  ['Japanese', '来週の会議は東京で開かれます。', '東京 会議'],
  ['Korean', '회의는 다음 주에 서울에서 열립니다.', '서울에서 회의는'],
  ['Thai', 'การประชุมเลื่อนไปวันศุกร์', 'ประชุม วันศุกร์'],
  ['Georgian', 'ხელშეკრულება გუშინ გაფორმდა.', 'ხელშეკრულება'],
  ['Armenian', 'Պայմանագիրը ստորագրվել է երեկ։', 'պայմանագիրը'],
];

const cases = [
  ...[...identifiers, ...misspelt].flatMap(([content, ...queries]) =>
    queries.map((query) => ({ query, content })),
  ),
  ...phrases.map(([content, query]) => ({ query, content })),
  ...languages.map(([, content, query]) => ({ query, content })),
];

describe.each(oneEngine)('what is written is found, on %s', (engine) => {
  let service: Service;
  let client: Awaited<ReturnType<Service['createAccount']>>['client'];
  beforeAll(async () => {
    service = await startService(engine);
    ({ client } = await service.createAccount());
    const contents = [...new Set(cases.map(({ content }) => content))];
    const made = await client.memories.bulkCreate({
      body: { memories: contents.map((content) => ({ content })) },
    });
    expect(made.failed).toEqual([]);
  });
  afterAll(() => service.stop());

  it.each(cases)('$query finds: $content', async ({ query, content }) => {
    const { results } = await client.search.post({ body: { q: query, limit: 3 } });
    expect(onlyMemoryResults(results)[0]?.content).toBe(content);
  });

  it.each(languages)(
    '%s: the exact text is found, with a score of at least .9',
    async (_, content) => {
      const { results } = await client.search.post({ body: { q: content, limit: 1 } });
      expect(onlyMemoryResults(results)[0]?.content).toBe(content);
      expect(results[0]?.score).toBeGreaterThanOrEqual(0.9);
    },
  );

  it.each([
    ['contract -Müller', 'Müller'],
    ['vertrag -gestern', 'gestern'],
    ['restaurant -"closes on Mondays"', 'closes on Mondays'],
    ['loader -plugins', 'plugins'],
  ])('%s leaves out what it excludes', async (q, excluded) => {
    const { results } = await client.search.post({ body: { q, limit: 100 } });
    expect(onlyMemoryResults(results).filter(({ content }) => content.includes(excluded))).toEqual(
      [],
    );
  });
});
