import type { Command } from 'commander';
import { argumentTerms, optionTerm } from '../help.ts';

/** The commands as data, for completion scripts and documents. */
export interface CommandNode {
  /** Names from the first level on, such as `memories list`; empty for the program. */
  readonly path: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
  readonly summary: string;
  /** Such as `<id> [text]`. */
  readonly argumentTerms: string;
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** `--limit` */
  readonly flag: string;
  /** `--limit <n>` */
  readonly term: string;
  readonly description: string;
  /** The reverse of another option. */
  readonly isHidden: boolean;
  readonly takesValue: boolean;
  readonly values: readonly string[];
}

/** Reads complete commands. */
export function toTree(command: Command, path = ''): CommandNode {
  return {
    path,
    name: command.name(),
    aliases: command.aliases(),
    group: command.helpGroup(),
    summary: (command.summary() || command.description()).split('\n')[0] ?? '',
    argumentTerms: argumentTerms(command),
    options: command.options.map((option) => ({
      flag: option.long ?? option.flags,
      term: optionTerm(option).replace(/^-\w, /, ''),
      // The first sentence: a completion has one line.
      description: option.description.split(/[.;:] /)[0] ?? '',
      isHidden: option.hidden,
      takesValue: option.required || option.optional,
      values: option.argChoices ?? [],
    })),
    commands: command.commands.map((one) => toTree(one, `${path} ${one.name()}`.trim())),
  };
}

/** Prints the names of the stored profiles, in each of the shells. */
export const profileNamesCommand = String.raw`command mneme profiles list --jsonl 2>/dev/null |
    sed -n 's/^{"name":"\([^"]*\)".*/\1/p'`;

/** The commands whose argument is the name of a profile. */
export const profilePaths = ['profiles use', 'profiles delete', 'profiles rm'] as const;

/** The node and all commands below it. */
export const allNodes = (node: CommandNode): readonly CommandNode[] => [
  node,
  ...node.commands.flatMap(allNodes),
];

/** The path of the noun; empty on the first level. */
export const parentPath = ({ path, name }: CommandNode): string =>
  path.slice(0, path.length - name.length).trim();

/** Every way to type the path: with the aliases of its last name. */
export function pathsOf(node: CommandNode): readonly string[] {
  const parent = parentPath(node);
  return [node.name, ...node.aliases].map((name) => `${parent} ${name}`.trim());
}
