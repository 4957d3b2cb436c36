import type { FieldError } from '@mneme/contract';
import type { AppError } from '../kernel/errors.ts';

/** A call that failed; the message is for the model and says what to do. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** What a model can do about a code whose published message does not say it. */
const remedies: Readonly<Record<string, string>> = {
  memory_not_found: 'Use an id that recall returned.',
  memory_protected:
    'A person has protected it: ask them to remove the protection first. Do not retry.',
  confirmation_required:
    'A person has protected it: ask them to remove the protection first. Do not retry.',
  space_not_found: 'Use the name of an existing space, or leave it out.',
  space_access_denied: 'The API key has no access to this space: use another one.',
  insufficient_permissions: 'The API key does not allow this: ask for another key.',
};

/** An error of a verb as text: the published code and message, the fields, and what to do. */
export function describeError(error: AppError): string {
  const { code, message, details = {} } = error;
  const fields = Object.entries((details.fields ?? {}) as Record<string, FieldError>);
  const problems = fields.map(([name, field]) => `${name} ${field.message}`).join('; ');
  const scope = details.required_scope;
  const seconds = details.retry_after;
  return [
    `${code}: ${problems === '' ? message : `${problems}.`}`,
    ...(scope === undefined ? [] : [`It requires the scope ${scope}.`]),
    ...(typeof seconds === 'number' ? [`Retry in ${seconds} s.`] : []),
    ...(remedies[code] === undefined ? [] : [remedies[code]]),
  ].join(' ');
}
