export { answerQuestions } from './answering.ts';
export { type Asks, ModelProcess, type ModelProcessSettings } from './model-process.ts';
