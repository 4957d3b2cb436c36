import type { AccountIndex } from '../account/account-index.ts';
import { columnNames } from '../account/columns.ts';

/** Columns that number other parts of one index, follow from others, or have no position. */
const relativeColumns: ReadonlySet<string> = new Set([
  'contextWords',
  'firstPassage',
  'session',
  'sessionPosition',
  'space',
  'speaker',
  'contentType',
  'owner',
  'salience',
  'salienceAt',
  'inverseNorm',
]);
const ownColumns = columnNames.filter((name) => !relativeColumns.has(name));

/** What an index has, in a form that does not depend on the numbers in it. */
export class IndexDescription {
  readonly index: AccountIndex;
  readonly #terms: readonly string[];
  readonly #spaceIds: readonly (string | null)[];
  readonly #sessionIds: readonly string[];

  /** @param index may not change while this is used */
  constructor(index: AccountIndex) {
    this.index = index;
    this.#terms = index.terms.names;
    this.#spaceIds = index.spaceIds;
    this.#sessionIds = index.sessions.ids;
  }

  /** The live documents, by id. */
  get documents(): Map<string, number> {
    const { index } = this;
    const live = new Map<string, number>();
    for (let number = 0; number < index.columns.length; number += 1) {
      if (index.isLive(number)) live.set(index.ids.at(number), number);
    }
    return live;
  }

  /** Everything that belongs to a document itself, except for its vectors. */
  describe(number: number) {
    const { index } = this;
    const { columns } = index;
    const session = index.sessions.all[columns.session[number] as number];
    const position = columns.sessionPosition[number] as number;
    return {
      columns: ownColumns.map((name) => columns[name][number]),
      space: this.#spaceIds[columns.space[number] as number],
      speaker: index.speakers.names[columns.speaker[number] as number] ?? null,
      contentType: index.contentTypes.nameOf(columns.contentType[number] as number),
      owner: index.owners.all[columns.owner[number] as number],
      session: session && this.#sessionIds[columns.session[number] as number],
      ordinal: session && session.turns[position] === number && session.ordinals[position],
      tags: index.tags[number],
      dates: [...(index.dates.get(number) ?? [])],
      supersededBy: index.successors.supersededBy.get(number),
      likelySupersededBy: index.successors.likelySupersededBy.get(number),
      factsEnd: index.successors.factsEnd.get(number),
      passages: this.#passagesOf(number),
    };
  }

  /** The bytes of its vector and of those of its passages. */
  describeVectors(number: number): string {
    const { index } = this;
    const hasVector = index.columns.inverseNorm[number] !== 0;
    const parts = hasVector ? [Buffer.from(index.vectors.get(number)).toString('hex')] : [''];
    const range = index.passageVectors?.ranges.get(number);
    for (let i = 0; range && i < range.count; i += 1) {
      const [bytes] = index.passageVectors?.vectorAt(range.first + i) ?? [];
      parts.push(Buffer.from(bytes ?? []).toString('hex'));
    }
    return parts.join(' ');
  }

  #passagesOf(number: number) {
    const { index } = this;
    const [from, to] = index.passagesOf(number);
    return Array.from({ length: to - from }, (_, i) => {
      const passage = from + i;
      const terms: string[] = [];
      index.terms.eachTermOf(passage, (term) => {
        const { passages, counts } = index.terms.postingOf(term);
        terms.push(`${this.#terms[term]} ${counts[indexOfSorted(passages, passage)]}`);
      });
      return {
        isOwn: index.passageDocument.at(passage) === number,
        length: index.passageLength.at(passage),
        range: [index.passageRange.at(passage * 2), index.passageRange.at(passage * 2 + 1)],
        statesTime: index.passageStatesTime.at(passage),
        terms: terms.sort(),
      };
    });
  }
}

/** −1 if it is missing. */
function indexOfSorted(values: Int32Array, value: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((values[middle] as number) < value) from = middle + 1;
    else to = middle;
  }
  return values[from] === value ? from : -1;
}

export interface IndexDifferences {
  /** Ids of documents that both have, or only the rebuilt index, and that differ. */
  readonly differing: readonly string[];
  /** Ids of documents that the rebuilt index does not have. */
  readonly unmatched: readonly string[];
  /** Number of terms whose counts are wrong. */
  readonly wrongFrequencies: number;
}

/**
 * Compares a loaded segment with an index that was rebuilt from the documents of its position.
 * @param changedVectors ids of documents whose vectors have changed since the position
 */
export function compareIndexes(
  segment: AccountIndex,
  rebuilt: AccountIndex,
  changedVectors: ReadonlySet<string>,
): IndexDifferences {
  const [own, other] = [new IndexDescription(segment), new IndexDescription(rebuilt)];
  const [ownDocuments, otherDocuments] = [own.documents, other.documents];
  const differing = [...otherDocuments.keys()].filter((id) => !ownDocuments.has(id));
  const unmatched: string[] = [];
  const frequencies = new Map<string, number>();
  for (const [id, number] of ownDocuments) {
    const described = own.describe(number);
    countTerms(described.passages, frequencies);
    const otherNumber = otherDocuments.get(id);
    if (otherNumber === undefined) {
      unmatched.push(id);
      continue;
    }
    const isEqual =
      JSON.stringify(described) === JSON.stringify(other.describe(otherNumber)) &&
      (changedVectors.has(id) ||
        own.describeVectors(number) === other.describeVectors(otherNumber));
    if (!isEqual) differing.push(id);
  }
  const wrong = segment.terms.names.filter(
    (term) => segment.terms.documentFrequency(term) !== (frequencies.get(term) ?? 0),
  );
  return { differing, unmatched, wrongFrequencies: wrong.length };
}

function countTerms(
  passages: ReturnType<IndexDescription['describe']>['passages'],
  frequencies: Map<string, number>,
): void {
  const terms = passages.flatMap((passage) =>
    passage.terms.map((term) => term.slice(0, term.lastIndexOf(' '))),
  );
  for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
}
