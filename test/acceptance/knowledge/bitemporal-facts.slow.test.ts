import type { Fact } from '@mneme/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines } from '../../support/service.ts';
import {
  factKey,
  type ReferenceFact,
  referenceFactsAt,
  referenceSources,
  type Statement,
} from './reference-facts.ts';
import {
  openScriptedAccount,
  type ScriptedAccount,
  type ScriptedExtraction,
  startScriptedExtraction,
} from './scripted-extraction.ts';

const hourMs = 3_600_000;
const people = ['Ana', 'Ben', 'Cleo'];
const places = ['Acme', 'Bolt', 'Corex'];

const claim = fc.record({
  subject: fc.nat(2),
  predicate: fc.constantFrom('works_at', 'works_at', 'uses'),
  object: fc.nat(2),
  from: fc.option(fc.nat(5)),
  months: fc.option(fc.nat(4)),
});
const act = fc.record({
  kind: fc.constantFrom(
    ...['tell', 'tell', 'tell', 'tell', 'retell', 'retell', 'hide', 'show', 'erase'],
    ...['say', 'correct', 'takeBack', 'merge'],
  ),
  claims: fc.array(claim, { minLength: 1, maxLength: 3 }),
  month: fc.nat(11),
  which: fc.nat(1_000),
  other: fc.nat(1_000),
});
type Claim = typeof claim extends fc.Arbitrary<infer T> ? T : never;
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const monthOf = (month: number): string =>
  `${2020 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
const firstOf = (month: number): number => Date.parse(`${monthOf(month)}-01T00:00:00Z`);
const isoOf = (at: number): string => new Date(at).toISOString();

/** Begin and end of a claim in months: the end is the month after which it no longer holds. */
const spanOf = ({ from, months }: Claim): { from: number | null; last: number | null } => ({
  from,
  last: months === null ? null : (from ?? 0) + months,
});

function sentence(one: Claim): string {
  const { from, last } = spanOf(one);
  const begin = from === null ? '' : ` from ${monthOf(from)}`;
  const end = last === null ? '' : ` to ${monthOf(last)}`;
  const [subject, object] = [`person:${people[one.subject]}`, `organization:${places[one.object]}`];
  return `${subject} ${one.predicate} ${object}${begin}${end}`;
}

interface Told1 {
  readonly id: string;
  readonly observed: number;
  claims: readonly Claim[];
  isHidden: boolean;
}

/** That a memory speaks of an entity: when what it tells happened, and since when that is known. */
interface Mention {
  readonly memory: string;
  readonly entity: string;
  readonly observed: number;
  readonly recorded: number;
}

/** The service, and beside it the log of all that was said. */
class World {
  readonly told: ScriptedAccount;
  readonly stage: ScriptedExtraction;
  readonly ids = new Map<string, string>();
  readonly merges: { source: string; target: string; at: number }[] = [];
  readonly moments: number[] = [];
  log: Statement[] = [];
  memories: Told1[] = [];
  /** Of the texts as they are now: they have no history but that of merges. */
  mentions: Mention[] = [];
  madeAt = 0;
  #made = 0;

  constructor(stage: ScriptedExtraction, told: ScriptedAccount) {
    this.stage = stage;
    this.told = told;
  }

  static async open(stage: ScriptedExtraction): Promise<World> {
    const world = new World(stage, await openScriptedAccount(stage));
    world.madeAt = world.now();
    for (const [names, type] of [
      [people, 'person'],
      [places, 'organization'],
    ] as const) {
      for (const name of names) {
        const made = await world.told.client.knowledge.create({ body: { name, type } });
        world.ids.set(name, made.id);
      }
    }
    return world;
  }

  now = (): number => this.stage.clock.now().getTime();

  /** Whom an id meant at a moment. */
  meant(id: string, at = Number.POSITIVE_INFINITY): string {
    const merge = this.merges.find((one) => one.source === id && one.at <= at);
    return merge ? this.meant(merge.target, at) : id;
  }

  idAt = (names: readonly string[], place: number): string =>
    this.meant(this.ids.get(names[place] ?? '') ?? '');

  statements(claims: readonly Claim[], observed: number, memory: string | null): Statement[] {
    const all = claims.map((one): Statement => {
      const { from, last } = spanOf(one);
      return {
        subject: this.idAt(people, one.subject),
        predicate: one.predicate,
        object: this.idAt(places, one.object),
        from: from === null ? null : firstOf(from),
        to: last === null ? null : firstOf(last + 1),
        observed,
        confidence: memory === null ? 0.7 : 0.5,
        memory,
        recorded: this.now(),
        retracted: null,
        isManual: false,
      };
    });
    return [...new Map(all.map((one) => [this.saying(one), one])).values()];
  }

  /** What makes two statements of one memory the same, merged entities taken for one. */
  saying = (one: Statement): string =>
    JSON.stringify([
      factKey({ ...one, subject: this.meant(one.subject), object: this.meant(one.object) }),
      one.observed,
    ]);

  /** What a memory says now, in place of what it said before. */
  reread(memory: Told1, claims: readonly Claim[]): void {
    const own = this.log.filter((one) => one.memory === memory.id);
    const said = this.statements(claims, memory.observed, memory.id);
    const now = new Set(said.map(this.saying));
    const live = own.filter(({ retracted }) => retracted === null);
    const settled = new Set([...live, ...own.filter(({ isManual }) => isManual)].map(this.saying));
    for (const one of live) if (!now.has(this.saying(one))) one.retracted = this.now();
    this.log.push(...said.filter((one) => !settled.has(this.saying(one))));
  }

  /** Whom a memory speaks of now; that it spoke of who was merged stays, for questions of then. */
  respeak({ id: memory, observed }: Told1, claims: readonly Claim[]): void {
    const now = new Set(
      claims.flatMap(({ subject, object }) => [
        this.idAt(people, subject),
        this.idAt(places, object),
      ]),
    );
    this.mentions = this.mentions.filter(
      (one) =>
        one.memory !== memory || now.has(one.entity) || this.meant(one.entity) !== one.entity,
    );
    for (const entity of now) this.#speakOf({ memory, entity, observed, recorded: this.now() });
  }

  #speakOf(mention: Mention): void {
    const { memory, entity } = mention;
    if (this.mentions.some((one) => one.memory === memory && one.entity === entity)) return;
    this.mentions.push(mention);
  }

  retract(fact: ReferenceFact): void {
    for (const one of fact.sources) Object.assign(one, { retracted: this.now(), isManual: true });
  }

  async step(one: Act): Promise<void> {
    this.stage.clock.advance(hourMs);
    this.moments.push(this.now());
    await this.#acts[one.kind]?.(one);
    await this.stage.extractAll();
  }

  #pick = (which: number, isHidden?: boolean): Told1 | undefined => {
    const fitting = this.memories.filter(
      (one) => isHidden === undefined || one.isHidden === isHidden,
    );
    return fitting[which % Math.max(fitting.length, 1)];
  };

  /** A fact that is believed now, as the service shows it and as the log has it. */
  async #believed({ which }: Act): Promise<{ fact: Fact; naive: ReferenceFact } | undefined> {
    const id = this.idAt(people, which % 3);
    const { facts } = await this.told.client.knowledge.facts({ params: { id } });
    const fact = facts[which % Math.max(facts.length, 1)];
    const naive =
      fact &&
      referenceFactsAt(this.log, this.now()).find((one) => factKey(one) === keyOfShown(fact));
    return fact && naive && { fact, naive };
  }

  #content(claims: readonly Claim[]): string {
    this.#made += 1;
    return `${claims.map(sentence).join(';')}; ${this.#made}`;
  }

  readonly #acts: Readonly<Record<string, (one: Act) => Promise<void>>> = {
    tell: async ({ claims, month }) => {
      const observed = firstOf(month) + (this.#made + 40) * hourMs;
      const content = this.#content(claims);
      const body = { content, occurred_at: isoOf(observed) };
      const { id } = await this.told.client.memories.create({ body });
      const memory: Told1 = { id, observed, claims, isHidden: false };
      this.memories.push(memory);
      this.reread(memory, claims);
      this.respeak(memory, claims);
    },
    retell: async ({ claims, which }) => {
      const memory = this.#pick(which, false);
      if (!memory) return;
      const body = { content: this.#content(claims) };
      await this.told.client.memories.update({ params: { id: memory.id }, body });
      memory.claims = claims;
      this.reread(memory, claims);
      this.respeak(memory, claims);
    },
    hide: async ({ which }) => {
      const memory = this.#pick(which, false);
      if (!memory) return;
      const params = { id: memory.id };
      await this.told.client.memories.remove({ params, query: { soft: true } });
      memory.isHidden = true;
      this.reread(memory, []);
    },
    show: async ({ which }) => {
      const memory = this.#pick(which, true);
      if (!memory) return;
      await this.told.client.memories.restore({ params: { id: memory.id } });
      memory.isHidden = false;
      this.reread(memory, memory.claims);
      this.respeak(memory, memory.claims);
    },
    erase: async ({ which }) => {
      const memory = this.#pick(which);
      if (!memory) return;
      await this.told.client.memories.remove({ params: { id: memory.id } });
      this.memories = this.memories.filter((one) => one !== memory);
      this.log = this.log.filter((one) => one.memory !== memory.id);
      this.mentions = this.mentions.filter((one) => one.memory !== memory.id);
    },
    say: async ({ claims }) => {
      const [one] = this.statements(claims, this.now(), null);
      if (!one) return;
      await this.told.client.knowledge.createFact({ body: bodyOf(one) });
      this.log.push(one);
    },
    correct: async (given) => {
      const believed = await this.#believed(given);
      const [one] = this.statements(given.claims, this.now(), null);
      if (!believed || !one) return;
      const corrects = believed.fact.id;
      await this.told.client.knowledge.createFact({ body: { ...bodyOf(one), corrects } });
      this.retract(believed.naive);
      this.log.push(one);
    },
    takeBack: async (given) => {
      const believed = await this.#believed(given);
      if (!believed) return;
      await this.told.client.knowledge.removeFact({ params: { id: believed.fact.id } });
      this.retract(believed.naive);
    },
    merge: async ({ which, other }) => {
      const names = which % 2 === 0 ? people : places;
      const [source, target] = [this.idAt(names, which % 3), this.idAt(names, other % 3)];
      if (source === target) return;
      const body = { source_id: source, target_id: target };
      await this.told.client.knowledge.merge({ body });
      const moved = this.log.filter(
        (one) => one.retracted === null && [one.subject, one.object].includes(source),
      );
      this.merges.push({ source, target, at: this.now() });
      for (const one of this.mentions.filter(({ entity }) => entity === source)) {
        this.#speakOf({ ...one, entity: target, recorded: this.now() });
      }
      for (const one of moved) {
        const [subject, object] = [this.meant(one.subject), this.meant(one.object)];
        this.log.push({ ...one, subject, object, recorded: this.now() });
        one.retracted = this.now();
      }
    },
  };

  /** What a question must be answered with. */
  expected(id: string, asOf: number | null, knownAt: number): string[] {
    const meant = this.meant(id, knownAt);
    return this.#seenFacts(knownAt)
      .filter(({ subject, object }) => subject === meant || object === meant)
      .filter(
        ({ from, to }) =>
          asOf === null || ((from === null || from <= asOf) && (to === null || to > asOf)),
      )
      .map(factKey)
      .toSorted();
  }

  /** Who must have been there at a time, as far as was known at another. */
  expectedAt(asOf: number, knownAt: number): string[] {
    const hidden = this.#hidden();
    const spoken = this.mentions.filter(
      ({ memory, observed, recorded }) =>
        !hidden.has(memory) && observed <= asOf && recorded <= knownAt,
    );
    const held = this.#seenFacts(knownAt).filter(
      ({ from, to }) => from !== null && from <= asOf && (to === null || to > asOf),
    );
    const there = new Set([
      ...(this.madeAt <= asOf ? this.ids.values() : []),
      ...spoken.map(({ entity }) => entity),
      ...held.flatMap(({ subject, object }) => [subject, object]),
    ]);
    return [...there].filter((id) => this.meant(id, knownAt) === id).toSorted();
  }

  #hidden = (): Set<string> =>
    new Set(this.memories.flatMap((one) => (one.isHidden ? [one.id] : [])));

  #seenFacts(knownAt: number): ReferenceFact[] {
    const hidden = this.#hidden();
    return referenceFactsAt(this.log, knownAt).filter((fact) =>
      referenceSources(this.log, fact, knownAt).some(
        ({ memory }) => memory === null || !hidden.has(memory),
      ),
    );
  }
}

const bodyOf = ({ subject, predicate, object, from, to, confidence }: Statement) => ({
  subject_id: subject,
  predicate,
  object_id: object,
  confidence,
  ...(from === null ? {} : { valid_from: isoOf(from) }),
  ...(to === null ? {} : { valid_to: isoOf(to) }),
});

const timeOf = (at: string | null): number | null => (at === null ? null : Date.parse(at));
const keyOfShown = (fact: Fact): string =>
  factKey({
    subject: fact.subject_id,
    predicate: fact.predicate,
    object: fact.object_id ?? '',
    from: timeOf(fact.valid_from),
    to: timeOf(fact.valid_to),
  });

async function askEverything(world: World): Promise<void> {
  const { moments, told } = world;
  const some = moments.filter((_, i) => i % Math.ceil(moments.length / 6) === 0);
  for (const [turn, known] of [...some, ...some.map((at) => at - 1), world.now()].entries()) {
    for (const asOf of [firstOf(0), firstOf(2), firstOf(4), firstOf(7), world.now()]) {
      const query = { known_at: isoOf(known), as_of: isoOf(asOf) };
      const { entities } = await told.client.knowledge.atTime({ query });
      expect({ ...query, entities: entities.map(({ id }) => id).toSorted() }).toEqual({
        ...query,
        entities: world.expectedAt(asOf, known),
      });
    }
    const times = [null, firstOf(2) - 1, firstOf(2), firstOf(4), firstOf(7), world.now()];
    for (const [i, asOf] of times.entries()) {
      for (const [place, [name, id]] of [...world.ids].entries()) {
        // What is asked of no time tells all stretches: of each time two are asked, in turns.
        if (asOf !== null && (place + i + turn) % 3 !== 0) continue;
        const query = { known_at: isoOf(known), ...(asOf === null ? {} : { as_of: isoOf(asOf) }) };
        const { facts } = await told.client.knowledge.facts({
          params: { id },
          query: { ...query, limit: 200 },
        });
        expect({ name, ...query, facts: facts.map(keyOfShown).toSorted() }).toEqual({
          name,
          ...query,
          facts: world.expected(id, asOf, known),
        });
      }
    }
  }
}

/** Of now, who says it and how surely as well. */
async function askNow(world: World): Promise<void> {
  const believed = new Map(
    referenceFactsAt(world.log, world.now()).map((fact) => [factKey(fact), fact]),
  );
  for (const id of world.ids.values()) {
    const { facts } = await world.told.client.knowledge.facts({
      params: { id },
      query: { limit: 200 },
    });
    for (const fact of facts) {
      const sources = believed.get(keyOfShown(fact))?.sources ?? [];
      const memories = new Set(sources.flatMap(({ memory }) => memory ?? []));
      expect(new Set(fact.source_memory_ids)).toEqual(memories);
      const doubt = sources.reduce((product, one) => product * (1 - one.confidence), 1);
      expect(fact.confidence).toBeCloseTo(1 - doubt, 5);
    }
  }
}

describe.each(engines)('facts in two times on %s', (engine) => {
  let stage: ScriptedExtraction;
  beforeAll(async () => {
    stage = await startScriptedExtraction(engine);
  });
  afterAll(() => stage.service.stop());

  it('every question of both times is answered as the whole log says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 15, maxLength: 45 }), async (acts) => {
        const world = await World.open(stage);
        for (const one of acts) await world.step(one);
        await askNow(world);
        await askEverything(world);
      }),
      { numRuns: runCount(2, 30), endOnFailure: true },
    );
  });
});
