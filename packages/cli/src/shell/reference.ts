import type { CommandNode } from './tree.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Options that the text above the tables explains. */
const sharedFlags = new Set(['--json', '--jsonl']);

/** The reference of all commands, in Markdown. */
export function referencePage(root: CommandNode, note: string): string {
  const groups = [...new Set(root.commands.map(({ group }) => group))];
  return [
    `# Commands of mneme\n\n${note}\n\n`,
    '[The overview](../packages/cli/README.md) starts with tasks. Every command has `--help`,\n',
    '`--profile <name>`, `--server <url>` and `--no-pager`; most have `--json` and `--jsonl`.\n',
    '`mneme help <command> <verb>` explains the options. `--no-` reverses an option without a\n',
    'value, such as `--no-pinned`.\n',
    ...groups.flatMap((group) => [
      `\n## ${group.replace(/:$/, '')}\n\n`,
      '| command | what it does | options |\n| --- | --- | --- |\n',
      ...root.commands.filter((node) => node.group === group).flatMap(rows),
    ]),
  ].join('');
}

function rows(node: CommandNode): string[] {
  const isPlainNoun = node.commands.length > 0 && node.options.length === 0;
  const options = node.options
    .filter(({ flag, isHidden }) => !sharedFlags.has(flag) && !isHidden)
    .map(({ term }) => `\`${cell(term)}\``)
    .join(' ');
  const usage = cell(`mneme ${node.path} ${node.argumentTerms}`.trim());
  const own = `| \`${usage}\` | ${cell(node.summary)} | ${options} |\n`;
  return [...(isPlainNoun ? [] : [own]), ...node.commands.flatMap(rows)];
}
