import { Argument, type Command, Option } from 'commander';
import type { ArgumentData, CommandData, OptionData } from './command-data.ts';
import { markReversible } from './help.ts';
import { addOutputOptions, commonOptionsHeading, parseCommaList, parseInteger } from './options.ts';
import type { Given } from './requests/input.ts';

const valueNames = {
  word: '<text>',
  text: '<text>',
  integer: '<n>',
  number: '<n>',
  time: '<time>',
  list: '<a,b>',
  numbers: '<numbers>',
  object: '<key=value>',
  filter: '<key=value>',
  json: '<json>',
  space: '<name>',
} as const;

const collect = (text: string, previous: readonly string[] = []): string[] => [...previous, text];

/** Starts in lower case and has no final full stop, as in the help of other programs. */
function helpText(description: string): string {
  const text = description.replace(/\.$/, '');
  return /^[A-Z](?![A-Z])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

/** Adds arguments and options of an operation; options that the command already has stay. */
export function addFields(command: Command, data: CommandData): void {
  for (const argument of data.arguments ?? []) addArgument(command, argument);
  const terms = data.arguments?.map(({ name, variadic, required }) => {
    const shown = variadic ? `${name}...` : name;
    return required ? `<${shown}>` : `[${shown}]`;
  });
  command.usage(['[options]', ...(terms ?? [])].join(' '));
  addOptions(command, data.options ?? []);
}

/** Fields of a body are not required by commander, because `--body` can contain them. */
function addArgument(command: Command, data: ArgumentData): void {
  const { name, variadic, place, description, values } = data;
  const shown = variadic ? `${name}...` : name;
  const term = place === 'body' ? `[${shown}]` : `<${shown}>`;
  const argument = new Argument(term, helpText(description));
  if (values) argument.argChoices = [...values];
  command.addArgument(argument);
}

export function addOptions(command: Command, options: readonly OptionData[]): void {
  const existing = new Set(command.options.map(({ long }) => long));
  for (const option of options) {
    if (existing.has(`--${option.flag}`)) continue;
    for (const one of toOptions(option)) command.addOption(one);
  }
}

function toOptions({ flag, type, description, values, required }: OptionData): Option[] {
  const text = `${helpText(description)}${required ? ' (required)' : ''}`;
  if (type === 'boolean') {
    const reverse = new Option(`--no-${flag}`, `not --${flag}`).hideHelp();
    return [markReversible(new Option(`--${flag}`, text)), reverse];
  }
  const option = new Option(`--${flag} ${valueNames[type]}`, text).argParser(collect);
  // For the help and completion only: the service decides which values are valid.
  if (values) option.argChoices = [...values];
  return [option];
}

/** Options of all commands of an operation, as far as they apply to it. */
export function addSharedOptions(
  command: Command,
  data: CommandData,
  traits: { readonly isList: boolean; readonly isBinary: boolean; readonly isWrite: boolean },
): void {
  const add = (flags: string, text: string): Option => {
    const option = new Option(flags, text).helpGroup(commonOptionsHeading);
    command.addOption(option);
    return option;
  };
  if (traits.isList) add('--all', 'all records');
  if (data.body) add('--body <json>', 'fields as JSON; - reads stdin, @file a file');
  if (data.rawBody) add('--body <file>', 'the file to send; - is stdin (default: stdin)');
  const nullable = data.options?.filter((option) => option.nullable) ?? [];
  if (nullable.length > 0) {
    const flags = nullable.map(({ flag }) => flag).join(', ');
    add('--unset <a,b>', `set to null: ${flags}`).argParser(parseCommaList);
  }
  if (data.confirms !== undefined) add('--yes', 'do not ask for confirmation');
  if (traits.isWrite) add('--dry-run', 'print the request without sending it');
  if (data.job) add('--wait', 'wait until the job has ended');
  if (traits.isBinary) add('--output <file>', 'write the result to a file; - is stdout');
  addOutputOptions(command);
}

/** The number of records of a list; pages are read as necessary. */
export const limitOption = (): Option =>
  new Option('--limit <n>', 'the maximum number of records (default: 50)').argParser(parseInteger);

/** The texts that commander has collected. */
export function givenBy(command: Command, data: CommandData): Given {
  const values = command.optsWithGlobals<Record<string, unknown>>();
  const options: Record<string, readonly string[] | boolean> = {};
  for (const { flag } of data.options ?? []) {
    const name = command.options.find(({ long }) => long === `--${flag}`)?.attributeName() ?? flag;
    const value = values[name];
    if (value === undefined) continue;
    if (typeof value === 'boolean' || Array.isArray(value)) options[flag] = value;
    else options[flag] = [String(value)];
  }
  const texts = command.processedArgs.map((value: unknown) => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value : [String(value)];
  });
  const { body, unset } = values as { body?: string; unset?: string[] };
  return { arguments: texts, options, body, unset };
}
