import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';
import type {
  ExtractedEntity,
  ExtractedFact,
  Extraction,
  TextAnalyzer,
} from '../../../packages/server/src/providers/language/index.ts';
import { asMemory } from '../../support/as-memory.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { type engines, type Service, startService } from '../../support/service.ts';
import { createFrozenClock } from '../sessions/session-requests.ts';

const startMs = Date.parse('2026-03-02T10:00:00.000Z');
export const dayMs = 86_400_000;
export const day = (count: number): string => new Date(startMs + count * dayMs).toISOString();

/**
 * What a text says word by word: `person:Ana works_at organization:Acme from 2024 to 2025-06`,
 * such clauses apart by `;`, or a name alone. `_` in names stands for a space.
 */
function parseExtraction(text: string): Extraction {
  const entities: ExtractedEntity[] = [];
  const facts: ExtractedFact[] = [];
  const placeOf = (word: string): number => {
    const [type = '', name = ''] = word.split(':');
    const said = { type, name: name.replaceAll('_', ' ') };
    const at = entities.findIndex((one) => one.type === said.type && one.name === said.name);
    if (at >= 0) return at;
    entities.push({ ...said, mentions: [said.name], confidence: 0.9 } as ExtractedEntity);
    return entities.length - 1;
  };
  for (const clause of text.split(';')) {
    const [subject = '', predicate, object = '', ...rest] = clause.trim().split(/\s+/);
    if (!subject.includes(':')) continue;
    const from = placeOf(subject);
    if (predicate === undefined || !object.includes(':')) continue;
    const after = (word: string) => rest[rest.indexOf(word) + 1];
    facts.push({
      subject: from,
      predicate: predicate as ExtractedFact['predicate'],
      object: placeOf(object),
      statement: clause.trim(),
      confidence: rest.includes('sure') ? Number(after('sure')) : 0.5,
      ...(rest.includes('from') ? { validFrom: after('from') as string } : {}),
      ...(rest.includes('to') ? { validTo: after('to') as string } : {}),
    });
  }
  return { entities, facts };
}

export const scriptedLanguage: TextAnalyzer = {
  model: 'scripted',
  extract: async ({ text }) => ({ model: 'scripted', value: parseExtraction(text) }),
  speakerFacts: async () => [],
  topics: async () => ({ model: 'scripted', value: [] }),
  summary: async ({ text }) => ({ model: 'scripted', value: text.slice(0, 100) }),
  outdatedAtOnce: () => [],
  outdated: async () => ({ model: 'scripted', value: [] }),
  statements: async () => ({ model: 'scripted', value: [] }),
  quality: async () => ({
    model: 'scripted',
    value: { specificity: 0.5, clarity: 0.5, actionability: 0.5 },
  }),
};

export interface ScriptedExtraction {
  readonly service: Service;
  readonly clock: FakeClock;
  /** Reads everything unread; throws where that failed. */
  extractAll(): Promise<void>;
}

/** A service that reads the texts of `told`, at a date that stands still. */
export async function startScriptedExtraction(
  engine: (typeof engines)[number],
): Promise<ScriptedExtraction> {
  const clock = createFrozenClock();
  const service = await startService(engine, { overrides: { clock, language: scriptedLanguage } });
  return {
    service,
    clock,
    async extractAll() {
      await service.running.context.extractionWorker.drain();
      const failed = service.logLines.find((line) => line.includes('extraction batch failed'));
      if (failed) throw new Error(failed);
    },
  };
}

/** An account and what tests do in it. */
export async function openScriptedAccount(stage: ScriptedExtraction) {
  const { id, client, key } = await stage.service.createAccount();
  const remember = async (content: string, fields: object = {}): Promise<Memory> => {
    const memory = asMemory(await client.memories.create({ body: { content, ...fields } }));
    await stage.extractAll();
    return memory;
  };
  return { id, key, client, remember, ...knowledgeRequests(client) };
}

export type ScriptedAccount = Awaited<ReturnType<typeof openScriptedAccount>>;

/** Short forms of what is asked again and again. */
function knowledgeRequests(client: Client) {
  const names = async (query: object = {}): Promise<string[]> =>
    (await client.knowledge.entities({ query })).entities.map(({ name }) => name);
  return {
    names,
    async idOf(name: string, query: object = {}): Promise<string> {
      const { entities } = await client.knowledge.entities({ query: { q: name, ...query } });
      const found = entities.find((one) => one.name === name);
      if (!found) throw new Error(`There is no ${name} among ${await names()}`);
      return found.id;
    },
    /** Facts as "Ana works at Acme [from, to)", in the order of the alphabet. */
    async facts(id: string, query: object = {}): Promise<string[]> {
      const { facts } = await client.knowledge.facts({
        params: { id },
        query: { limit: 200, ...query },
      });
      return facts.map(describeFact).toSorted();
    },
    async kinds(id: string): Promise<string[]> {
      const { entries } = await client.knowledge.timeline({ params: { id } });
      return entries.map(({ kind }) => kind);
    },
  };
}

interface FactSummary {
  readonly subject_name: string;
  readonly predicate: string;
  readonly object_value: string | null;
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

export const describeFact = (fact: FactSummary): string => {
  const dates = [fact.valid_from, fact.valid_to].map((at) => at?.slice(0, 10) ?? '…');
  return `${fact.subject_name} ${fact.predicate} ${fact.object_value} ${dates.join(' – ')}`;
};
