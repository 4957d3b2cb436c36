import { removeTestLeftovers } from '../../packages/server/src/database/testing.ts';

/** Runs once per test run: removes leftover databases and folders of its workers at the end. */
export default function setUp(): () => Promise<void> {
  const run = `${process.pid}`;
  process.env.MNEME_TEST_RUN = run;
  return () => removeTestLeftovers(run);
}
