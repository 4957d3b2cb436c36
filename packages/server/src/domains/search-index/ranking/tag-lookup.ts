import type { AccountIndex } from '../account/account-index.ts';
import type { TagMatches, TagQuery } from '../thread/protocol.ts';
import { topDocuments } from './order.ts';

/** Documents with exactly this tag: by priority, newer ones first in case of ties, then by id. */
export function findDocumentsByTag(
  index: AccountIndex,
  { tag, spaces, owner, limit }: TagQuery,
): TagMatches {
  const { columns } = index;
  const { visible } = index.scope(spaces);
  const owners = index.owners.matching(owner);
  const matches: number[] = [];
  for (const document of index.tagDocuments.of(tag)) {
    if (!index.isLive(document)) continue;
    if (owners && !owners.has(columns.owner[document] as number)) continue;
    if (visible[columns.space[document] as number] === 1) matches.push(document);
  }
  const documents = Int32Array.from(matches);
  const orders = Float64Array.from(matches, (document) => columns.priority[document] as number);
  const first = topDocuments(index, { documents, sortValues: orders }, limit);
  return {
    ids: [...first].map((document) => index.ids.at(document)),
    total: matches.length,
  };
}
