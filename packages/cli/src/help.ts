import { type Command, Help, type HelpConfiguration, type Option } from 'commander';

const reversible = new WeakSet<Option>();

/** Marks an option that has a second one with `--no-`. */
export function markReversible(option: Option): Option {
  reversible.add(option);
  return option;
}

/** `<id> [text]`: the usage of a command without its name and options. */
export const argumentTerms = (command: Command): string =>
  command
    .usage()
    .replaceAll(/\[(?:options|command)\]/g, '')
    .replace(/ +/g, ' ')
    .trim();

/** `--[no-]pinned` for an option that can be reversed. */
export const optionTerm = (option: Option): string =>
  reversible.has(option) ? option.flags.replace('--', '--[no-]') : option.flags;

/** How the help shows commands and options. */
export const helpConfiguration: HelpConfiguration = {
  subcommandTerm: (command) => `${command.name()} ${argumentTerms(command)}`.trim(),
  optionTerm,
  // The help of the program has its options in the text after the commands, which come first.
  visibleOptions(command) {
    return command.parent === null ? [] : Help.prototype.visibleOptions.call(this, command);
  },
};
