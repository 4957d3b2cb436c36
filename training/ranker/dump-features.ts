/**
 * Writes the ranking features of each memory for each question of the development sets, as the
 * product computes them with both shipped models:
 * `node training/ranker/dump-features.ts --out DIR [--data DIR]`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { InProcessRetrieval } from '../../bench/retrieval/in-process-retrieval.ts';
import { withVectorCache } from '../../bench/retrieval/vector-cache.ts';
import { SearchBuffers } from '../../packages/server/src/domains/search-index/ranking/buffers.ts';
import {
  computeFeatures,
  isTurn,
  overlapOf,
  type QueryContext,
} from '../../packages/server/src/domains/search-index/ranking/features.ts';
import {
  createQueryContext,
  forEachVisible,
} from '../../packages/server/src/domains/search-index/ranking/query-context.ts';
import {
  featureNames,
  rankerNameOf,
} from '../../packages/server/src/domains/search-index/ranking/weights.ts';
import { createEmbedder } from '../../packages/server/src/providers/embedding/index.ts';
import { loadStores, type Store, type StoreQuestion } from './question-sets.ts';

/** Columns of a row: the features, then these. */
const columns = [
  ...featureNames,
  'cosine',
  'coverage',
  'estimate',
  'words',
  'is_turn',
  'is_match',
  'occurred_day',
  'grade',
  'is_stale',
] as const;
const dayMs = 86_400_000;

interface DumpedQuestion {
  readonly set: string;
  readonly group: string;
  readonly kind: string;
  readonly text: string;
  readonly rows: number;
  readonly idfSum: number;
  readonly isAboutPast: boolean;
}

class FeatureDump {
  readonly #retrieval: InProcessRetrieval;
  readonly #buffers = new SearchBuffers();
  readonly #rows: Float32Array[] = [];
  readonly #questions: DumpedQuestion[] = [];

  constructor(retrieval: InProcessRetrieval) {
    this.#retrieval = retrieval;
  }

  async add(store: Store): Promise<void> {
    const spaceId = await this.#retrieval.createSpace();
    const sessions = new Map<string, string>();
    for (const { session } of store.texts) {
      if (session === undefined || sessions.has(session)) continue;
      sessions.set(session, await this.#retrieval.createSession());
    }
    const ids = await this.#retrieval.store(
      spaceId,
      store.texts.map(({ content, occurredAt, session, metadata }) => ({
        content,
        ...(occurredAt !== undefined && { occurred_at: occurredAt }),
        ...(session !== undefined && { session_id: sessions.get(session) ?? '' }),
        ...(metadata && { metadata }),
      })),
    );
    const keys = new Map(store.texts.map(({ key }, i) => [key, ids[i] ?? '']));
    for (const question of store.questions) await this.#addQuestion(store, spaceId, question, keys);
  }

  write(folder: string, ranker: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${ranker}.f32`), Buffer.concat(this.#rows.map(toBytes)));
    const head = { ranker, features: featureNames, columns, questions: this.#questions };
    writeFileSync(path.join(folder, `${ranker}.json`), JSON.stringify(head));
  }

  async #addQuestion(
    { set, group }: Store,
    spaceId: string,
    { text, answers, stale, kind }: StoreQuestion,
    keys: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { index } = this.#retrieval.space(spaceId);
    const query = await this.#retrieval.buildQuery(text, spaceId);
    const context = createQueryContext(index, this.#buffers, query);
    const grades = new Map(Object.entries(answers).map(([key, grade]) => [keys.get(key), grade]));
    const staleIds = new Set(stale.map((key) => keys.get(key)));
    let count = 0;
    forEachVisible(index, context.scope, (document) => {
      const id = index.ids.at(document);
      this.#rows.push(rowOf(context, document, grades.get(id) ?? 0, staleIds.has(id)));
      count += 1;
    });
    this.#questions.push({
      set,
      group,
      kind,
      text,
      rows: count,
      idfSum: context.matches.idfSum,
      isAboutPast: query.intent.isAboutPast,
    });
    this.#buffers.clear();
  }
}

const toBytes = ({ buffer }: Float32Array): Buffer => Buffer.from(buffer as ArrayBuffer);

function rowOf(
  context: QueryContext,
  document: number,
  grade: number,
  isStale: boolean,
): Float32Array {
  const { columns: of } = context.index;
  const { coverage, estimate } = overlapOf(context, document);
  const features = computeFeatures(context, document, new Float64Array(featureNames.length));
  return Float32Array.of(
    ...features,
    context.buffers.semantic[document] as number,
    coverage,
    estimate,
    of.words[document] as number,
    isTurn(context.index, document) ? 1 : 0,
    context.buffers.isTouched[document] as number,
    (of.occurredAt[document] as number) / dayMs,
    grade,
    isStale ? 1 : 0,
  );
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: { out: { type: 'string' }, data: { type: 'string' } },
  });
  const sharedData = fileURLToPath(new URL('../../../shared/data', import.meta.url));
  const stores = loadStores(values.data ?? sharedData);
  for (const provider of ['encoder', 'static'] as const) {
    await using embedder = withVectorCache(await createEmbedder({ provider }), provider);
    const dump = new FeatureDump(new InProcessRetrieval(embedder));
    for (const store of stores) await dump.add(store);
    dump.write(values.out ?? 'features', rankerNameOf(embedder.model));
  }
}

if (import.meta.main) await run();
