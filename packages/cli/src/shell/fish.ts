import {
  allNodes,
  type CommandNode,
  type OptionNode,
  parentPath,
  pathsOf,
  profileNamesCommand,
  profilePaths,
} from './tree.ts';

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const profileCondition = quote(`__mneme_at ${profilePaths.map(quote).join(' ')}`);

/** A completion script for fish, with descriptions. */
export function fishCompletion(root: CommandNode): string {
  const nodes = allNodes(root).filter(({ path }) => path !== '');
  const valueFlags = root.options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag);
  const lines = [
    ...nodes.map(commandLine),
    ...root.options.map((option) => optionLine(option, '')),
    `complete -c mneme -f -n ${profileCondition} -a '(__mneme_profiles)'`,
    ...nodes.flatMap((node) => node.options.map((option) => optionLine(option, conditionOf(node)))),
  ];
  return `# Completion of mneme for fish. Install it with:
#   mneme completion fish > ~/.config/fish/completions/mneme.fish
function __mneme_words
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- $word ${valueFlags.join(' ')}
      set skip 1
    else if not string match -q -- '-*' $word
      echo $word
    end
  end
end
function __mneme_at
  set -l given (__mneme_words)
  set -l length (count (string split ' ' -- $argv[1]))
  test (count $given) -ge $length; or return 1
  contains -- "$given[1..$length]" $argv
end
function __mneme_ends
  set -l given (__mneme_words)
  contains -- "$given" $argv
end
function __mneme_profiles
  ${profileNamesCommand}
end
complete -c mneme -e
${lines.join('\n')}
`;
}

/** The name of a command, once its noun is typed. */
function commandLine(node: CommandNode): string {
  const condition = quote(`__mneme_ends ${quote(parentPath(node))}`);
  return `complete -c mneme -f -n ${condition} -a ${node.name} -d ${quote(node.summary)}`;
}

const conditionOf = (node: CommandNode): string =>
  ` -n ${quote(`__mneme_at ${pathsOf(node).map(quote).join(' ')}`)}`;

function optionLine(option: OptionNode, condition: string): string {
  const { flag, description, takesValue, values } = option;
  const offered = flag === '--profile' ? '(__mneme_profiles)' : values.join(' ');
  const choices = offered === '' ? '' : ` -x -a ${quote(offered)}`;
  const value = takesValue && choices === '' ? ' -r' : choices;
  return `complete -c mneme${condition} -l ${flag.slice(2)}${value} -d ${quote(description)}`;
}
