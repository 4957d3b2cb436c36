import type { Route } from './route.ts';

/**
 * The routes that a token of one user (`POST /auth/tokens {user_id}`) may call: each of them shows
 * and changes only memories of that user. It is refused on every other route.
 */
const routeIds: ReadonlySet<string> = new Set([
  'auth.listTokens',
  'auth.revokeToken',
  'memories.acceptSuggestion',
  'memories.bulkCreate',
  'memories.bulkDelete',
  'memories.bulkTags',
  'memories.bulkUpdate',
  'memories.create',
  'memories.dismissSuggestion',
  'memories.erase',
  'memories.feedback',
  'memories.fromMessages',
  'memories.get',
  'memories.list',
  'memories.pin',
  'memories.protect',
  'memories.quality',
  'memories.remove',
  'memories.restore',
  'memories.suggestions',
  'memories.topics',
  'memories.unpin',
  'memories.update',
  'memories.verify',
  'relationships.batch',
  'relationships.create',
  'relationships.list',
  'relationships.reinforce',
  'relationships.related',
  'relationships.remove',
  'relationships.update',
  'relationships.weaken',
  'search.aggregate',
  'search.batch',
  'search.get',
  'search.global',
  'search.post',
  'search.recall',
  'search.similar',
  'search.topic',
]);

export const isForUserTokens = ({ id, access }: Pick<Route, 'id' | 'access'>): boolean =>
  access === 'public' || routeIds.has(id);
