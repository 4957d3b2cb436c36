import type { Client } from '@mneme/sdk';
import { CliError } from '../errors.ts';
import type { RequestInput } from '../requests/input.ts';
import type { OperationCall } from '../requests/operation-call.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Replaces the name of a space by its id; an unknown name stays, and the service rejects it. */
export async function resolveSpace({ client, input }: OperationCall): Promise<RequestInput> {
  const name = input.params?.id ?? '';
  if (uuidPattern.test(name)) return input;
  const id = await findSpaceId(client, name);
  return id === null ? input : { ...input, params: { id } };
}

/** Ids and "default" stay; names become ids. Throws CliError `space_not_found`. */
export async function toSpaceIds(client: Client, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of texts) {
    const isId = text === 'default' || uuidPattern.test(text);
    const id = isId ? text : await findSpaceId(client, text);
    if (id === null) {
      const advice = 'mneme spaces list shows the spaces, mneme spaces create adds one.';
      throw new CliError('space_not_found', `There is no space ${text}: ${advice}`);
    }
    ids.push(id);
  }
  return ids;
}

async function findSpaceId(client: Client, name: string): Promise<string | null> {
  for await (const space of client.spaces.list({ query: { limit: 100 } })) {
    if (space.name === name) return space.id;
  }
  return null;
}
