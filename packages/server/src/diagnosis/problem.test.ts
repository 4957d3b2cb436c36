import { describe, expect, it } from 'vitest';
import { toProblem } from './problem.ts';

describe('the problem of an error', () => {
  it('has what is wrong and what to do, which follows the last colon of the message', () => {
    const error = new Error('data/pg: no access (EACCES): change its owner');
    expect(toProblem(error, 'data_folder' as never)).toEqual({
      kind: 'data_folder',
      severity: 'error',
      message: 'data/pg: no access (EACCES).',
      action: 'Change its owner',
    });
  });

  it('has a general action where the message has none', () => {
    const problem = toProblem(new Error('It ended at 10:15'), 'data_folder' as never);
    expect(problem.message).toBe('It ended at 10:15');
    expect(problem.action).toMatch(/^Remove the cause/);
  });
});
