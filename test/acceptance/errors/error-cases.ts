import type { ErrorCode } from '@mneme/contract';
import { clusters } from './cases/clusters.ts';
import { credentials } from './cases/credentials.ts';
import { internalErrors } from './cases/internal.ts';
import { knowledge } from './cases/knowledge.ts';
import { limits } from './cases/limits.ts';
import { media } from './cases/media.ts';
import { relationships } from './cases/relationships.ts';
import { requests } from './cases/requests.ts';
import { resources } from './cases/resources.ts';
import { search } from './cases/search.ts';
import { sessions } from './cases/sessions.ts';
import { webhooks } from './cases/webhooks.ts';
import type { ErrorCase } from './error-case.ts';

/** Every way to every error that there is. */
export const errorCases: readonly ErrorCase[] = [
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
  ...internalErrors,
];

/** Published codes that no route can answer yet, with the area that brings them. */
export const unreachableCodes: Partial<Record<ErrorCode, string>> = {};
