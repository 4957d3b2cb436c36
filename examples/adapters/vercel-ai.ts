/** A chat with the Vercel AI SDK that remembers its user. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Client } from '@mneme/sdk';
import { mnemeMiddleware } from '@mneme/sdk/vercel-ai';
import { generateText, wrapLanguageModel } from 'ai';

/**
 * Answers one message, with what the user said in any earlier conversation.
 * @param model any model of the AI SDK, such as `openai('gpt-5')`
 */
export async function answer(
  client: Client,
  model: LanguageModelV4,
  userId: string,
  prompt: string,
): Promise<string> {
  const remembering = wrapLanguageModel({
    model,
    middleware: mnemeMiddleware({
      client,
      scope: { user_id: userId },
      maxTokens: 800,
      onError: console.warn,
    }),
  });
  const { text } = await generateText({ model: remembering, instructions: 'Be brief.', prompt });
  return text;
}
