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

/** The noun and the verb that were typed, by their own names. */
function typedPath(program: Command): string[] {
  const path: string[] = [];
  let parent = program;
  for (const word of program.args) {
    const found = parent.commands.find((one) => [one.name(), ...one.aliases()].includes(word));
    if (!found) break;
    path.push(found.name());
    parent = found;
  }
  return path;
}

/** The command that is meant by an unknown word, if it is known. */
export function suggestCommand(program: Command, message: string): string | null {
  const [, word] = /^unknown (?:command|option) '([^']+)'$/.exec(message) ?? [];
  if (word === undefined) return null;
  const key = [...typedPath(program), word].join(' ');
  return Object.hasOwn(commandsOfOtherWords, key) ? (commandsOfOtherWords[key] ?? null) : null;
}
