/** Why a job waits besides for its turn, in words for its user. Without Zod, for the clients. */
export const waitingReasons = {
  no_worker: 'No process runs jobs: start `mneme worker`, or set MNEME_JOBS=on.',
  queue_paused: 'An operator has paused the queue of this job: `mneme queues list` names it.',
} as const;

export type WaitingReason = keyof typeof waitingReasons;
