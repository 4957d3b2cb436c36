import { serveModelRequests } from '../model-process/index.ts';
import { loadWhisper } from './whisper.ts';

serveModelRequests(loadWhisper);
