import { answerQuestions } from '../model-process/index.ts';
import { loadWhisper } from './whisper.ts';

answerQuestions(loadWhisper);
