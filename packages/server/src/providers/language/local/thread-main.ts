import { handleRequests } from '../../../kernel/thread.ts';
import type { SourceText } from '../text-analyzer.ts';
import { extract } from './extraction/extract.ts';

handleRequests<SourceText>(extract);
