import type { Memory } from '@mneme/contract';
import type { Client } from '@mneme/sdk';

export interface HookAnswer {
  readonly status: number;
  readonly body: {
    readonly hookSpecificOutput?: {
      readonly hookEventName: string;
      readonly additionalContext: string;
    };
    readonly systemMessage?: string;
  };
}

/** Sends an event as Claude Code does. */
export async function sendHook(
  { url, key }: { readonly url: string; readonly key: string },
  event: object,
  query = '',
): Promise<HookAnswer> {
  const response = await fetch(`${url}/hooks/claude-code${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      transcript_path: '/projects/shop/transcript.jsonl',
      cwd: '/projects/shop',
      permission_mode: 'default',
      ...event,
    }),
  });
  return { status: response.status, body: (await response.json()) as HookAnswer['body'] };
}

export const promptOf = (session_id: string, prompt: string) => ({
  session_id,
  hook_event_name: 'UserPromptSubmit',
  prompt,
});
export const stopOf = (session_id: string, last_assistant_message: string) => ({
  session_id,
  hook_event_name: 'Stop',
  stop_hook_active: false,
  last_assistant_message,
});
export const endOf = (session_id: string) => ({
  session_id,
  hook_event_name: 'SessionEnd',
  reason: 'prompt_input_exit',
});

export const contextOf = ({ body }: HookAnswer): string =>
  body.hookSpecificOutput?.additionalContext ?? '';

/** Role and content of each turn of the sessions with this name. */
export async function turnsOf(client: Client, session: string): Promise<string[]> {
  const { data } = await client.cliSessions.list({ query: { search: session } });
  const turns: string[] = [];
  for (const { id } of data) {
    const page = await client.cliSessions.memories({ params: { id }, query: { limit: 100 } });
    turns.push(...page.data.map(({ metadata, content }) => `${metadata.role}: ${content}`));
  }
  return turns;
}

/** The contents of memories that are not turns. */
export async function standingMemories(client: Client): Promise<string[]> {
  const { data } = await client.memories.list({ query: { limit: 100 } });
  const isTurn = ({ metadata }: Pick<Memory, 'metadata'>) => metadata.role !== undefined;
  return data.filter((memory) => !isTurn(memory)).map(({ content }) => content);
}
