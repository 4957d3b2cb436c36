import { absentId, type ErrorCase, prepareRequest, someId } from '../error-case.ts';
import type { FaultInjectionService } from '../fault-injection-service.ts';

/** An account with two memories, of which the first supports the second. */
async function createLinkedMemories(stage: FaultInjectionService) {
  const { client, key } = await stage.service.createAccount();
  const [a, b] = [
    await client.memories.create({ body: { content: 'evidence' } }),
    await client.memories.create({ body: { content: 'claim' } }),
  ];
  const body = { target_id: b.id, type: 'supports' };
  await client.relationships.create({ params: { memoryId: a.id }, body });
  return { client, key, a: a.id, b: b.id, body };
}

export const relationships: readonly ErrorCase[] = [
  {
    code: 'relationship_exists',
    where: 'the same relationship is made twice',
    route: 'relationships.create',
    details: { relationship_id: someId },
    async provoke(stage) {
      const { key, a, body } = await createLinkedMemories(stage);
      return prepareRequest(stage, `POST /relationships/${a}`, { key, body });
    },
  },
  {
    code: 'relationship_not_found',
    where: 'there is no such relationship',
    route: 'relationships.remove',
    async provoke(stage) {
      const { key, a, b } = await createLinkedMemories(stage);
      return prepareRequest(stage, `DELETE /relationships/${b}/${a}/supports`, { key });
    },
  },
  {
    code: 'relationship_not_found',
    where: 'an id in the path is none',
    route: 'relationships.update',
    async provoke(stage) {
      const { key, a } = await createLinkedMemories(stage);
      return prepareRequest(stage, `PATCH /relationships/${a}/nonsense/supports`, {
        key,
        body: {},
      });
    },
  },
  {
    code: 'memory_not_found',
    where: 'a memory is to be linked that there is not',
    route: 'relationships.create',
    details: { memory_id: absentId },
    async provoke(stage) {
      const { key, a } = await createLinkedMemories(stage);
      const body = { target_id: absentId, type: 'supports' };
      return prepareRequest(stage, `POST /relationships/${a}`, { key, body });
    },
  },
  {
    code: 'conflict',
    where: 'a relationship with a soft-deleted memory is reinforced',
    route: 'relationships.reinforce',
    details: { memory_id: someId },
    async provoke(stage) {
      const { client, key, a, b } = await createLinkedMemories(stage);
      await client.memories.remove({ params: { id: b }, query: { soft: true } });
      return prepareRequest(stage, `POST /relationships/${a}/${b}/supports/reinforce`, { key });
    },
  },
];
