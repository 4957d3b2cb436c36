import { routes } from '@mneme/contract';
import { handle } from '../handle.ts';
import { createEntity, createFact, removeFact, updateEntity } from './by-hand.ts';
import { extractNow } from './extract-now.ts';
import { readPath, readSubgraph } from './graph.ts';
import { mergeEntities } from './merge.ts';
import {
  countEntities,
  readAtTime,
  readEntities,
  readEntity,
  readFacts,
  readRelationships,
  readTimeline,
} from './read.ts';

const { knowledge } = routes;

export const graphHandlers = [
  handle(knowledge.entities, (ctx, { query }) => readEntities(ctx, query)),
  handle(knowledge.count, (ctx, { query }) => countEntities(ctx, query)),
  handle(knowledge.atTime, (ctx, { query }) => readAtTime(ctx, query)),
  handle(knowledge.get, (ctx, { params }) => readEntity(ctx, params.id)),
  handle(knowledge.timeline, (ctx, { params, query }) => readTimeline(ctx, params.id, query)),
  handle(knowledge.relationships, (ctx, { params, query }) =>
    readRelationships(ctx, params.id, query),
  ),
  handle(knowledge.facts, (ctx, { params, query }) => readFacts(ctx, params.id, query)),
  handle(knowledge.create, (ctx, { body }) => createEntity(ctx, body)),
  handle(knowledge.update, (ctx, { params, body }) => updateEntity(ctx, params.id, body)),
  handle(knowledge.createFact, (ctx, { body }) => createFact(ctx, body)),
  handle(knowledge.removeFact, (ctx, { params }) => removeFact(ctx, params.id)),
  handle(knowledge.extract, (ctx, { body }) => extractNow(ctx, body.memory_id)),
  handle(knowledge.merge, (ctx, { body }) => mergeEntities(ctx, body)),
  handle(knowledge.mergeEntities, (ctx, { body }) => mergeEntities(ctx, body)),
  handle(knowledge.subgraph, (ctx, { params, query }) => readSubgraph(ctx, params.entityId, query)),
  handle(knowledge.path, (ctx, { query }) => readPath(ctx, query)),
];
