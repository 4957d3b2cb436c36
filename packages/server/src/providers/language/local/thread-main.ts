import { handleThreadRequests } from '../../../kernel/worker-thread.ts';
import type { SourceText } from '../text-analyzer.ts';
import { extractEntitiesAndFacts } from './extraction/extract.ts';

handleThreadRequests<SourceText>(extractEntitiesAndFacts);
