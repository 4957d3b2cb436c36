import { type Command, InvalidArgumentError } from 'commander';

/** Adds a command that runs, as opposed to a group of commands. */
export const addCommand = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON value');

/** Parses `a,b`; a repeated option adds to the list. */
export const parseCommaList = (text: string, previous: readonly string[] = []): string[] => [
  ...previous,
  ...text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
];

/** Parses any integer: the service checks the range. */
export function parseInteger(text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('Must be an integer.');
  return value;
}

/** An id becomes a path segment: an empty one or one of dots would name another resource. */
export function parseIdArgument(text: string): string {
  if (/^\.*$/.test(text)) throw new InvalidArgumentError('Must be an id.');
  return text;
}
