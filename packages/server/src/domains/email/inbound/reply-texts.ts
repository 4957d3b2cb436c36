import type { MailCommand } from '@mneme/contract';

/** What answers say; plain texts, since what they quote is anybody's. */

const commandHelp: Readonly<Record<MailCommand, string>> = {
  store: 'store: text @space #tag p7   keeps the text and the body (also without "store:")',
  search: 'search: words                finds memories',
  recall: 'recall: question             gives the context for a question',
  forget: 'forget: words                finds the memory, and asks before it is forgotten',
  help: 'help                         sends this',
  stop: 'stop                         sends you no reactions and no digests any more',
};

export const helpText = [
  'Write a command in the subject, or none to keep what you write:',
  '',
  ...Object.values(commandHelp).map((line) => `  ${line}`),
  '',
  'At the end of the text @name names a space, #name a tag, and p0 to p10 the priority.',
  'A name of several words goes in quotes: @"my notes". A backslash keeps a mark as text.',
].join('\n');

export const misunderstoodText = (what: string): string =>
  [`It was not understood: ${what}.`, 'Nothing was done.', '', helpText].join('\n');

const excerptCharactersMax = 300;

export function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= excerptCharactersMax) return line;
  return `${characters.slice(0, excerptCharactersMax - 1).join('')}…`;
}
