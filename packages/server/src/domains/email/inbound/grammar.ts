import { type MailCommand, mailCommands, type ParsedIntent } from '@mneme/contract';

/**
 * The grammar of commands:
 *
 *   subject  = [replies] [command ":"] text markers
 *   markers  = { " " ( "@" name | "#" name | "p" 0..10 ) }, the run at the end of the text
 *   name     = letters without space, or quoted: "two words"
 *
 * A backslash before a marker keeps it text. `help` and `stop` may stand alone.
 */
export interface CommandIntent {
  readonly command: MailCommand;
  readonly content: string;
  readonly space: string | null;
  readonly tags: readonly string[];
  readonly priority: number | null;
}

export type ParseResult =
  | { readonly intent: CommandIntent; readonly isCommand: boolean }
  /** What was meant cannot be told: the word that is nearly a command, or a doubled marker. */
  | { readonly misread: string };

const priorityMax = 10;
/** The last of a text, unless a backslash stands before it. */
const marker = /(?:^|\s)(?:([@#])(?:"((?:[^"\\]|\\.){1,255})"|([^\s"\\@#]\S{0,254}))|p(\d{1,2}))$/u;
const escaped = /(?:^|\s)\\[@#p\\]\S*$/u;
const replyPrefixes = /^(?:(?:re|aw|sv|antw|vs|odp|ynt|fwd?|wg|tr|rv|i)(?:\[\d+\])?\s*:\s*)+/i;
const commandPattern = /^([a-z]{2,12})\s*:\s*([\s\S]*)$/i;

export const stripReplyPrefixes = (subject: string): string =>
  subject.trim().replace(replyPrefixes, '');

/** Linear in the length of the text: each marker is looked for at its end alone. */
export function parseCommand(text: string): ParseResult {
  const said = stripReplyPrefixes(text);
  const alone = /^(?:help|stop)$/i.exec(said);
  if (alone)
    return { intent: plainIntent(alone[0].toLowerCase() as MailCommand, ''), isCommand: true };
  const [, word = '', rest = ''] = commandPattern.exec(said) ?? [];
  const command = mailCommands.find((one) => one === word.toLowerCase());
  if (command === undefined && isNearCommand(word.toLowerCase())) return { misread: `"${word}:"` };
  const read = parseMarkers(command === undefined ? said : rest);
  if ('misread' in read) return read;
  return { intent: { command: command ?? 'store', ...read }, isCommand: command !== undefined };
}

const plainIntent = (command: MailCommand, content: string): CommandIntent => ({
  command,
  content,
  space: null,
  tags: [],
  priority: null,
});

function parseMarkers(text: string): Omit<CommandIntent, 'command'> | { misread: string } {
  let left = text.trim();
  const tags: string[] = [];
  let space: string | null = null;
  let priority: number | null = null;
  for (let found = lastMarker(left); found !== null; found = lastMarker(left)) {
    const { kind, name, from } = found;
    if (kind === '#') tags.unshift(name);
    else if (kind === '@') {
      if (space !== null) return { misread: `@${name} and @${space}` };
      space = name;
    } else {
      if (priority !== null) return { misread: `p${name} and p${priority}` };
      priority = Number(name);
    }
    left = left.slice(0, from).trimEnd();
  }
  return { content: unescapeLastWord(left), space, tags: [...new Set(tags)], priority };
}

interface Marker {
  readonly kind: '@' | '#' | 'p';
  readonly name: string;
  readonly from: number;
}

const tailCharacters = 600;

function lastMarker(text: string): Marker | null {
  const start = Math.max(0, text.length - tailCharacters);
  const found = marker.exec(text.slice(start));
  if (!found) return null;
  const [, sign, quoted, bare, digits] = found;
  const from = start + found.index;
  if (sign === '@' || sign === '#') {
    const name = quoted === undefined ? (bare ?? '') : quoted.replaceAll(/\\(.)/gu, '$1');
    return { kind: sign, name, from };
  }
  const priority = Number(digits);
  return priority <= priorityMax ? { kind: 'p', name: String(priority), from } : null;
}

/** Of the last word alone: further back no marker is looked for. */
const unescapeLastWord = (text: string): string =>
  escaped.test(text) ? text.replace(/(^|\s)\\(\S*)$/u, '$1$2') : text;

/** A slip of one letter. */
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

/** The subject that says an intent: what parseCommand makes of it is the intent again. */
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
