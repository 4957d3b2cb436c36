import { afterAll } from 'vitest';
import { killAllServers } from './server-process.ts';

// Set up before each file: files share the modules of their worker, so none can do it itself.
afterAll(killAllServers);
