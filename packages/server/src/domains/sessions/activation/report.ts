import type { ActivationReport, ActivationSessionDetail } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { mostMentionedEntities } from '../../graph/index.ts';
import { type BodyStream, Reply } from '../../handler.ts';
import { linksAmong } from '../../relationships/index.ts';
import {
  type AccessedMemory,
  type Activation,
  readAccessedMemories,
  readActivation,
} from './read.ts';

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
    writeReport(ctx, await readActivation(ctx, id), withRelationships),
  );
}

async function* writeReport(
  ctx: Ctx,
  { session, accesses }: Activation,
  withRelationships: boolean,
): BodyStream {
  const tags = new Map<string, number>();
  yield `{"session":${JSON.stringify(session)},"memories":`;
  yield* jsonArray(readAccessedMemories(ctx, accesses), (held) => {
    for (const tag of held.memory.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    return toReportedMemory(held);
  });
  yield ',"relationships":';
  yield* jsonArray(withRelationships ? relationshipsOf(ctx, session) : [], (link) => link);
  const timeline = accesses.map(({ first_accessed_at: at, memory_id }) => ({
    at: at.toISOString(),
    memory_id,
  }));
  const rest = {
    top_tags: topTags(tags),
    entities: await mostMentionedEntities(ctx, session.memory_ids, topMax),
    timeline,
  } satisfies Partial<ActivationReport>;
  yield `,${JSON.stringify(rest).slice(1)}`;
}

/** An array, member after member as its pages come. */
async function* jsonArray<T>(
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  shown: (one: T) => object,
): BodyStream {
  let before = '[';
  for await (const page of pages) {
    for (const one of page) {
      yield `${before}${JSON.stringify(shown(one))}`;
      before = ',';
    }
  }
  yield before === '[' ? '[]' : ']';
}

const relationshipsOf = (ctx: Ctx, { memory_ids: ids }: ActivationSessionDetail) =>
  linksAmong(ctx, new Set(ids), ids);

const toReportedMemory = ({
  access,
  memory,
}: AccessedMemory): ActivationReport['memories'][number] => ({
  ...memory,
  access_count: access.access_count,
  first_accessed_at: access.first_accessed_at.toISOString(),
});

/** The most frequent first; equally frequent ones by their letters. */
const topTags = (tags: ReadonlyMap<string, number>): ActivationReport['top_tags'] =>
  [...tags]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
    .slice(0, topMax);
