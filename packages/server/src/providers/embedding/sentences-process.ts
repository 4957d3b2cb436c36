import { constants } from 'node:os';
import { answerQuestions } from '../model-process/index.ts';
import { loadSentences } from './sentences.ts';

// Searches wait for it: it is no work of the background.
answerQuestions(loadSentences, constants.priority.PRIORITY_NORMAL);
