import { afterAll } from 'vitest';
import { endAll } from './process.ts';

// Set up before each file: files share the modules of their worker, so none can do it itself.
afterAll(endAll);
