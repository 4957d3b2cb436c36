import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ErrorTerms } from './errors.ts';

/** Where the help lists the options that most commands have. */
export const commonOptionsHeading = 'Common options:';

/** Adds a command that runs, as opposed to a group of commands. */
export const addCommand = (parent: Command, usage: string, description: string): Command =>
  addOutputOptions(parent.command(usage).description(description));

/** Adds --json and --jsonl. */
export function addOutputOptions(command: Command): Command {
  for (const [flag, text] of [
    ['--json', 'print one JSON value'],
    ['--jsonl', 'print one JSON value per line'],
  ] as const) {
    if (command.options.some(({ long }) => long === flag)) continue;
    command.addOption(new Option(flag, text).helpGroup(commonOptionsHeading));
  }
  return command;
}

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

const flagOfApiField: Readonly<Record<string, string>> = {
  user_id: 'user',
  agent_id: 'agent',
  run_id: 'run',
  space_id: 'space',
  relationship_type: 'type',
};

/** Advice of the API, in the words of the command line. */
const advice: readonly (readonly [api: RegExp, commandLine: string])[] = [
  [/confirm=true(?: or X-Confirm: true)?/g, '--confirm'],
  [
    /^Space not found\.$/g,
    'Space not found: mneme spaces list shows the spaces, mneme spaces create adds one.',
  ],
  [/with POST \/email\/address/g, 'with mneme mail create-address'],
];

/** Options instead of fields, and commands instead of requests. */
export const commandLineTerms: ErrorTerms = {
  field: flagOfField,
  message: (message) =>
    advice.reduce((text, [api, commandLine]) => text.replaceAll(api, commandLine), message),
};

/** The option of a field: `occurred-at` for `occurred_at`, `user` for `filter.user_id`. */
function flagOfField(field: string): string {
  const [name = '', ...rest] = field.replace(/^(?:filter|set)\./, '').split('.');
  const flag = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
    .replace(/^is-/, '');
  return [flagOfApiField[name] ?? flag, ...rest].join('.');
}
