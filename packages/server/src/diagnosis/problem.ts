import type { Problem } from '../domains/operations/index.ts';

/** Splits the message of an error at its last colon into the problem and the action. */
export function toProblem(error: unknown, kind: Problem['kind']): Problem {
  const { message } = error as Error;
  const colon = message.lastIndexOf(': ');
  if (colon === -1) {
    return { kind, severity: 'error', message, action: 'Remove the cause and try again.' };
  }
  const action = message.slice(colon + 2);
  return {
    kind,
    severity: 'error',
    message: `${message.slice(0, colon)}.`,
    action: `${action.charAt(0).toUpperCase()}${action.slice(1)}`,
  };
}
