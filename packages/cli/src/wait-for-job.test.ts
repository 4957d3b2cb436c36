import { MnemeError } from '@mneme/sdk';
import { describe, expect, it } from 'vitest';
import type { CommandContext } from './context.ts';
import { ProgressBar } from './progress.ts';
import { waitForJob } from './wait-for-job.ts';

interface Job {
  readonly status: string;
  readonly progress: number;
  readonly error: string | null;
  readonly waiting_reason?: 'no_worker' | 'queue_paused' | null;
}

const running: Job = { status: 'running', progress: 0.5, error: null };
const completed: Job = { status: 'completed', progress: 1, error: null };
const lost = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });

/** Returns one response per request and repeats the last one; only pauses advance the clock. */
async function followed(responses: readonly (Job | Error)[], isQuiet = false) {
  let nowMs = 0;
  let requests = 0;
  let shown = '';
  const write = (text: string): void => {
    shown += text;
  };
  const context = {
    progress: () => new ProgressBar({ isTerminal: false, write }),
    writeStderrLine: (line: string) => write(`${line}\n`),
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms;
    },
  } as CommandContext;
  const read = async (): Promise<Job> => {
    const response = responses[Math.min(requests, responses.length - 1)] ?? completed;
    requests += 1;
    if (response instanceof Error) throw response;
    return response;
  };
  const job = await waitForJob(context, read, { label: () => 'rows', isQuiet });
  return { job, shown, requests, nowMs };
}

describe('waitForJob', () => {
  it('polls until the job has ended and shows its progress', async () => {
    const { job, shown, requests } = await followed([running, running, completed]);
    expect({ job, requests }).toEqual({ job: completed, requests: 3 });
    expect(shown).toMatch(/ 50 % {2}rows\n.* 100 % {2}rows\n$/);
  });

  it('says once why nobody runs the job, also when quiet', async () => {
    const queued: Job = { status: 'queued', progress: 0, error: null };
    const waiting: Job = { ...queued, waiting_reason: 'no_worker' };
    const { shown } = await followed([queued, waiting, waiting, running, completed], true);
    expect(shown).toBe('No process runs jobs: start `mneme worker`, or set MNEME_JOBS=on.\n');
  });

  it('shows no progress when quiet', async () => {
    expect(await followed([running, completed], true)).toMatchObject({ shown: '' });
  });

  it('waits while the service restarts', async () => {
    expect(await followed([running, lost, lost, lost, completed])).toMatchObject({ requests: 5 });
  });

  it.each([429, 502, 503, 504])('retries after status %i', async (status) => {
    const refusal = new MnemeError({ status, headers: new Headers(), body: undefined });
    expect(await followed([running, refusal, refusal, completed])).toMatchObject({ requests: 4 });
    await expect(followed([running, refusal])).rejects.toBe(refusal);
  });

  it('fails when the service stays unreachable', async () => {
    await expect(followed([running, lost])).rejects.toBe(lost);
  });

  it('reports the error message of a failed job', async () => {
    const failed = { status: 'failed', progress: 0.5, error: 'The model is gone.' };
    await expect(followed([running, failed])).rejects.toMatchObject({
      code: 'job_failed',
      message: 'The model is gone.',
    });
  });

  it('does not retry other errors', async () => {
    const unknown = new MnemeError({ status: 404, headers: new Headers(), body: undefined });
    for (const refusal of [new Error('no'), unknown]) {
      await expect(followed([running, refusal, completed])).rejects.toBe(refusal);
    }
  });
});
