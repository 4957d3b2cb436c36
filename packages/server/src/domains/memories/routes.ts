import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { bulkTags, bulkUpdate } from './bulk-change.ts';
import { bulkCreate } from './bulk-create.ts';
import { bulkDelete } from './erase.ts';
import { submitFeedback } from './feedback.ts';
import { restoreMemory, setPinned, setProtection, verifyMemory } from './mark.ts';
import { getMemory, listMemories } from './read.ts';
import { removeMemory, softDelete } from './remove.ts';
import { updateMemory } from './update.ts';

export const memoryHandlers = [
  handle(routes.memories.list, (ctx, { query }) => listMemories(ctx, query)),
  handle(routes.memories.get, (ctx, { params }) => getMemory(ctx, params.id)),
  handle(routes.memories.update, (ctx, { params, query, body, ifMatch }) =>
    updateMemory(ctx, params.id, body, { ifMatch, confirmed: query.confirm }),
  ),
  handle(routes.memories.remove, (ctx, { params, query, ifMatch }) => {
    const guard = { ifMatch, confirmed: query.confirm };
    return query.soft ? softDelete(ctx, params.id, guard) : removeMemory(ctx, params.id, guard);
  }),
  handle(routes.memories.restore, (ctx, { params, ifMatch }) =>
    restoreMemory(ctx, params.id, ifMatch),
  ),
  handle(routes.memories.pin, (ctx, { params, query, ifMatch }) =>
    setPinned(ctx, params.id, true, { ifMatch, confirmed: query.confirm }),
  ),
  handle(routes.memories.unpin, (ctx, { params, query, ifMatch }) =>
    setPinned(ctx, params.id, false, { ifMatch, confirmed: query.confirm }),
  ),
  handle(routes.memories.protect, (ctx, { params, body, ifMatch }) =>
    setProtection(ctx, params.id, body.protection_level, ifMatch),
  ),
  handle(routes.memories.verify, (ctx, { params, ifMatch }) =>
    verifyMemory(ctx, params.id, ifMatch),
  ),
  handle(routes.memories.feedback, (ctx, { params, body }) => submitFeedback(ctx, params.id, body)),
  handle(routes.memories.bulkCreate, (ctx, { query, body }) =>
    bulkCreate(ctx, body.memories, query.atomic),
  ),
  handle(routes.memories.bulkUpdate, (ctx, { query, body }) =>
    bulkUpdate(ctx, body, query.confirm),
  ),
  handle(routes.memories.bulkDelete, (ctx, { query, body }) =>
    bulkDelete(ctx, body, query.confirm),
  ),
  handle(routes.memories.bulkTags, (ctx, { query, body }) => bulkTags(ctx, body, query.confirm)),
];
