import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { bulkUpdate, bulkUpdateTags } from './bulk-change.ts';
import { getBulkChange, startBulkChange, undoBulkChange } from './bulk-changes/start.ts';
import { bulkCreate } from './bulk-create.ts';
import { createMemory } from './create.ts';
import { bulkDelete } from './erase.ts';
import { eraseMatching } from './erase-matching.ts';
import { countFacets } from './facets.ts';
import { submitFeedback } from './feedback.ts';
import { restoreMemory, setPinned, setProtection, verifyMemory } from './pin-protect.ts';
import { getMemory, listMemories } from './read.ts';
import { removeMemory, softDeleteMemory } from './remove.ts';
import { updateMemory } from './update.ts';

export const memoryRouteHandlers = [
  createHandler(routes.memories.create, (ctx, { body }) => createMemory(ctx, body)),
  createHandler(routes.memories.list, (ctx, { query }) => listMemories(ctx, query)),
  createHandler(routes.memories.facets, (ctx, { query }) => countFacets(ctx, query)),
  createHandler(routes.memories.get, (ctx, { params }) => getMemory(ctx, params.id)),
  createHandler(routes.memories.update, (ctx, { params, query, body, ifMatch }) =>
    updateMemory(ctx, params.id, body, { ifMatch, confirmed: query.confirm }),
  ),
  createHandler(routes.memories.remove, (ctx, { params, query, ifMatch }) => {
    const guard = { ifMatch, confirmed: query.confirm };
    return query.soft
      ? softDeleteMemory(ctx, params.id, guard)
      : removeMemory(ctx, params.id, guard);
  }),
  createHandler(routes.memories.restore, (ctx, { params, ifMatch }) =>
    restoreMemory(ctx, params.id, ifMatch),
  ),
  createHandler(routes.memories.pin, (ctx, { params, query, ifMatch }) =>
    setPinned(ctx, params.id, true, { ifMatch, confirmed: query.confirm }),
  ),
  createHandler(routes.memories.unpin, (ctx, { params, query, ifMatch }) =>
    setPinned(ctx, params.id, false, { ifMatch, confirmed: query.confirm }),
  ),
  createHandler(routes.memories.protect, (ctx, { params, body, ifMatch }) =>
    setProtection(ctx, params.id, body.protection_level, ifMatch),
  ),
  createHandler(routes.memories.verify, (ctx, { params, ifMatch }) =>
    verifyMemory(ctx, params.id, ifMatch),
  ),
  createHandler(routes.memories.feedback, (ctx, { params, body }) =>
    submitFeedback(ctx, params.id, body),
  ),
  createHandler(routes.memories.bulkCreate, (ctx, { query, body }) =>
    bulkCreate(ctx, body.memories, query.atomic),
  ),
  createHandler(routes.memories.bulkUpdate, (ctx, { query, body }) =>
    bulkUpdate(ctx, body, query.confirm),
  ),
  createHandler(routes.memories.bulkDelete, (ctx, { query, body }) =>
    bulkDelete(ctx, body, query.confirm),
  ),
  createHandler(routes.memories.startChange, (ctx, { body }) => startBulkChange(ctx, body)),
  createHandler(routes.memories.getChange, (ctx, { params }) =>
    getBulkChange(ctx, params.changeId),
  ),
  createHandler(routes.memories.undoChange, (ctx, { params }) =>
    undoBulkChange(ctx, params.changeId),
  ),
  createHandler(routes.memories.erase, (ctx, { body }) => eraseMatching(ctx, body)),
  createHandler(routes.memories.bulkTags, (ctx, { query, body }) =>
    bulkUpdateTags(ctx, body, query.confirm),
  ),
];
