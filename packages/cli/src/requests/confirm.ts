import { CliError, ConfirmationRequiredError } from '../errors.ts';

export interface ConfirmationContext {
  /** Whether a person can answer: stdin and stderr are a terminal. */
  readonly isInteractive: boolean;
  ask(question: string): Promise<string>;
}

const namedMax = 3;

/** `Delete webhook a, b, c and 4 more (7 in all)`; `{0}` in the question is the first argument. */
export function describeTarget(question: string, texts: readonly (readonly string[])[]): string {
  if (/\{\d\}/.test(question)) {
    return question.replaceAll(/\{(\d)\}/g, (_, i: string) => nameAll(texts[Number(i)] ?? []));
  }
  return `${question} ${nameAll(texts.at(-1) ?? [])}`.trim();
}

function nameAll(texts: readonly string[]): string {
  const named = texts.slice(0, namedMax).join(', ');
  const more = texts.length - namedMax;
  return more > 0 ? `${named} and ${more} more (${texts.length} in all)` : named;
}

/**
 * Asks on a terminal. Throws ConfirmationRequiredError without a terminal, and CliError `cancelled`
 * if the answer is not yes.
 *
 * @param alternative an option such as `--soft`, which the errors mention
 */
export async function confirm(
  context: ConfirmationContext,
  question: string,
  isConfirmed: boolean,
  alternative = '',
): Promise<void> {
  if (isConfirmed) return;
  if (!context.isInteractive) {
    const other = alternative && `, or with ${alternative}, which can be undone`;
    const repeat = `Repeat with --yes${other}.`;
    throw new ConfirmationRequiredError(`confirmation required: ${question}. ${repeat}`);
  }
  const answer = await context.ask(`${question}? [y/N] `);
  if (/^y(?:es)?$/i.test(answer.trim())) return;
  const instead = alternative && ` ${alternative} can be undone.`;
  throw new CliError('cancelled', `Nothing was changed.${instead}`);
}
