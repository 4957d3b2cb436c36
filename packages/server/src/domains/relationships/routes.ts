import { routes } from '@mneme/contract';
import { createHandler } from '../handler.ts';
import { reinforce, removeRelationship, updateRelationship, weaken } from './change.ts';
import { createRelationship, createRelationshipBatch } from './create.ts';
import { listRelationships } from './list.ts';
import { listRelatedMemories } from './related.ts';

const { relationships } = routes;

export const relationshipRouteHandlers = [
  createHandler(relationships.create, (ctx, { params, body }) =>
    createRelationship(ctx, params.memoryId, body),
  ),
  createHandler(relationships.batch, (ctx, { body }) =>
    createRelationshipBatch(ctx, body.relationships),
  ),
  createHandler(relationships.list, (ctx, { params, query }) =>
    listRelationships(ctx, params.memoryId, query),
  ),
  createHandler(relationships.related, (ctx, { params, query }) =>
    listRelatedMemories(ctx, params.memoryId, query),
  ),
  createHandler(relationships.update, (ctx, { params, body }) =>
    updateRelationship(ctx, params, body),
  ),
  createHandler(relationships.remove, (ctx, { params }) => removeRelationship(ctx, params)),
  createHandler(relationships.weaken, (ctx, { params, body }) => weaken(ctx, params, body.amount)),
  createHandler(relationships.reinforce, (ctx, { params, body }) =>
    reinforce(ctx, params, body.amount),
  ),
];
