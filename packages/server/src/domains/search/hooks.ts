import { service } from '../../kernel/service.ts';
import type { App, Ctx } from '../ctx.ts';

/** A group that a memory is in. */
interface Membership {
  readonly key: string;
  readonly label: string;
}

/** Tells which groups the memories are in; those in none may be left out. */
type FindMemberships = (
  ctx: Ctx,
  memoryIds: readonly string[],
) => Promise<ReadonlyMap<string, readonly Membership[]>>;

const memberships = service<App, Map<string, FindMemberships>>(() => new Map());

/** Ways to group memories that another domain knows, by their name in `group_by`. */
export const groupingMemories = {
  on: (app: App, by: 'clusters', find: FindMemberships): void =>
    void memberships.of(app).set(by, find),
  of: (app: App, by: 'clusters'): FindMemberships | undefined => memberships.of(app).get(by),
};
