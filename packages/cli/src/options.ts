import { type Command, InvalidArgumentError } from 'commander';

/** A command that does something, as opposed to a group of them. */
export const addCommand = (parent: Command, usage: string, description: string): Command =>
  parent.command(usage).description(description).option('--json', 'print one JSON value');

/** `a,b`, and the option may be given more than once. */
export const parseCommaList = (text: string, former: readonly string[] = []): string[] => [
  ...former,
  ...text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
];

/** Any integer: its bounds are the service's to tell. */
export function parseInteger(text: string): number {
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be an integer.');
  return value;
}

/** An id becomes a part of a path, where nothing and dots would name another resource. */
export function parseIdArgument(text: string): string {
  if (/^\.*$/.test(text)) throw new InvalidArgumentError('It must be an id.');
  return text;
}
