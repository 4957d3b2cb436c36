import { removeTestLeftovers } from '../../packages/server/src/database/testing.ts';

/** Once for a whole run: removes the databases and folders that its workers have left. */
export default function setUp(): () => Promise<void> {
  const run = `${process.pid}`;
  process.env.MNEME_TEST_RUN = run;
  return () => removeTestLeftovers(run);
}
