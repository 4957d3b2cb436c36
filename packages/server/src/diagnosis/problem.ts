import type { Problem } from '../domains/operations/index.ts';

/** An error whose message says what is wrong and, after its last colon, what to do. */
export function toProblem(error: unknown, kind: Problem['kind']): Problem {
  const { message } = error as Error;
  const at = message.lastIndexOf(': ');
  if (at === -1) {
    return { kind, severity: 'error', message, action: 'Remove the cause and try again.' };
  }
  const action = message.slice(at + 2);
  return {
    kind,
    severity: 'error',
    message: `${message.slice(0, at)}.`,
    action: `${action.charAt(0).toUpperCase()}${action.slice(1)}`,
  };
}
