import type { Client, Space } from '@mneme/sdk';
import { queryOptions } from '@tanstack/react-query';

/** More spaces than anybody selects from a list. */
const spacesMax = 1_000;

export const spacesQuery = (client: Client) =>
  queryOptions({
    queryKey: ['spaces'],
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const spaces: Space[] = [];
      for await (const space of client.spaces.list({ query: { limit: 100 } }, { signal })) {
        spaces.push(space);
        if (spaces.length >= spacesMax) break;
      }
      return spaces.toSorted((a, b) => a.name.localeCompare(b.name));
    },
  });

export const accountQuery = (client: Client) =>
  queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => client.account.get({}, { signal }),
  });

export const keysQuery = (client: Client) =>
  queryOptions({
    queryKey: ['keys'],
    queryFn: ({ signal }) => client.keys.list({ query: { limit: 100 } }, { signal }),
  });

/** Browsers that are signed in, and tokens of programs. */
export const sessionsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => client.auth.listTokens({ query: { limit: 100 } }, { signal }),
  });
