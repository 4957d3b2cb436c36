/** A node of a LangGraph graph that keeps what it learns about its users. */
import type { BaseStore } from '@langchain/langgraph-checkpoint';
import type { Client } from '@mneme/sdk';
import { MnemeStore } from '@mneme/sdk/langgraph';

/** The store for `builder.compile({ store })`. */
export const createStore = (client: Client): BaseStore =>
  new MnemeStore({ client, scope: { agent_id: 'cook' }, index: ['text'] });

interface State {
  readonly message: string;
}

/**
 * A node: it recalls what is near to the message, asks a model, and stores what the model notes.
 * @param model any chat model; here a function from a prompt to a note about the user
 */
export async function note(
  { message }: State,
  config: { readonly store: BaseStore; readonly configurable: { readonly userId: string } },
  model: (prompt: string) => Promise<string>,
): Promise<{ known: string[] }> {
  const namespace = ['users', config.configurable.userId, 'notes'];
  const items = await config.store.search(namespace, { query: message, limit: 3 });
  const known = items.map(({ value }) => String(value.text));
  const text = await model(`Known: ${known.join(' ')}\nMessage: ${message}\nNote the essential.`);
  await config.store.put(namespace, message, { text });
  return { known };
}
