import { allNodes, type CommandNode, pathsOf, profileNamesCommand, profilePaths } from './tree.ts';

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const patternOf = (node: CommandNode): string => pathsOf(node).map(quote).join('|');

const line = (pattern: string, words: string): string =>
  `    ${pattern}) echo ${quote(words)} ;;\n`;

/** A completion script for bash: nouns, verbs, flags, and values of flags with known values. */
export function bashCompletion(root: CommandNode): string {
  const nodes = allNodes(root).filter(({ path }) => path !== '');
  const parents = nodes.filter(({ commands }) => commands.length > 0);
  const valueFlags = root.options.filter(({ takesValue }) => takesValue).map(({ flag }) => flag);
  const verbLines = [
    line("''", namesOf(root)),
    ...parents.map((node) => line(patternOf(node), namesOf(node))),
  ];
  return `# Completion of mneme for bash. Install it with:
#   mneme completion bash > ~/.local/share/bash-completion/completions/mneme
_mneme_verbs() {
  case "$1" in
${verbLines.join('')}  esac
}
_mneme_flags() {
  case "$1" in
${nodes.map((node) => line(patternOf(node), flagsOf(node))).join('')}  esac
}
_mneme_values() {
  case "$1" in
${nodes.flatMap(valueLines).join('')}  esac
}
_mneme_profiles() {
  ${profileNamesCommand}
}
_mneme() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local path='' word words i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case $word in
      ${valueFlags.join('|')}) ((i++)) ;;
      -*) ;;
      *)
        [[ -n $(_mneme_flags "\${path:+$path }$word") ]] || break
        path="\${path:+$path }$word"
        ;;
    esac
  done
  words=$(_mneme_values "$path $prev")
  if [[ $prev == --profile ]]; then
    words=$(_mneme_profiles)
  elif [[ -z $words && $cur == -* ]]; then
    words="$(_mneme_flags "$path") ${root.options.map(({ flag }) => flag).join(' ')}"
  elif [[ -z $words ]]; then
    case $path in
      ${profilePaths.map(quote).join('|')}) words=$(_mneme_profiles) ;;
      *) words=$(_mneme_verbs "$path") ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _mneme mneme
`;
}

const namesOf = ({ commands }: CommandNode): string => commands.map(({ name }) => name).join(' ');

/** Never empty, so that the script recognizes a command without options. */
const flagsOf = ({ options }: CommandNode): string =>
  [...options.map(({ flag }) => flag), '--help'].join(' ');

const valueLines = (node: CommandNode): string[] =>
  node.options
    .filter(({ values }) => values.length > 0)
    .map(({ flag, values }) => {
      const patterns = pathsOf(node).map((path) => quote(`${path} ${flag}`));
      return line(patterns.join('|'), values.join(' '));
    });
