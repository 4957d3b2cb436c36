import { constants } from 'node:os';
import { serveModelRequests } from '../model-process/index.ts';
import { loadSentenceModel } from './sentence-model.ts';

// Searches wait for it: it is no work of the background.
serveModelRequests(loadSentenceModel, constants.priority.PRIORITY_NORMAL);
