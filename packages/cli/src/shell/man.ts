import type { CommandNode } from './tree.ts';

/** roff: a dash is a minus sign, and a line must not start with a control character. */
const toRoff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/, '\\&');

const settings: readonly (readonly [name: string, meaning: string])[] = [
  ['MNEME_URL', 'The URL of the service, without /v1.'],
  ['MNEME_API_KEY', 'The API key.'],
  ['MNEME_PROFILE', 'The profile, as with --profile.'],
  ['MNEME_HOST, MNEME_PORT', 'The address of a server on this machine, without MNEME_URL.'],
  ['MNEME_DATA_DIR', 'The data folder of a server on this machine, for its file admin-key.'],
  ['NO_COLOR', 'No colours.'],
  ['PAGER', 'The program that shows long output on a terminal; default: less -FRX.'],
];

const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'Success.'],
  ['1', 'Rejected by the service, no response, no key, a failed job, or errors that were found.'],
  ['2', 'An invalid command, option or argument, or no confirmation; nothing was sent.'],
];

const examples: readonly string[] = [
  'mneme login --profile work --url https://memory.example.com',
  'mneme add "Ana prefers tea over coffee." --tags preference',
  'mneme search "what does Ana drink?" --limit 5',
  'mneme memories list --all --jsonl',
  'mneme memories delete ID --yes',
  'mneme clusters run --wait',
];

/** The manual page mneme(1), in roff. */
export function manPage(root: CommandNode): string {
  const groups = [...new Set(root.commands.map(({ group }) => group))];
  return [
    '.TH MNEME 1\n',
    '.SH NAME\nmneme \\- memory for agents, from the terminal\n',
    '.SH SYNOPSIS\n.B mneme\n[options] <command> [<verb>] [arguments]\n',
    '.SH DESCRIPTION\n',
    'Stores, finds and manages memories of a Mneme server over its HTTP API.\n',
    'mneme help <command> <verb> shows all options of a command.\n',
    '.SH OPTIONS\n',
    ...root.options.map(({ term, description }) => entry(term, description)),
    ...groups.flatMap((group) => [
      `.SH ${toRoff(group.replace(/:$/, '').toUpperCase())}\n`,
      ...root.commands.filter((node) => node.group === group).flatMap(commandEntries),
    ]),
    '.SH ENVIRONMENT\n',
    ...settings.map(([name, meaning]) => entry(name, meaning)),
    '.SH FILES\n',
    entry('~/.config/mneme/config.json', 'Profiles with URLs and keys; in XDG_CONFIG_HOME if set.'),
    '.SH EXIT STATUS\n',
    ...exitCodes.map(([code, meaning]) => entry(code, meaning)),
    '.SH EXAMPLES\n',
    ...examples.map((example) => `.nf\n${toRoff(example)}\n.fi\n`),
  ].join('');
}

const entry = (term: string, text: string): string => `.TP\n.B ${toRoff(term)}\n${toRoff(text)}\n`;

/** A command, and its verbs. */
function commandEntries(node: CommandNode): string[] {
  const own = entry(
    `mneme ${node.path} ${node.argumentTerms}`.trim(),
    `${node.summary}.${optionsOf(node)}`,
  );
  return [own, ...node.commands.flatMap(commandEntries)];
}

function optionsOf({ options }: CommandNode): string {
  const terms = options.filter(({ isHidden }) => !isHidden).map(({ term }) => term);
  return terms.length === 0 ? '' : ` Options: ${terms.join(', ')}.`;
}
