import { asking, nobody, type Row, someId } from '../row.ts';
import type { Stage } from '../stage.ts';

/** An account with a person and a product. */
async function known(stage: Stage) {
  const { client, key } = await stage.service.account();
  const { knowledge } = client;
  const person = await knowledge.create({ body: { name: 'Mercury', type: 'person' } });
  const product = await knowledge.create({ body: { name: 'Hermes', type: 'product' } });
  return { key, person: person.id, product: product.id };
}

export const knowledge: readonly Row[] = [
  {
    code: 'not_found',
    where: 'there is no such entity',
    route: 'knowledge.get',
    async provoke(stage) {
      const { key } = await known(stage);
      return asking(stage, `GET /knowledge/entities/${nobody}`, { key });
    },
  },
  {
    code: 'conflict',
    where: 'an entity is made by a name that another has',
    route: 'knowledge.create',
    details: { entity_id: someId },
    async provoke(stage) {
      const { key } = await known(stage);
      const body = { name: 'mercury', type: 'person' };
      return asking(stage, 'POST /knowledge/entities', { key, body });
    },
  },
  {
    code: 'conflict',
    where: 'a person and a product are merged without force',
    route: 'knowledge.merge',
    details: { source_type: 'person', target_type: 'product' },
    async provoke(stage) {
      const { key, person, product } = await known(stage);
      const body = { source_id: person, target_id: product };
      return asking(stage, 'POST /knowledge/entities/merge', { key, body });
    },
  },
  {
    code: 'validation_error',
    where: 'an entity is merged with itself',
    route: 'knowledge.mergeEntities',
    details: {
      fields: {
        source_id: { code: 'invalid_range', message: 'must be another entity than target_id' },
      },
    },
    async provoke(stage) {
      const { key, person } = await known(stage);
      const body = { source_id: person, target_id: person };
      return asking(stage, 'POST /entities/merge', { key, body });
    },
  },
];
