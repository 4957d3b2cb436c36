import type {
  ActivationExportFormat,
  Memory,
  Relationship,
  ResponseBody,
  routes,
} from '@mneme/contract';
import type { Ctx } from '../../ctx.ts';
import { type BodyStream, Reply } from '../../handler.ts';
import { linksAmong } from '../../relationships/index.ts';
import { createCsvFormatter } from './formatters/csv.ts';
import type { ExportFormatter, RelationshipSummary } from './formatters/formatter.ts';
import { createHtmlFormatter } from './formatters/html.ts';
import { createJsonFormatter } from './formatters/json.ts';
import { createMarkdownFormatter } from './formatters/markdown.ts';
import { type Activation, readAccessedMemories, readActivation } from './read.ts';

interface ExportFormatDefinition {
  readonly createFormatter: () => ExportFormatter;
  readonly mediaType: string;
  readonly extension: string;
  /** Tells relationships with the memory that they begin at, and not behind all memories. */
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

/** The json form; all others are text as well. */
type Exported = ResponseBody<typeof routes.sessions.export>;

/**
 * The session with its memories and the relationships between them, as a file to keep. It is read
 * page by page while it is sent: what goes meanwhile is left out. Throws 404 not_found.
 */
export async function exportActivation(
  ctx: Ctx,
  id: string,
  format: ActivationExportFormat,
): Promise<Reply<Exported>> {
  const activation = await readActivation(ctx, id);
  const { mediaType, extension } = exportFormats[format];
  const name = `session-${id}.${extension}`;
  const headers = {
    'content-type': mediaType,
    'content-disposition': `attachment; filename="${name}"`,
  };
  return new Reply<Exported>(writeExport(ctx, activation, exportFormats[format]), { headers });
}

/**
 * A body that creates the memory anew: every field of a create that means something elsewhere,
 * too. Which space and session it goes to is for the one who posts it. `isCopy`: in one space with
 * the memories before it, it would be refused for its content.
 */
export function toCreateBody(memory: Memory, isCopy: boolean): Record<string, unknown> {
  const { content, content_type, tags, metadata, priority } = memory;
  const { is_pinned, protection_level, occurred_at } = memory;
  return {
    content,
    // A video comes by upload only; its text does not.
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
  kind: ExportFormatDefinition,
): BodyStream {
  const form = kind.createFormatter();
  const among = new Set(session.memory_ids);
  const contents = new Set<string>();
  yield form.header(session);
  for await (const page of readAccessedMemories(ctx, accesses)) {
    const ids = page.map(({ memory }) => memory.id);
    const links = kind.inlinesRelationships ? await relationshipsBySource(ctx, among, ids) : null;
    for (const { memory, contentHash } of page) {
      const isCopy = contentHash === null || contents.has(contentHash);
      if (contentHash !== null) contents.add(contentHash);
      const create = toCreateBody(memory, isCopy);
      yield form.memory({ memory, createBody: create, relationships: links?.get(memory.id) ?? [] });
    }
  }
  yield form.relationshipsHeader();
  if (!kind.inlinesRelationships) {
    for await (const page of linksAmong(ctx, among, session.memory_ids)) {
      for (const one of page) yield form.relationship(one);
    }
  }
  yield form.footer();
}

async function relationshipsBySource(
  ctx: Ctx,
  among: ReadonlySet<string>,
  sources: readonly string[],
): Promise<Map<string, RelationshipSummary[]>> {
  const links: { from: string; link: RelationshipSummary }[] = [];
  const brief = ({
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
  for await (const page of linksAmong(ctx, among, sources)) {
    for (const one of page) links.push({ from: one.source_id, link: brief(one) });
  }
  const bySource = Map.groupBy(links, ({ from }) => from);
  return new Map([...bySource].map(([from, some]) => [from, some.map(({ link }) => link)]));
}
