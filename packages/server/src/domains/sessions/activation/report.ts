import type { ActivationReport, ActivationSessionDetail } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { mostMentionedEntities } from '../../graph/index.ts';
import { type BodyStream, Reply } from '../../handler.ts';
import { relationshipsAmong } from '../../relationships/index.ts';
import {
  type AccessedMemory,
  type Activation,
  readAccessedMemories,
  readActivationSession,
} from './read.ts';

const topMax = 20;

/**
 * Reports the content of a session, read page by page while it is sent: memories deleted in the
 * meantime are omitted. Throws 404 not_found.
 */
export async function streamActivationReport(
  ctx: Ctx,
  id: string,
  withRelationships: boolean,
): Promise<Reply<ActivationReport>> {
  return new Reply<ActivationReport>(
    writeReport(ctx, await readActivationSession(ctx, id), withRelationships),
  );
}

async function* writeReport(
  ctx: Ctx,
  { session, accesses }: Activation,
  withRelationships: boolean,
): BodyStream {
  const tags = new Map<string, number>();
  yield `{"session":${JSON.stringify(session)},"memories":`;
  yield* jsonArray(readAccessedMemories(ctx, accesses), (accessed) => {
    for (const tag of accessed.memory.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    return toReportedMemory(accessed);
  });
  yield ',"relationships":';
  yield* jsonArray(withRelationships ? relationshipsOf(ctx, session) : [], (link) => link);
  const timeline = accesses.map(({ first_accessed_at: at, memory_id }) => ({
    at: at.toISOString(),
    memory_id,
  }));
  const summary = {
    top_tags: topTags(tags),
    entities: await mostMentionedEntities(ctx, session.memory_ids, topMax),
    timeline,
  } satisfies Partial<ActivationReport>;
  yield `,${JSON.stringify(summary).slice(1)}`;
}

/** Writes an array member by member as its pages are read. */
async function* jsonArray<T>(
  pages: AsyncIterable<readonly T[]> | Iterable<readonly T[]>,
  toMember: (member: T) => object,
): BodyStream {
  let separator = '[';
  for await (const page of pages) {
    for (const member of page) {
      yield `${separator}${JSON.stringify(toMember(member))}`;
      separator = ',';
    }
  }
  yield separator === '[' ? '[]' : ']';
}

const relationshipsOf = (ctx: Ctx, { memory_ids: ids }: ActivationSessionDetail) =>
  relationshipsAmong(ctx, new Set(ids), ids);

const toReportedMemory = ({
  access,
  memory,
}: AccessedMemory): ActivationReport['memories'][number] => ({
  ...memory,
  access_count: access.access_count,
  first_accessed_at: access.first_accessed_at.toISOString(),
});

/** Most frequent first, ties in alphabetical order. */
const topTags = (tags: ReadonlyMap<string, number>): ActivationReport['top_tags'] =>
  [...tags]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
    .slice(0, topMax);
