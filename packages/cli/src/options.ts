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

/** A space by its id, or by its name; "default" is the account level. */
export const toSpaceField = (text: string | undefined): { space_id?: string; space?: string } => {
  if (text === undefined) return {};
  const isId = text === 'default' || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
  return isId ? { space_id: text } : { space: text };
};
