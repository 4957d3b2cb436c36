import type { AccountIndex } from '../account/account-index.ts';
import type { PostingList } from '../account/postings.ts';
import type { SearchScope } from '../account/spaces.ts';
import type { TermFrequencies } from '../thread/protocol.ts';

/** The number of documents in these spaces, and how many contain each term. */
export function countDocumentFrequencies(
  index: AccountIndex,
  spaces: readonly (string | null)[] | null,
  terms: readonly string[],
): TermFrequencies {
  const scope = index.scope(spaces);
  const seesAll = scope.liveCount === index.liveCount;
  const holding = terms.map((term) => {
    if (seesAll) return index.terms.documentFrequency(term);
    const posting = index.terms.find(term);
    return posting ? countDocuments(index, scope, posting) : 0;
  });
  return { documents: scope.liveCount, frequencies: holding };
}

/** Passages are ordered by document, so those of one document are adjacent. */
function countDocuments(
  index: AccountIndex,
  { visible }: SearchScope,
  { passages }: PostingList,
): number {
  const { columns, passageDocument } = index;
  const documents = passageDocument.view();
  let count = 0;
  let last = -1;
  for (let at = 0; at < passages.length; at += 1) {
    const document = documents[passages[at] as number] as number;
    if (document === last) continue;
    last = document;
    if (index.isLive(document) && visible[columns.space[document] as number] === 1) count += 1;
  }
  return count;
}
