import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { reinforce, removeRelationship, updateRelationship, weaken } from './change.ts';
import { createBatch, createRelationship } from './create.ts';
import { listRelationships } from './list.ts';
import { listRelated } from './related.ts';

const { relationships } = routes;

export const relationshipHandlers = [
  handle(relationships.create, (ctx, { params, body }) =>
    createRelationship(ctx, params.memoryId, body),
  ),
  handle(relationships.batch, (ctx, { body }) => createBatch(ctx, body.relationships)),
  handle(relationships.list, (ctx, { params, query }) =>
    listRelationships(ctx, params.memoryId, query),
  ),
  handle(relationships.related, (ctx, { params, query }) =>
    listRelated(ctx, params.memoryId, query),
  ),
  handle(relationships.update, (ctx, { params, body }) => updateRelationship(ctx, params, body)),
  handle(relationships.remove, (ctx, { params }) => removeRelationship(ctx, params)),
  handle(relationships.weaken, (ctx, { params, body }) => weaken(ctx, params, body.amount)),
  handle(relationships.reinforce, (ctx, { params, body }) => reinforce(ctx, params, body.amount)),
];
