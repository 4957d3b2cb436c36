import { absentId, type ErrorCase, prepareRequest, someId } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

/** An account with a person and a product. */
async function createEntities(stage: FaultInjectionService) {
  const { client, key } = await stage.service.createAccount();
  const { knowledge } = client;
  const person = await knowledge.create({ body: { name: 'Mercury', type: 'person' } });
  const product = await knowledge.create({ body: { name: 'Hermes', type: 'product' } });
  return { key, person: person.id, product: product.id };
}

export const knowledge: readonly ErrorCase[] = [
  {
    code: 'not_found',
    where: 'there is no such entity',
    route: 'knowledge.get',
    async provoke(stage) {
      const { key } = await createEntities(stage);
      return prepareRequest(stage, `GET /knowledge/entities/${absentId}`, { key });
    },
  },
  {
    code: 'conflict',
    where: 'an entity is made by a name that another has',
    route: 'knowledge.create',
    details: { entity_id: someId },
    async provoke(stage) {
      const { key } = await createEntities(stage);
      const body = { name: 'mercury', type: 'person' };
      return prepareRequest(stage, 'POST /knowledge/entities', { key, body });
    },
  },
  {
    code: 'conflict',
    where: 'a person and a product are merged without force',
    route: 'knowledge.merge',
    details: { source_type: 'person', target_type: 'product' },
    async provoke(stage) {
      const { key, person, product } = await createEntities(stage);
      const body = { source_id: person, target_id: product };
      return prepareRequest(stage, 'POST /knowledge/entities/merge', { key, body });
    },
  },
  {
    code: 'validation_error',
    where: 'an entity is merged with itself',
    route: 'knowledge.mergeEntities',
    details: {
      fields: {
        source_id: { code: 'invalid_range', message: 'must be different from target_id' },
      },
    },
    async provoke(stage) {
      const { key, person } = await createEntities(stage);
      const body = { source_id: person, target_id: person };
      return prepareRequest(stage, 'POST /entities/merge', { key, body });
    },
  },
];
