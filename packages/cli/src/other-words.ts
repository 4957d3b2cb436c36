import type { Command } from 'commander';

/**
 * Commands by the words that people type for them: `word`, `noun word` or `noun verb word`. A word
 * is an unknown command or an unknown option.
 */
export const commandsOfOtherWords: Readonly<Record<string, string>> = {
  list: 'memories list',
  ls: 'memories list',
  get: 'memories get <id>',
  show: 'memories get <id>',
  update: 'memories update <id>',
  edit: 'memories update <id>',
  tag: 'memories bulk-tags <id> --add <a,b>',
  pin: 'memories pin <id>',
  delete: 'memories delete <id>',
  rm: 'memories delete <id>',
  forget: 'memories delete <id>',
  erase: 'memories erase',
  outdated: 'memories list --outdated',
  deleted: 'memories list --include-deleted',
  trash: 'memories list --include-deleted',
  store: 'add <text>',
  remember: 'add <text>',
  upload: 'add --file <path>',
  find: 'search <query>',
  query: 'search <query>',
  context: 'recall <query>',
  link: 'relationships create <memory-id> <target-id> --type <text>',
  links: 'relationships list <memory-id>',
  entity: 'knowledge list --q <text>',
  entities: 'knowledge list',
  facts: 'knowledge facts <id>',
  usage: 'account',
  limits: 'account',
  whoami: 'account',
  status: 'health',
  watch: 'events --follow',
  follow: 'events --follow',
  'memories tag': 'memories bulk-tags <id> --add <a,b>',
  'memories outdated': 'memories list --outdated',
  'memories deleted': 'memories list --include-deleted',
  'memories list --deleted': 'memories list --include-deleted',
  'memories update --add-tag': 'memories bulk-tags <id> --add <a,b>',
  'memories update --add-tags': 'memories bulk-tags <id> --add <a,b>',
  'memories update --text': 'memories update <id> --content <text>',
  'sessions start': 'sessions create <name>',
  'sessions new': 'sessions create <name>',
  'sessions add': 'sessions post-messages <id> <messages>',
  'sessions post': 'sessions post-messages <id> <messages>',
  'clusters make': 'clusters run --wait',
  'clusters build': 'clusters run --wait',
  'media upload': 'add --file <path>',
  'media list': 'memories list --content-type audio',
  'webhooks deliveries': 'deliveries list <webhook-id>',
  'account usage': 'account',
  'account limits': 'account',
  'login --key': 'login < key.txt',
  'keys create --read-only': 'keys create --scopes memories:read,search:read',
};

/** The command that was typed, as far as it is known. */
function typedCommand(program: Command): Command {
  let command = program;
  for (const word of program.args) {
    const found = command.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
    if (!found) break;
    command = found;
  }
  return command;
}

/** `memories list`; empty for the program. */
const pathOf = (command: Command): string[] =>
  command.parent === null ? [] : [...pathOf(command.parent), command.name()];

/** A line that says what is meant by an unknown word, or what an option needs. */
export function hintFor(program: Command, message: string): string | null {
  const typed = typedCommand(program);
  const [, word] = /^unknown (?:command|option) '([^']+)'$/.exec(message) ?? [];
  const key = [...pathOf(typed), word].join(' ');
  const meant = Object.hasOwn(commandsOfOtherWords, key) ? commandsOfOtherWords[key] : undefined;
  if (meant !== undefined) return `(Did you mean mneme ${meant}?)`;
  const [, flag] = /^option '(--[\w-]+) .*' argument missing$/.exec(message) ?? [];
  const values = typed.options.find(({ long }) => long === flag)?.argChoices;
  return values ? `(Values: ${values.join(', ')})` : null;
}
