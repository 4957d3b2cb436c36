import { answerQuestions } from '../../../kernel/thread.ts';
import type { SourceText } from '../language.ts';
import { extract } from './extraction/extract.ts';

answerQuestions<SourceText>(extract);
