/** An agent of OpenAI Agents whose conversations are kept in Mneme. */
import type { Client } from '@mneme/sdk';
import { MnemeSession } from '@mneme/sdk/openai-agents';
import { Agent, type Model, Runner } from '@openai/agents-core';

/** Answers one message of a conversation, with all that was said in it before. */
export async function answer(
  client: Client,
  model: Model,
  conversation: { readonly userId: string; readonly id: string },
  message: string,
): Promise<string> {
  const scope = { user_id: conversation.userId };
  const session = new MnemeSession({ client, sessionId: conversation.id, scope });
  const agent = new Agent({ name: 'Cook', instructions: 'Be brief.', model });
  const runner = new Runner({ tracingDisabled: true });
  const result = await runner.run(agent, message, { session });
  return String(result.finalOutput);
}
