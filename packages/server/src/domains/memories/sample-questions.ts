import type { Ctx } from '../ctx.ts';
import { findUnerasedMemories } from './store/checks.ts';
import {
  listFeedbackQuestions,
  listNewestExcept,
  listSessionQuestions,
  type SampleQuestion,
} from './store/sample-questions.ts';

export type { SampleQuestion } from './store/sample-questions.ts';

/** Questions of an account, by their origin. */
export interface QuestionSample {
  readonly feedback: readonly SampleQuestion[];
  readonly sessions: readonly SampleQuestion[];
  readonly updates: readonly SampleQuestion[];
}

/**
 * Collects questions with known answers. `pairs` are memories that replace an older one: the older
 * text stands for a question that the newer one answers.
 */
export async function sampleQuestions(
  { engine, actor }: Ctx,
  pairs: readonly { readonly newerId: string; readonly olderId: string }[],
  limit: number,
): Promise<QuestionSample> {
  const { accountId } = actor;
  const older = await findUnerasedMemories(
    engine.db,
    accountId,
    pairs.map(({ olderId }) => olderId),
  );
  const contents = new Map(older.map(({ id, content }) => [id, content]));
  const updates = pairs.slice(0, limit).flatMap(({ newerId, olderId }) => {
    const question = contents.get(olderId);
    return question ? [{ question, answerId: newerId, sourceId: olderId }] : [];
  });
  return {
    feedback: await listFeedbackQuestions(engine.db, accountId, limit),
    sessions: await listSessionQuestions(engine.db, accountId, limit),
    updates,
  };
}

/** The memories with these ids, then the newest others. */
export async function loadSampledMemories(
  { engine, actor }: Ctx,
  ids: readonly string[],
  othersMax: number,
): Promise<{ readonly id: string; readonly content: string }[]> {
  const { accountId } = actor;
  const named = await findUnerasedMemories(engine.db, accountId, ids);
  const others = await listNewestExcept(engine.db, accountId, ids, othersMax);
  return [...named.map(({ id, content }) => ({ id, content })), ...others];
}
