import type { Client } from '@mneme/sdk';
import type { SeededRandom } from '../durability/seeded-random.ts';

const texts = [
  'Ana told me yesterday that the boiler leaks again.',
  'Ben: shall we meet on 3 May 2026, or next Friday?',
  'Version 2.14.1 of libfoo breaks src/main.rs:214',
  'Der Zug nach Würzburg fährt um 7 Uhr.',
  '明日は東京で会議があります。',
  'the quick brown fox\n\njumps over the lazy dog',
];
const tags = ['red', 'blue', 'green', 'café', 'a tag, with a comma'];
const roles = ['user', 'assistant', ' ', 'a role that is longer than what the index keeps'];
const speakers = ['Ana', 'Ben', '  ', `${'x'.repeat(99)}😀 and more`];
const types = ['supports', 'contradicts', 'similar_to', 'follows'];
const operations = [
  ...Array<'create'>(4).fill('create'),
  ...Array<'patch'>(5).fill('patch'),
  ...Array<'remove'>(2).fill('remove'),
  'create many',
  'restore',
  'pin',
  'protect',
  'tag many',
  'patch many',
  'remove many',
  'begin',
  'say',
  'close',
  'forget session',
  'link',
  'unlink',
  'rate',
  'space',
  'search',
  'say by hand',
  'take back',
  'merge',
  ...Array<'cluster'>(4).fill('cluster'),
] as const;

/** One caller who does all that can be done to memories, whatever the service thinks of it. */
export class RandomWorkload {
  readonly #client: Client;
  readonly #chance: SeededRandom;
  readonly #memories: string[] = [];
  readonly #sessions: string[] = [];
  readonly #spaces: (string | null)[] = [null];
  readonly #entities: string[] = [];
  readonly #facts: string[] = [];
  readonly #clusters: string[] = [];
  /** How often each status was met. */
  readonly statuses = new Map<number, number>();
  #written = 0;

  constructor(client: Client, chance: SeededRandom) {
    this.#client = client;
    this.#chance = chance;
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) await this.step();
  }

  async step(): Promise<void> {
    const { pick } = this.#chance;
    const act = pick(operations);
    const id = this.#any(this.#memories);
    switch (act) {
      case 'create':
        return this.#note(this.#memories, await this.#send('POST', '/memories', this.#memory()));
      case 'create many': {
        const memories = [this.#memory(), this.#memory(), this.#memory()];
        const body = await this.#send('POST', '/memories/bulk', { memories });
        for (const one of (body as { memories?: { id: string }[] }).memories ?? []) {
          this.#memories.push(one.id);
        }
        return;
      }
      case 'patch':
        return this.#drop(await this.#send('PATCH', `/memories/${id}`, this.#patch()));
      case 'remove': {
        const query = { soft: this.#flip(), confirm: this.#flip() };
        return this.#drop(await this.#send('DELETE', `/memories/${id}`, undefined, query));
      }
      case 'restore':
        return this.#drop(await this.#send('POST', `/memories/${id}/restore`));
      case 'pin':
        return this.#drop(await this.#send('POST', `/memories/${id}/${pick(['pin', 'unpin'])}`));
      case 'protect': {
        const body = { protection_level: pick(['none', 'none', 'soft', 'hard']) };
        return this.#drop(await this.#send('POST', `/memories/${id}/protection`, body));
      }
      case 'rate':
        return this.#drop(
          await this.#send('POST', `/memories/${id}/feedback`, { helpful: this.#flip() }),
        );
      case 'search':
        return this.#drop(
          await this.#send('POST', '/search', { q: pick(texts), session: pick(['a', 'b']) }),
        );
      default:
        return this.#more(act);
    }
  }

  async #more(act: (typeof operations)[number]): Promise<void> {
    const { pick } = this.#chance;
    const session = this.#any(this.#sessions);
    const ids = [1, 2, 3].map(() => this.#any(this.#memories));
    switch (act) {
      case 'tag many':
        return this.#drop(
          await this.#send('POST', '/memories/bulk/tags', { ids, add: [pick(tags)] }),
        );
      case 'patch many': {
        const { content: _, session_id: __, ...set } = this.#patch();
        return this.#drop(await this.#send('PATCH', '/memories/bulk', { ids, set }));
      }
      case 'remove many':
        return this.#drop(
          await this.#send('POST', '/memories/bulk/delete', { ids, soft: this.#flip() }),
        );
      case 'begin':
        return this.#note(
          this.#sessions,
          await this.#send('POST', '/cli-sessions', { name: 's', space_id: pick(this.#spaces) }),
        );
      case 'say': {
        const messages = [1, 2, 3].map(() => ({ role: pick(roles), content: this.#text() }));
        const path = `/cli-sessions/${session}/messages`;
        const body = await this.#send('POST', path, { messages });
        for (const one of (body as { memories?: { id: string }[] }).memories ?? []) {
          this.#memories.push(one.id);
        }
        return;
      }
      case 'close':
        return this.#drop(
          await this.#send(
            'POST',
            `/cli-sessions/${session}/${pick(['pause', 'resume', 'complete'])}`,
          ),
        );
      case 'forget session':
        return this.#drop(
          await this.#send('DELETE', `/cli-sessions/${session}`, undefined, { confirm: true }),
        );
      case 'link': {
        const body = { target_id: ids[1], relationship_type: pick(types), bidirectional: true };
        return this.#drop(await this.#send('POST', `/relationships/${ids[0]}`, body));
      }
      case 'unlink':
        return this.#drop(
          await this.#send('DELETE', `/relationships/${ids[0]}/${ids[1]}/${pick(types)}`),
        );
      case 'say by hand':
        return this.#sayByHand();
      case 'take back':
        return this.#drop(await this.#send('DELETE', `/knowledge/facts/${this.#any(this.#facts)}`));
      case 'merge': {
        const [source_id, target_id] = [this.#any(this.#entities), this.#any(this.#entities)];
        const body = { source_id, target_id, force: true };
        return this.#drop(await this.#send('POST', '/knowledge/entities/merge', body));
      }
      case 'space':
        return this.#note(
          this.#spaces,
          await this.#send('POST', '/spaces', { name: `space ${this.#spaces.length}` }),
        );
      default:
        return this.#group(ids[0] ?? '');
    }
  }

  /** Makes clusters, merges them, and puts the memory in and out of them. */
  async #group(id: string): Promise<void> {
    const { pick } = this.#chance;
    const [one, other] = [this.#any(this.#clusters), this.#any(this.#clusters)];
    switch (pick(['make', 'join', 'join', 'leave', 'merge'] as const)) {
      case 'make': {
        const body = { name: this.#text(), space_id: pick(this.#spaces) };
        return this.#note(this.#clusters, await this.#send('POST', '/clusters', body));
      }
      case 'join': {
        const body = { cluster_ids: [one] };
        return this.#drop(await this.#send('POST', `/memories/${id}/clusters`, body));
      }
      case 'leave':
        return this.#drop(await this.#send('DELETE', `/memories/${id}/clusters/${one}`));
      case 'merge': {
        const body = { source_ids: [other] };
        return this.#drop(await this.#send('POST', `/clusters/${one}/merge`, body));
      }
    }
  }

  /** Of whom memories speak, or of somebody new. */
  async #sayByHand(): Promise<void> {
    const { pick, integer } = this.#chance;
    const { entities } = (await this.#send('GET', '/knowledge/entities')) as {
      entities: { id: string }[];
    };
    this.#entities.push(...entities.map(({ id }) => id));
    const made = { name: `Nobody ${integer(1, 5)}`, type: 'person', space_id: pick(this.#spaces) };
    this.#note(this.#entities, await this.#send('POST', '/knowledge/entities', made));
    const body = {
      subject_id: this.#any(this.#entities),
      predicate: pick(['works_at', 'works_at', 'likes']),
      object_value: pick(tags),
      ...(this.#flip() ? { source_memory_id: this.#any(this.#memories) } : {}),
      ...(this.#flip() ? { valid_from: `202${integer(0, 5)}-01-01` } : {}),
      ...(this.#facts.length > 0 && this.#flip() ? { corrects: pick(this.#facts) } : {}),
    };
    this.#note(this.#facts, await this.#send('POST', '/knowledge/facts', body));
  }

  #flip = (): boolean => this.#chance.fraction() < 0.5;
  #any = (ids: readonly string[]): string =>
    ids.length === 0 ? '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e' : this.#chance.pick(ids);
  #drop = (_answer: unknown): void => undefined;

  #note(ids: (string | null)[], answer: unknown): void {
    const { id } = answer as { id?: string };
    if (id) ids.push(id);
  }

  /** Mostly new; sometimes one that is there already. */
  #text(): string {
    const text = this.#chance.pick(texts);
    if (this.#chance.fraction() < 0.2) return text;
    this.#written += 1;
    return `${text} (${this.#written})`;
  }

  #metadata = () => ({
    speaker: this.#chance.pick(speakers),
    role: this.#chance.pick(roles),
  });

  #memory() {
    const { pick, integer } = this.#chance;
    return {
      content: this.#text(),
      ...(this.#flip() ? { tags: [pick(tags), pick(tags)] } : {}),
      ...(this.#flip() ? { space_id: pick(this.#spaces) } : {}),
      ...(this.#sessions.length > 0 && this.#flip() ? { session_id: pick(this.#sessions) } : {}),
      ...(this.#flip() ? { metadata: this.#metadata() } : {}),
      ...(this.#flip() ? { priority: integer(0, 10) } : {}),
      ...(this.#flip() ? { is_pinned: true } : {}),
      ...(this.#flip() ? { occurred_at: `2025-0${integer(1, 9)}-11T10:00:00Z` } : {}),
    };
  }

  #patch() {
    const { pick, integer } = this.#chance;
    return {
      priority: integer(0, 10),
      ...(this.#flip() ? { content: this.#text() } : {}),
      ...(this.#flip() ? { tags: [pick(tags)] } : {}),
      ...(this.#flip() ? { space_id: pick(this.#spaces) } : {}),
      ...(this.#flip() ? { metadata: this.#metadata() } : {}),
      ...(this.#sessions.length > 0 && this.#flip()
        ? { session_id: pick([null, ...this.#sessions]) }
        : {}),
    };
  }

  async #send(
    method: string,
    path: string,
    body?: unknown,
    query?: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const answer = await this.#client.request({ method, path, body, query });
    this.statuses.set(answer.status, (this.statuses.get(answer.status) ?? 0) + 1);
    if (answer.status < 500) return answer.body ?? {};
    throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
  }
}
