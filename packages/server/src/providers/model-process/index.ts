export {
  type ModelClient,
  ModelProcess,
  type ModelProcessSettings,
  occasionalModelIdleMs,
} from './model-process.ts';
export { serveModelRequests } from './serve-model.ts';
