export { answerQuestions } from './answering.ts';
export { type Asks, ModelProcess, type ModelProcessSettings, rareIdleMs } from './model-process.ts';
