import type { ActivationReport, Answer, ExportFormat, routes } from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { Reply } from '../../handle.ts';
import { linksAmong } from '../../relationships/index.ts';
import { createBodyOf, extensions, mediaTypes, textOf } from './export.ts';
import { memoriesOf, readActivation } from './read.ts';

type Exported = Answer<typeof routes.sessions.export>;

/** The session with its memories and the relationships between them, as a file to keep. */
export async function exportActivation(
  ctx: Ctx,
  id: string,
  format: ExportFormat,
): Promise<Reply<Exported>> {
  const { session, accesses } = await readActivation(ctx, id);
  const memories = (await memoriesOf(ctx, accesses)).map(({ memory }) => memory);
  const relationships = await linksAmong(ctx, session.memory_ids);
  const name = `session-${id}.${extensions[format]}`;
  const disposition = { 'content-disposition': `attachment; filename="${name}"` };
  if (format === 'json') {
    const shown = memories.map((memory) => ({ ...memory, create: createBodyOf(memory) }));
    return new Reply({ session, memories: shown, relationships }, { headers: disposition });
  }
  const text = textOf(format, { session, memories, relationships });
  const headers = { ...disposition, 'content-type': mediaTypes[format] };
  // The route's other formats are text; its schema is that of the json form.
  return new Reply(text as unknown as Exported, { headers });
}

const topTagsMax = 20;

export async function reportActivation(
  ctx: Ctx,
  id: string,
  withRelationships: boolean,
): Promise<ActivationReport> {
  const { session, accesses } = await readActivation(ctx, id);
  const held = await memoriesOf(ctx, accesses);
  const tags = new Map<string, number>();
  for (const { memory } of held) {
    for (const tag of memory.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
  }
  return {
    session,
    memories: held.map(({ access, memory }) => ({
      ...memory,
      access_count: access.access_count,
      first_accessed_at: access.first_accessed_at.toISOString(),
    })),
    relationships: withRelationships ? await linksAmong(ctx, session.memory_ids) : [],
    top_tags: [...tags]
      .map(([tag, count]) => ({ tag, count }))
      .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1))
      .slice(0, topTagsMax),
    // Known once the knowledge graph is there.
    entities: [],
    timeline: accesses.map(({ first_accessed_at: at, memory_id }) => ({
      at: at.toISOString(),
      memory_id,
    })),
  };
}
