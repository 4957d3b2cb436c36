import { defaultQueue } from '../../jobs/job-queues.ts';

/** What waits besides the jobs that somebody has started: the default queue has most kinds. */
const waitingInDefaultQueue =
  'erasures, expiries, digests, scheduled backups and all other jobs without a queue of their ' +
  'own wait';

/** Paused queues in plain words; undefined: none is paused. */
export function describePausedQueues(paused: ReadonlyMap<string, Date>): string | undefined {
  const sentences = [...paused]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, since]) => {
      const waiting = name === defaultQueue ? waitingInDefaultQueue : 'its jobs wait';
      return (
        `The queue ${name} has been paused since ${since.toISOString()}: ${waiting}. ` +
        `To run them, use \`mneme queues resume ${name}\`.`
      );
    });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}
