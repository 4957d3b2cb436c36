import type { ParsedIntent } from '@mneme/contract';
import { type CommandIntent, parseCommand, stripReplyPrefixes } from './grammar.ts';

export type InterpretedCommand =
  | {
      readonly intent: CommandIntent;
      readonly method: ParsedIntent['method'];
      /** The subject's text, a blank line, and the body. */
      readonly content: string;
    }
  | { readonly misread: string };

/** Parses the command in the subject or, if that is empty, in the first line of the body. */
export function interpretCommand(subject: string, body: string): InterpretedCommand {
  const isSubjectEmpty = stripReplyPrefixes(subject) === '';
  const [first = '', ...rest] = body.split('\n');
  const parsed = parseCommand(isSubjectEmpty ? first : subject);
  if ('misread' in parsed) return parsed;
  const { intent, isCommand } = parsed;
  if (isSubjectEmpty && !isCommand) {
    return { intent: { ...intent, ...noMarkers }, method: 'default', content: body.trim() };
  }
  const bodyText = isSubjectEmpty ? rest.join('\n').trim() : body.trim();
  // The body below a query is usually a signature.
  const isShort = intent.command !== 'store' && intent.content !== '';
  const content = isShort
    ? intent.content
    : [intent.content, bodyText].filter(Boolean).join('\n\n');
  const method = isCommand ? (isSubjectEmpty ? 'body' : 'subject') : 'default';
  return { intent, method, content };
}

const noMarkers = { space: null, tags: [], priority: null };
