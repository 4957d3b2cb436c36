import type { ErrorCode } from '@mneme/contract';
import type { Row } from './row.ts';
import { clusters } from './rows/clusters.ts';
import { credentials } from './rows/credentials.ts';
import { inside } from './rows/inside.ts';
import { knowledge } from './rows/knowledge.ts';
import { limits } from './rows/limits.ts';
import { media } from './rows/media.ts';
import { relationships } from './rows/relationships.ts';
import { requests } from './rows/requests.ts';
import { resources } from './rows/resources.ts';
import { search } from './rows/search.ts';
import { sessions } from './rows/sessions.ts';
import { webhooks } from './rows/webhooks.ts';

/** Every way to every error that there is. */
export const table: readonly Row[] = [
  ...credentials,
  ...requests,
  ...resources,
  ...sessions,
  ...relationships,
  ...knowledge,
  ...clusters,
  ...search,
  ...media,
  ...webhooks,
  ...limits,
  ...inside,
];

/** Published codes that no route can answer yet, with the area that brings them. */
export const awaited: Partial<Record<ErrorCode, string>> = {};
