import { MnemeError } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import type { Context } from './context.ts';
import { Progress } from './progress.ts';
import { waitForJob } from './wait-for-job.ts';

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
}

const running: Job = { status: 'running', progress: 0.5, error: null };
const completed: Job = { status: 'completed', progress: 1, error: null };
const lost = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });

/** Gives one answer after the other, the last one again and again; time goes by the pauses. */
async function followed(answers: readonly (Job | Error)[], isQuiet = false) {
  let nowMs = 0;
  let asked = 0;
  let shown = '';
  const write = (text: string): void => {
    shown += text;
  };
  const context = {
    progress: () => new Progress({ isTerminal: false, write }),
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  } as Context;
  const read = async (): Promise<Job> => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? completed;
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const job = await waitForJob(context, read, { label: () => 'rows', isQuiet });
  return { job, shown, asked, nowMs };
}

describe('follow', () => {
  it('asks until the job has ended and shows how far it is', async () => {
    const { job, shown, asked } = await followed([running, running, completed]);
    expect({ job, asked }).toEqual({ job: completed, asked: 3 });
    expect(shown).toMatch(/ 50 % {2}rows\n.* 100 % {2}rows\n$/);
  });

  it('shows nothing to a script', async () => {
    expect(await followed([running, completed], true)).toMatchObject({ shown: '' });
  });

  it('waits for a service that is started anew', async () => {
    expect(await followed([running, lost, lost, lost, completed])).toMatchObject({ asked: 5 });
  });

  it.each([429, 502, 503, 504])('waits where the answer is %i: come again', async (status) => {
    const refusal = new MnemeError({ status, headers: new Headers(), body: undefined });
    expect(await followed([running, refusal, refusal, completed])).toMatchObject({ asked: 4 });
    await expect(followed([running, refusal])).rejects.toBe(refusal);
  });

  it('gives up on a service that stays away', async () => {
    await expect(followed([running, lost])).rejects.toBe(lost);
  });

  it('tells that a job has failed, in its words', async () => {
    const failed = { status: 'failed', progress: 0.5, error: 'The model is gone.' };
    await expect(followed([running, failed])).rejects.toMatchObject({
      code: 'job_failed',
      message: 'The model is gone.',
    });
  });

  it('takes no refusal for a lost answer', async () => {
    const unknown = new MnemeError({ status: 404, headers: new Headers(), body: undefined });
    for (const refusal of [new Error('no'), unknown]) {
      await expect(followed([running, refusal, completed])).rejects.toBe(refusal);
    }
  });
});
