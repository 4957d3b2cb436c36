export {
  type ModelClient,
  ModelProcess,
  type ModelProcessSettings,
  occasionalIdleMs,
} from './model-process.ts';
export { serveModelRequests } from './serve-model.ts';
