import type { ActivationReport, ActivationSessionDetail } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { mostSpokenOf } from '../../graph/index.ts';
import { type Pieces, Reply } from '../../handle.ts';
import { linksAmong } from '../../relationships/index.ts';
import { type Activation, type Held, memoriesOf, readActivation } from './read.ts';

const topMax = 20;

/**
 * What a session was about, read page by page while it is sent: what goes meanwhile is left out.
 * Throws 404 not_found.
 */
export async function reportActivation(
  ctx: Ctx,
  id: string,
  withRelationships: boolean,
): Promise<Reply<ActivationReport>> {
  return new Reply<ActivationReport>(
    written(ctx, await readActivation(ctx, id), withRelationships),
  );
}

async function* written(
  ctx: Ctx,
  { session, accesses }: Activation,
  withRelationships: boolean,
): Pieces {
  const tags = new Map<string, number>();
  yield `{"session":${JSON.stringify(session)},"memories":`;
  yield* jsonArray(memoriesOf(ctx, accesses), (held) => {
    for (const tag of held.memory.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    return reported(held);
  });
  yield ',"relationships":';
  yield* jsonArray(withRelationships ? linksOf(ctx, session) : [], (link) => link);
  const timeline = accesses.map(({ first_accessed_at: at, memory_id }) => ({
    at: at.toISOString(),
    memory_id,
  }));
  const rest = {
    top_tags: topOf(tags),
    entities: await mostSpokenOf(ctx, session.memory_ids, topMax),
    timeline,
  } satisfies Partial<ActivationReport>;
  yield `,${JSON.stringify(rest).slice(1)}`;
}

/** An array, member after member as its pages come. */
async function* jsonArray<T>(
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  shown: (one: T) => object,
): Pieces {
  let before = '[';
  for await (const page of pages) {
    for (const one of page) {
      yield `${before}${JSON.stringify(shown(one))}`;
      before = ',';
    }
  }
  yield before === '[' ? '[]' : ']';
}

const linksOf = (ctx: Ctx, { memory_ids: ids }: ActivationSessionDetail) =>
  linksAmong(ctx, new Set(ids), ids);

const reported = ({ access, memory }: Held): ActivationReport['memories'][number] => ({
  ...memory,
  access_count: access.access_count,
  first_accessed_at: access.first_accessed_at.toISOString(),
});

/** The most frequent first; equally frequent ones by their letters. */
const topOf = (tags: ReadonlyMap<string, number>): ActivationReport['top_tags'] =>
  [...tags]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
    .slice(0, topMax);
