import { callErase } from './commands/erase.ts';
import { describeRecall } from './commands/recall.ts';
import { describeSearch } from './commands/search.ts';
import { resolveSpace } from './commands/spaces.ts';
import type { Variation } from './requests/operation-call.ts';

/** What the code of some operations does differently. */
export const variations: Readonly<Record<string, Variation>> = {
  'search.post': { describe: describeSearch },
  'search.recall': { describe: describeRecall },
  'memories.erase': { call: callErase },
  'spaces.get': { resolve: resolveSpace },
  'spaces.update': { resolve: resolveSpace },
  'spaces.remove': { resolve: resolveSpace },
};
