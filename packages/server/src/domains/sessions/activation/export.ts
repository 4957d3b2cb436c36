import type {
  ActivationExportFormat,
  Memory,
  Relationship,
  ResponseBody,
  routes,
} from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { type BodyStream, Reply } from '../../handler.ts';
import { relationshipsAmong } from '../../relationships/index.ts';
import { createCsvFormatter } from './formatters/csv.ts';
import type { ExportFormatter, RelationshipSummary } from './formatters/formatter.ts';
import { createHtmlFormatter } from './formatters/html.ts';
import { createJsonFormatter } from './formatters/json.ts';
import { createMarkdownFormatter } from './formatters/markdown.ts';
import { type Activation, readAccessedMemories, readActivationSession } from './read.ts';

interface ExportFormatDefinition {
  readonly createFormatter: () => ExportFormatter;
  readonly mediaType: string;
  readonly extension: string;
  /** Relationships are part of their source memory instead of a list after all memories. */
  readonly inlinesRelationships?: true;
}

export const exportFormats: Readonly<Record<ActivationExportFormat, ExportFormatDefinition>> = {
  markdown: {
    createFormatter: createMarkdownFormatter,
    mediaType: 'text/markdown; charset=utf-8',
    extension: 'md',
  },
  json: {
    createFormatter: createJsonFormatter,
    mediaType: 'application/json; charset=utf-8',
    extension: 'json',
  },
  csv: {
    createFormatter: createCsvFormatter,
    mediaType: 'text/csv; charset=utf-8',
    extension: 'csv',
    inlinesRelationships: true,
  },
  html: {
    createFormatter: createHtmlFormatter,
    mediaType: 'text/html; charset=utf-8',
    extension: 'html',
  },
};

/** The JSON format; all others are also text. */
type Exported = ResponseBody<typeof routes.sessions.export>;

/**
 * Exports the session, its memories and the relationships between them as a file. It is read page
 * by page while it is sent: memories deleted in the meantime are omitted. Throws 404 not_found.
 */
export async function exportActivation(
  ctx: Ctx,
  id: string,
  format: ActivationExportFormat,
): Promise<Reply<Exported>> {
  const activation = await readActivationSession(ctx, id);
  const { mediaType, extension } = exportFormats[format];
  const name = `session-${id}.${extension}`;
  const headers = {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${name}"`,
  };
  return new Reply<Exported>(writeExport(ctx, activation, exportFormats[format]), { headers });
}

/**
 * A body that creates the memory again: every field of a create that is valid elsewhere. The
 * importing client decides on space and session. `isCopy`: without `allow_duplicate`, a space with
 * the previous memories would reject its content.
 */
export function toCreateMemoryBody(memory: Memory, isCopy: boolean): Record<string, unknown> {
  const { content, content_type, tags, metadata, priority } = memory;
  const { is_pinned, protection_level, occurred_at } = memory;
  return {
    content,
    // Videos can only be uploaded, so their text is imported without the type.
    ...(content_type === 'video' ? {} : { type: content_type }),
    tags,
    metadata,
    priority,
    is_pinned,
    protection_level,
    ...(occurred_at === null ? {} : { occurred_at }),
    ...(isCopy ? { allow_duplicate: true } : {}),
  };
}

async function* writeExport(
  ctx: Ctx,
  { session, accesses }: Activation,
  format: ExportFormatDefinition,
): BodyStream {
  const formatter = format.createFormatter();
  const among = new Set(session.memory_ids);
  const contents = new Set<string>();
  yield formatter.header(session);
  for await (const page of readAccessedMemories(ctx, accesses)) {
    const ids = page.map(({ memory }) => memory.id);
    const links = format.inlinesRelationships ? await relationshipsBySource(ctx, among, ids) : null;
    for (const { memory, contentHash } of page) {
      const isCopy = contentHash === null || contents.has(contentHash);
      if (contentHash !== null) contents.add(contentHash);
      const create = toCreateMemoryBody(memory, isCopy);
      yield formatter.memory({
        memory,
        createBody: create,
        relationships: links?.get(memory.id) ?? [],
      });
    }
  }
  yield formatter.relationshipsHeader();
  if (!format.inlinesRelationships) {
    for await (const page of relationshipsAmong(ctx, among, session.memory_ids)) {
      for (const relationship of page) yield formatter.relationship(relationship);
    }
  }
  yield formatter.footer();
}

async function relationshipsBySource(
  ctx: Ctx,
  among: ReadonlySet<string>,
  sources: readonly string[],
): Promise<Map<string, RelationshipSummary[]>> {
  const links: { from: string; link: RelationshipSummary }[] = [];
  const summarize = ({
    id,
    relationship_type,
    target_id,
    weight,
  }: Relationship): RelationshipSummary => ({
    id,
    relationship_type,
    target_id,
    weight,
  });
  for await (const page of relationshipsAmong(ctx, among, sources)) {
    for (const relationship of page)
      links.push({ from: relationship.source_id, link: summarize(relationship) });
  }
  const bySource = Map.groupBy(links, ({ from }) => from);
  return new Map([...bySource].map(([from, group]) => [from, group.map(({ link }) => link)]));
}
