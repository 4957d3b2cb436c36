import { constants } from 'node:os';
import { serveModelRequests } from '../model-process/index.ts';
import { loadSentenceModel } from './sentence-model.ts';

// Searches wait for it, so it does not run at background priority.
serveModelRequests(loadSentenceModel, constants.priority.PRIORITY_NORMAL);
