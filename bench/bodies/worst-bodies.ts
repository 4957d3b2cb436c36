import { limits } from '@mneme/contract';

/** A request whose body is as bad as the limits permit. */
export interface WorstBody {
  readonly path: string;
  /** In pieces, so that the sender does not hold it either. */
  readonly pieces: () => Iterable<string>;
  readonly status: number;
}

const { jsonTokensMax, jsonEntriesMax, bulkItemsMax } = limits;
const megabyte = 1_048_576;

/** A list of items, with commas between them. */
function* bulk(list: string, count: number, item: (index: number) => string): Generator<string> {
  yield `{"${list}":[`;
  for (let i = 0; i < count; i += 1) yield `${i > 0 ? ',' : ''}${item(i)}`;
  yield ']}';
}

/** Text of so many bytes, of words. */
export function textOfBytes(bytes: number, seed: number): string {
  const word = `alder${seed} birch cedar larch maple rowan willow `;
  return word.repeat(Math.ceil(bytes / word.length)).slice(0, bytes - 1);
}

/** So many tokens of lists in lists, within the limit of entries. */
function nestedLists(tokens: number): string {
  const inner = `[${Array(1_000).fill('[]').join()}]`;
  const perInner = 3_002;
  return `[${Array(Math.floor(tokens / perInner))
    .fill(inner)
    .join()}]`;
}

const tokensOfItem = Math.floor(jsonTokensMax / bulkItemsMax) - 100;
const objects = (count: number): string =>
  `{${Array.from({ length: count }, (_, i) => `"k${i}":{"a":1}`).join()}}`;

export const worstBodies = {
  'nested lists, 64 MiB': {
    path: '/memories/bulk',
    status: 413,
    pieces: () =>
      bulk('memories', 60, () => `{"content":"a","metadata":{"a":${nestedLists(350_000)}}}`),
  },
  'as many tokens as permitted, in lists': {
    path: '/memories/bulk',
    status: 201,
    pieces: () =>
      bulk(
        'memories',
        bulkItemsMax,
        () => `{"content":"a","metadata":{"a":${nestedLists(tokensOfItem)}}}`,
      ),
  },
  'as many tokens as permitted, in objects and padded to 60 MiB': {
    path: '/memories/bulk',
    status: 201,
    pieces: () =>
      bulk('memories', bulkItemsMax, (i) => {
        const metadata = objects(Math.floor(tokensOfItem / 8) - 10);
        return `{"content":"${textOfBytes(500_000, i)}","metadata":${metadata}}`;
      }),
  },
  'faulty fields, 10,000 in each of 100 items': {
    path: '/memories/bulk',
    status: 201,
    pieces: () =>
      bulk('memories', bulkItemsMax, () => objects(jsonEntriesMax / 8).replaceAll('"a"', '"bb"')),
  },
  'one memory with 8 MiB of lists': {
    path: '/memories',
    status: 422,
    pieces: () => [`{"content":"a","metadata":{"a":${nestedLists(1_990_000)}}}`],
  },
  'messages of 60 MiB': {
    path: '/cli-sessions/SESSION/messages',
    status: 201,
    pieces: () =>
      bulk('messages', 60, (i) => `{"role":"user","content":"${textOfBytes(megabyte - 100, i)}"}`),
  },
  'the longest memories of the plan max': {
    path: '/memories/bulk',
    status: 201,
    pieces: () => bulk('memories', bulkItemsMax, (i) => `{"content":"${textOfBytes(131_072, i)}"}`),
  },
  'memories of 60 MiB': {
    path: '/memories/bulk',
    status: 201,
    pieces: () => bulk('memories', 60, (i) => `{"content":"${textOfBytes(megabyte - 100, i)}"}`),
  },
} as const satisfies Record<string, WorstBody>;

export type WorstBodyName = keyof typeof worstBodies;
