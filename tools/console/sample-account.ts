import type { Client } from '@mneme/sdk';

/** What an agent could remember of people that do not exist; for screenshots. */
const notes: readonly (readonly [content: string, tags: readonly string[], space?: string])[] = [
  ['Ana prefers tea in the morning and coffee after lunch.', ['preference', 'drinks']],
  ['The car would not start because its battery was dead.', ['car', 'incident']],
  ['Ben moved from Lisbon to Porto in March.', ['people']],
  ['Deploys go out on Tuesdays and Thursdays, never on Fridays.', ['process'], 'Support desk'],
  [
    'Customer Nordwind needs invoices in PDF, addressed to their subsidiary in Graz.',
    ['billing', 'customer'],
    'Support desk',
  ],
  ['Ana is allergic to peanuts.', ['health', 'important']],
  ['The backup of the warehouse database runs at 02:30 and takes 40 minutes.', ['operations']],
  ['Ben’s daughter Mia starts school in September.', ['people', 'family']],
  ['Use the word “workspace” and not “project” in texts for users.', ['writing'], 'Support desk'],
  ['The office in Graz closes at 16:00 on Fridays.', ['office']],
  ['Ana works at Nordwind as head of logistics.', ['people', 'work']],
  ['The flight to Oslo on 3 May was cancelled; the refund is pending.', ['travel']],
  ['Passwords of the staging system are rotated every 90 days.', ['security', 'process']],
  ['Ben plays the cello in the city orchestra.', ['people', 'music']],
  ['The printer on the second floor jams with recycled paper.', ['office', 'incident']],
  ['Nordwind asked for a discount of 12 % on the annual plan.', ['customer'], 'Support desk'],
  ['Ana reads long reports on the train, short ones on her phone.', ['preference']],
  ['The new battery of the car was fitted on 12 January.', ['car']],
];

/** Stores sample memories, spaces and links. */
export async function fillSampleAccount(client: Client): Promise<void> {
  const desk = await client.spaces.create({
    body: { name: 'Support desk', description: 'What customers told us' },
  });
  await client.spaces.create({ body: { name: 'Household', memory_lifetime_days: 365 } });
  const memories = notes.toReversed().map(([content, tags, space], i) => ({
    content,
    tags: [...tags],
    priority: (i * 7) % 11,
    ...(space === undefined ? {} : { space_id: desk.id }),
  }));
  const { memories: stored } = await client.memories.bulkCreate({ body: { memories } });
  const find = (start: string) => stored.find(({ content }) => content.startsWith(start))?.id ?? '';
  await client.memories.pin({ params: { id: find('Ana is allergic') } });
  await client.memories.protect({
    params: { id: find('Ana is allergic') },
    body: { protection_level: 'soft' },
  });
  await client.relationships.create({
    params: { memoryId: find('The new battery') },
    body: { target_id: find('The car would not'), relationship_type: 'caused_by' },
  });
  await describeBen(client);
  await recordSession(client);
  const ana = { params: { id: find('Ana prefers tea') } };
  await client.memories.update({ ...ana, body: { tags: ['preference', 'drinks', 'Ana'] } });
}

/** A session with what was remembered in it. */
async function recordSession(client: Client): Promise<void> {
  const { id: session_id } = await client.cliSessions.create({
    body: {
      name: 'Move to Graz',
      type: 'project',
      description: 'The office moves in spring: rooms, contracts, and who tells whom.',
      tags: ['office', 'planning'],
    },
  });
  const contents = [
    'The lease of the old office ends on 31 March.',
    'Ana books the removal firm, Ben cancels the internet contract.',
    'Eight desks fit into the large room, three into the small one.',
  ];
  const memories = contents.map((content) => ({ content, session_id, tags: ['office'] }));
  await client.memories.bulkCreate({ body: { memories } });
}

/** Where somebody lived and worked, with the times of both. */
async function describeBen(client: Client): Promise<void> {
  const create = async (name: string, type: 'person' | 'location' | 'organization') =>
    (await client.knowledge.create({ body: { name, type } })).id;
  const subject_id = await create('Ben Carvalho', 'person');
  const facts = [
    ['lives_in', await create('Lisbon', 'location'), '2019-06-01', '2026-03-01'],
    ['lives_in', await create('Porto', 'location'), '2026-03-01', undefined],
    ['works_at', await create('Vela', 'organization'), '2018-09-01', '2023-12-01'],
    ['works_at', await create('City orchestra', 'organization'), '2024-02-01', undefined],
    ['knows', await create('Mia', 'person'), '2020-05-04', undefined],
  ] as const;
  for (const [predicate, object_id, valid_from, valid_to] of facts) {
    const body = { subject_id, predicate, object_id, valid_from, ...(valid_to && { valid_to }) };
    await client.knowledge.createFact({ body });
  }
}
