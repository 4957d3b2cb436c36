import { answerQuestions } from '../model-process/index.ts';
import { loadReader } from './reader.ts';

answerQuestions(loadReader);
