import type { MailCommand } from '@mneme/contract';

/** Replies are plain text, because they quote untrusted content. */

const commandHelp: Readonly<Record<MailCommand, string>> = {
  store: 'store: text @space #tag p7   stores the text and the body ("store:" is optional)',
  search: 'search: words                finds memories',
  recall: 'recall: question             returns the context for a question',
  forget: 'forget: words                finds a memory and deletes it after confirmation',
  help: 'help                         returns this help',
  stop: 'stop                         unsubscribes you from reactions and digests',
};

export const helpText = [
  'Write a command in the subject. Mail without a command is stored:',
  '',
  ...Object.values(commandHelp).map((line) => `  ${line}`),
  '',
  'At the end of the text, add @name for a space, #name for a tag, p0 to p10 for the priority.',
  'Quote a name with spaces: @"my notes". A backslash before a marker makes it plain text.',
].join('\n');

export const misunderstoodText = (what: string): string =>
  [`The command was not understood: ${what}.`, 'Nothing was changed.', '', helpText].join('\n');

const excerptCharactersMax = 300;

export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= excerptCharactersMax) return line;
  return `${characters.slice(0, excerptCharactersMax - 1).join('')}…`;
}
