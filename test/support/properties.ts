import fc from 'fast-check';
import { runs, seed } from './budget.ts';

// Properties that name no `numRuns`. On failure fast-check prints the seed and the path.
fc.configureGlobal({ seed, numRuns: runs(100, 2_000) });
