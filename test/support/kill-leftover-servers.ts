import { afterAll } from 'vitest';
import { killAllServers } from './server-process.ts';

// A setup file, since test files of a worker share modules and cannot register this themselves.
afterAll(killAllServers);
