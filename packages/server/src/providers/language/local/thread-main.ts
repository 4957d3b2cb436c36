import {
  extractEntitiesAndFacts,
  findSpeakerFacts,
  findStatements,
  type SourceText,
} from '@mneme/extraction';
import { handleThreadRequests } from '../../../kernel/worker-thread.ts';
import type { TextPair } from './updates/find-outdated.ts';
import { type PairNetwork, readPairNetwork } from './updates/pair-network.ts';

/** What the thread is asked for. */
export type AnalysisRequest =
  | { readonly kind: 'extract'; readonly source: SourceText }
  | { readonly kind: 'statements'; readonly text: string }
  | { readonly kind: 'speaker'; readonly text: string }
  | { readonly kind: 'judge'; readonly pairs: readonly TextPair[] };

let network: Promise<PairNetwork> | undefined;

handleThreadRequests<AnalysisRequest>(async (request) => {
  if (request.kind === 'extract') return extractEntitiesAndFacts(request.source);
  if (request.kind === 'statements') return findStatements(request.text);
  if (request.kind === 'speaker') return findSpeakerFacts(request.text);
  network ??= readPairNetwork().catch((error: unknown) => {
    network = undefined;
    throw error;
  });
  const { pairs } = request;
  const judge = await network;
  return pairs.map(({ older, newer }) => judge.logOdds(older, newer));
});
