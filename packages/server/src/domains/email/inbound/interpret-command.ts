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

/** What a mail asks for: by its subject, or by the first line of its body where that is empty. */
export function interpretCommand(subject: string, body: string): InterpretedCommand {
  const isSilent = stripReplyPrefixes(subject) === '';
  const [first = '', ...rest] = body.split('\n');
  const parsed = parseCommand(isSilent ? first : subject);
  if ('misread' in parsed) return parsed;
  const { intent, isCommand } = parsed;
  if (isSilent && !isCommand) {
    return { intent: { ...intent, ...noMarkers }, method: 'default', content: body.trim() };
  }
  const left = isSilent ? rest.join('\n').trim() : body.trim();
  // Questions are short: what stands below one is most often a signature.
  const isShort = intent.command !== 'store' && intent.content !== '';
  const content = isShort ? intent.content : [intent.content, left].filter(Boolean).join('\n\n');
  const method = isCommand ? (isSilent ? 'body' : 'subject') : 'default';
  return { intent, method, content };
}

const noMarkers = { space: null, tags: [], priority: null };
