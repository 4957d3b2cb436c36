import type { ResponseBody, routes } from '@mneme/contract';
import type { EntityCategory } from './entity-category.ts';
import type { EntityRecord, FactDetails } from './model.ts';
import type { GraphEdge } from './neighbourhood.ts';
import type { EdgeFilter, MentionRow } from './store/neighbourhood.ts';
import type { EntityFilter, FactFilter, PageRange } from './store/read.ts';
import type { EntityEdge, Neighbourhood } from './walk.ts';

interface EntityPage {
  readonly records: readonly EntityRecord[];
  readonly total: number;
}

interface CategoryFilter extends EntityCategory {
  readonly spaceId: string | null | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

interface TimeFilter {
  readonly asOf: Date;
  readonly knownAt: Date;
  readonly spaceId: string | null | undefined;
  readonly type: string | undefined;
}

interface LinkedPath {
  readonly nodes: readonly string[];
  readonly edges: readonly EntityEdge[];
}

/** The graph as a caller may see it. */
export interface GraphView {
  /**
   * The entity, or the final target that it was merged into by a time. Undefined: it is not
   * visible, unless just its space is not.
   */
  findEntity(id: string, knownAt: Date): Promise<EntityRecord | undefined>;
  listEntities(filter: EntityFilter, page: PageRange): Promise<EntityPage>;
  countByCategory(filter: CategoryFilter): Promise<number>;
  listEntitiesAt(filter: TimeFilter, page: PageRange): Promise<EntityPage>;
  /** Entities of visible facts and mentions, in no order. */
  findEntities(ids: readonly string[]): Promise<EntitySummary[]>;
  /** Names other than the main one, by name. */
  listAliases(entity: EntityRecord): Promise<string[]>;
  /** Newest first. */
  listFacts(
    filter: FactFilter,
    page: PageRange,
  ): Promise<{ readonly facts: readonly FactDetails[]; readonly total: number }>;
  readTimeline(
    entity: EntityRecord,
    page: PageRange,
  ): Promise<Omit<ResponseBody<typeof routes.knowledge.timeline>, 'entity_id'>>;
  findNeighbourhood(
    id: string,
    bounds: { readonly hops: number; readonly nodesMax: number },
  ): Promise<Neighbourhood>;
  /** Entities that each of these memories mentions, the surest first. */
  listMentionsIn(memoryIds: readonly string[], filter: EdgeFilter): Promise<readonly MentionRow[]>;
  /** Memories that mention each of these entities, the surest first. */
  listMentionsOf(entityIds: readonly string[], filter: EdgeFilter): Promise<readonly MentionRow[]>;
  /** Facts that link these entities to others, the surest of each. */
  listLinks(entityIds: readonly string[], filter: EdgeFilter): Promise<readonly GraphEdge[]>;
  /** Null: there is no path of at most `maxHops`. */
  findPath(from: string, to: string, maxHops: number): Promise<LinkedPath | null>;
}

type EntitySummary = Pick<EntityRecord, 'id' | 'name' | 'type' | 'created_at'>;
