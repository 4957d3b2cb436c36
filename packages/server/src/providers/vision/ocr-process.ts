import { serveModelRequests } from '../model-process/index.ts';
import { loadOcr } from './ocr.ts';

serveModelRequests(loadOcr);
