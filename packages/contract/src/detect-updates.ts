import { z } from 'zod';

/** What happens with older memories that a new one may outdate. */
export const detectUpdates = z.enum(['off', 'suggest', 'apply']).meta({
  description:
    'Whether older memories of the same owner and space that this one may outdate are looked ' +
    'for. suggest: they are suggested; apply: those with a confidence of 0.9 or more are ' +
    'superseded at once. Default: the account setting detect_updates; off for ' +
    'turns of a conversation: with metadata.role, or with a session and a speaker.',
});

export type DetectUpdates = z.output<typeof detectUpdates>;
