import { type MailCommand, mailCommands, type ParsedIntent } from '@mneme/contract';

/**
 * The grammar of commands:
 *
 *   subject  = [replies] [command ":"] text markers
 *   markers  = { " " ( "@" name | "#" name | "p" 0..10 ) }, only at the end of the text
 *   name     = characters without spaces, or quoted: "two words"
 *
 * A backslash escapes a marker. `help` and `stop` need no colon.
 */
export interface CommandIntent {
  readonly command: MailCommand;
  readonly content: string;
  readonly space: string | null;
  readonly tags: readonly string[];
  readonly priority: number | null;
}

export type CommandParseResult =
  | { readonly intent: CommandIntent; readonly isCommand: boolean }
  /** The ambiguous text: a misspelled command or a duplicate marker. */
  | { readonly misread: string };

const priorityMax = 10;
/** The marker at the end of a text, unless a backslash precedes it. */
const marker = /(?:^|\s)(?:([@#])(?:"((?:[^"\\]|\\.){1,255})"|([^\s"\\@#]\S{0,254}))|p(\d{1,2}))$/u;
const escaped = /(?:^|\s)\\[@#p\\]\S*$/u;
const replyPrefixes = /^(?:(?:re|aw|sv|antw|vs|odp|ynt|fwd?|wg|tr|rv|i)(?:\[\d+\])?\s*:\s*)+/i;
const commandPattern = /^([a-z]{2,12})\s*:\s*([\s\S]*)$/i;

export const stripReplyPrefixes = (subject: string): string =>
  subject.trim().replace(replyPrefixes, '');

/** Linear in the length of the text, since markers are matched only at its end. */
export function parseCommand(text: string): CommandParseResult {
  const subject = stripReplyPrefixes(text);
  const bareCommand = /^(?:help|stop)$/i.exec(subject);
  if (bareCommand)
    return {
      intent: plainIntent(bareCommand[0].toLowerCase() as MailCommand, ''),
      isCommand: true,
    };
  const [, word = '', rest = ''] = commandPattern.exec(subject) ?? [];
  const command = mailCommands.find((name) => name === word.toLowerCase());
  if (command === undefined && isNearCommand(word.toLowerCase())) return { misread: `"${word}:"` };
  const parsed = parseMarkers(command === undefined ? subject : rest);
  if ('misread' in parsed) return parsed;
  return { intent: { command: command ?? 'store', ...parsed }, isCommand: command !== undefined };
}

const plainIntent = (command: MailCommand, content: string): CommandIntent => ({
  command,
  content,
  space: null,
  tags: [],
  priority: null,
});

function parseMarkers(text: string): Omit<CommandIntent, 'command'> | { misread: string } {
  let remaining = text.trim();
  const tags: string[] = [];
  let space: string | null = null;
  let priority: number | null = null;
  for (let match = lastMarker(remaining); match !== null; match = lastMarker(remaining)) {
    const { kind, name, from } = match;
    if (kind === '#') tags.unshift(name);
    else if (kind === '@') {
      if (space !== null) return { misread: `@${name} and @${space}` };
      space = name;
    } else {
      if (priority !== null) return { misread: `p${name} and p${priority}` };
      priority = Number(name);
    }
    remaining = remaining.slice(0, from).trimEnd();
  }
  return { content: unescapeLastWord(remaining), space, tags: [...new Set(tags)], priority };
}

interface Marker {
  readonly kind: '@' | '#' | 'p';
  readonly name: string;
  readonly from: number;
}

const tailCharacters = 600;

function lastMarker(text: string): Marker | null {
  const start = Math.max(0, text.length - tailCharacters);
  const match = marker.exec(text.slice(start));
  if (!match) return null;
  const [, sign, quoted, bare, digits] = match;
  const from = start + match.index;
  if (sign === '@' || sign === '#') {
    const name = quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/gu, '$1');
    return { kind: sign, name, from };
  }
  const priority = Number(digits);
  return priority <= priorityMax ? { kind: 'p', name: String(priority), from } : null;
}

/** Only the last word can have an escaped marker. */
const unescapeLastWord = (text: string): string =>
  escaped.test(text) ? text.replace(/(^|\s)\\(\S*)$/u, '$1$2') : text;

/** One typing error away from a command. */
function isNearCommand(word: string): boolean {
  if (word.length < 4) return false;
  return mailCommands.some((command) => command !== word && isOneEditApart(word, command));
}

function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  const swapped = a.slice(0, from) + (a[from + 1] ?? '') + (a[from] ?? '') + a.slice(from + 2);
  return (
    a.slice(from + 1) === b.slice(from + 1) ||
    a.slice(from + 1) === b.slice(from) ||
    a.slice(from) === b.slice(from + 1) ||
    swapped === b
  );
}

/** The inverse of parseCommand. */
export function formatCommand({ command, content, space, tags, priority }: CommandIntent): string {
  const name = (text: string): string =>
    /^[^\s"\\@#]\S{0,254}$/u.test(text) ? text : `"${text.replaceAll(/["\\]/gu, '\\$&')}"`;
  return [
    `${command}:`,
    endsLikeMarker(content) ? content.replace(/(^|\s)(\S*)$/u, '$1\\$2') : content,
    ...(space === null ? [] : [`@${name(space)}`]),
    ...tags.map((tag) => `#${name(tag)}`),
    ...(priority === null ? [] : [`p${priority}`]),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const endsLikeMarker = (content: string): boolean =>
  /(?:^|\s)[@#p\\]\S*$/u.test(content) || lastMarker(content) !== null;

export const presentIntent = (
  intent: CommandIntent,
  method: ParsedIntent['method'],
  content: string,
): ParsedIntent => ({
  command: intent.command,
  content,
  metadata: { space: intent.space, tags: [...intent.tags], priority: intent.priority },
  method,
});
