import type { Client } from '@mneme/sdk';
import { fakeRecording } from '../../support/fake-media.ts';
import type { Service } from '../../support/service.ts';
import { formBytes } from '../contract/example-data-media.ts';

export interface Populated {
  readonly spaces: { readonly work: string; readonly home: string };
  readonly memories: Readonly<Record<string, string>>;
  readonly session: string;
  readonly cluster: string;
  readonly video: string;
}

/** An account with something of every kind of record. */
export async function populate(
  service: Service,
  client: Client,
  { hasRecording = true } = {},
): Promise<Populated> {
  const { context } = service.running;
  const work = await client.spaces.create({ body: { name: 'Work', description: 'projects' } });
  const home = await client.spaces.create({ body: { name: 'Home' } });
  const add = async (content: string, more: object = {}): Promise<string> =>
    (await client.memories.create({ body: { content, ...more } })).id;
  const employer = await add('Ana Ruiz works at Initech in Lisbon.', { space_id: work.id });
  const memories = {
    employer,
    newEmployer: await add('Ana Ruiz works at Globex now.', {
      space_id: work.id,
      supersedes: [employer],
      occurred_at: '2026-03-01T00:00:00.000Z',
    }),
    tagged: await add('The coffee machine needs descaling every month.', {
      space_id: home.id,
      tags: ['kitchen', 'chores'],
      metadata: { floor: 2, nested: { list: [1, 'two', null] } },
      priority: 7,
      is_pinned: true,
    }),
    alices: await add('I am allergic to hazelnuts.', { user_id: 'alice', agent_id: 'chef' }),
    bens: await add('My favourite tea is oolong.', { user_id: 'ben' }),
    deleted: await add('A draft that nobody wants.'),
    erased: await add('A secret that must be gone.'),
    expiring: await add('The parking permit ends soon.', {
      expires_at: '2099-01-01T00:00:00.000Z',
    }),
  };
  await client.memories.remove({ params: { id: memories.deleted }, query: { soft: true } });
  await client.memories.remove({ params: { id: memories.erased } });
  const session = await client.cliSessions.create({
    body: { name: 'Planning', type: 'project', tags: ['q3'], space_id: work.id },
  });
  await client.cliSessions.postMessages({
    params: { id: session.id },
    body: {
      messages: [
        { role: 'user', content: 'When do we ship the importer?' },
        { role: 'assistant', content: 'The importer ships on Friday.' },
        { role: 'user', content: 'When do we ship the importer?' },
      ],
    },
  });
  await client.cliSessions.complete({ params: { id: session.id }, body: { summary: 'Friday.' } });
  await client.relationships.create({
    params: { memoryId: memories.tagged },
    body: { target_id: memories.expiring, type: 'related_to', weight: 2.6, bidirectional: true },
  });
  const cluster = await client.clusters.create({ body: { name: 'Chores', color: '#aabbcc' } });
  await client.clusters.associate({
    params: { id: memories.tagged },
    body: { cluster_ids: [cluster.id], confidence: 0.8 },
  });
  const video = hasRecording ? await addVideo(service, client, work.id) : '';
  await context.worker.drain();
  await context.extractionWorker.drain();
  await context.worker.drain();
  return {
    spaces: { work: work.id, home: home.id },
    memories,
    session: session.id,
    cluster: cluster.id,
    video,
  };
}

async function addVideo(service: Service, client: Client, name: string): Promise<string> {
  const form = await formBytes({ title: 'Demo' }, fakeRecording('video', name), 'demo.mp4');
  const { body } = await client.request({ method: 'POST', path: '/memories', ...form });
  const { id } = body as { id: string };
  await service.running.context.worker.drain();
  await client.media.interpret({ params: { id } });
  return id;
}
