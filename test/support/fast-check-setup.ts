import fc from 'fast-check';
import { runCount, testSeed } from './run-count.ts';

// Defaults for properties without `numRuns`. On failure, fast-check prints the seed and the path.
fc.configureGlobal({ seed: testSeed, numRuns: runCount(100, 2_000) });
