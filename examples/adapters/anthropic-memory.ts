/** Claude with its memory tool, whose files are memories of Mneme. */
import type Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { Client } from '@mneme/sdk';
import { MnemeMemoryTool } from '@mneme/sdk/anthropic-memory';

/** Answers one message; the model reads and writes the files of the user on its own. */
export async function answer(
  client: Client,
  anthropic: Anthropic,
  model: string,
  userId: string,
  content: string,
): Promise<string> {
  const files = new MnemeMemoryTool({ client, scope: { user_id: userId } });
  const message = await anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 1_024,
    betas: ['context-management-2025-06-27'],
    tools: [betaMemoryTool(files)],
    messages: [{ role: 'user', content }],
  });
  return message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}
