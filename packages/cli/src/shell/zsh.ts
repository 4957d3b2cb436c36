import { allNodes, type CommandNode, pathsOf, profileNamesCommand, profilePaths } from './tree.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const patternOf = (node: CommandNode): string =>
  node.path === '' ? "''" : pathsOf(node).map(quote).join('|');

/** `name:description`, as _describe reads it. */
const item = (name: string, description: string): string =>
  quote(`${name.replaceAll(':', '\\:')}:${description}`);

const line = (pattern: string, items: readonly string[]): string =>
  `    ${pattern}) reply=(${items.join(' ')}) ;;\n`;

const profileFunction = `_mneme_profiles() {
  ${profileNamesCommand}
}
`;

/** The path and the word before the one that is completed. */
const profilePattern = profilePaths
  .map((path) => quote(`${path} ${path.split(' ').at(-1)}`))
  .join('|');

/** A completion script for zsh, with descriptions. */
export function zshCompletion(root: CommandNode): string {
  const nodes = allNodes(root);
  const parents = nodes.filter(({ commands }) => commands.length > 0);
  const valueFlags = root.options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag);
  return `#compdef mneme
# Completion of mneme for zsh. Install it in a folder of $fpath with:
#   mneme completion zsh > _mneme
_mneme_verbs() {
  case "$1" in
${parents.map((node) => line(patternOf(node), verbItems(node))).join('')}    *) reply=() ;;
  esac
}
_mneme_flags() {
  case "$1" in
${nodes.map((node) => line(patternOf(node), flagItems(node))).join('')}    *) reply=() ;;
  esac
}
_mneme_values() {
  case "$1" in
${nodes.flatMap(valueLines).join('')}    *) reply=() ;;
  esac
}
${profileFunction}_mneme() {
  local where='' word
  local -a reply
  integer i
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    case $word in
      ${valueFlags.join('|')}) ((i++)) ;;
      -*) ;;
      *)
        _mneme_flags "\${where:+$where }$word"
        (( \${#reply} )) || break
        where="\${where:+$where }$word"
        ;;
    esac
  done
  case "$where \${words[CURRENT-1]}" in
    *' --profile'|${profilePattern})
      reply=(\${(f)"$(_mneme_profiles)"})
      compadd -- $reply
      return ;;
  esac
  _mneme_values "$where \${words[CURRENT-1]}"
  if (( \${#reply} )); then
    compadd -- $reply
    return
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    _mneme_flags "$where"
    _describe option reply
    return
  fi
  _mneme_verbs "$where"
  if (( \${#reply} )); then
    _describe command reply
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _mneme ]]; then
  _mneme "$@"
else
  compdef _mneme mneme
fi
`;
}

const verbItems = ({ commands }: CommandNode): string[] =>
  commands.map(({ name, summary }) => item(name, summary));

const flagItems = ({ options }: CommandNode): string[] => [
  ...options.map(({ flag, description }) => item(flag, description)),
  item('--help', 'show the help'),
];

const valueLines = (node: CommandNode): string[] =>
  node.options
    .filter(({ values }) => values.length > 0)
    .map(({ flag, values }) => {
      const patterns = pathsOf(node).map((path) => quote(`${path} ${flag}`));
      return line(patterns.join('|'), values.map(quote));
    });
