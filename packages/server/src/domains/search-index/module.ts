import { hourSeconds, type Module } from '../module.ts';
import { positionCheck, tombstoneCheck } from './checks.ts';
import { compactIndex, compactIndexKind, eraseDocuments } from './write.ts';

export const indexModule = {
  name: 'search-index',
  jobs: {
    [compactIndexKind]: { run: compactIndex, backoffSeconds: [60] },
  },
  schedules: [{ kind: compactIndexKind, everySeconds: hourSeconds }],
  checks: [positionCheck, tombstoneCheck],
  eraseAccount: eraseDocuments,
} satisfies Module;
