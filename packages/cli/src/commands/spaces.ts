import type { RequestInput } from '../requests/input.ts';
import type { OperationCall } from '../requests/operation-call.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Replaces the name of a space by its id; an unknown name stays, and the service rejects it. */
export async function resolveSpace({ client, input }: OperationCall): Promise<RequestInput> {
  const name = input.params?.id ?? '';
  if (uuidPattern.test(name)) return input;
  for await (const space of client.spaces.list({ query: { limit: 100 } })) {
    if (space.name === name) return { ...input, params: { id: space.id } };
  }
  return input;
}
