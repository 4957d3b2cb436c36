import { describe, expect, it } from 'vitest';
import { isAvailable } from '../support/requirements.ts';
import { createDataLocation, startServerProcess } from '../support/server-process.ts';
import { engines } from '../support/service.ts';
import { soak } from './soak.ts';

const minutes = Number(process.env.MNEME_TEST_MINUTES ?? 30);
/** Shorter runs show that it works; caches are still filling in them. */
const minutesThatTell = 30;

describe.runIf(isAvailable('processFiles')).each(engines)(
  `${minutes} minutes of everything on %s`,
  (engine) => {
    it(
      'cost no more memory, open files or time at the end than at the beginning',
      async () => {
        const seed = Number(process.env.MNEME_TEST_SEED ?? Date.now() % 1_000_000);
        const place = await createDataLocation(engine);
        try {
          await using server = await startServerProcess(place, {
            // With the encoder, as users have it.
            env: { MNEME_LOG_LEVEL: 'warn', MNEME_EMBEDDING_PROVIDER: '' },
          });
          const report = await soak(server, { minutes, seed });
          process.stdout.write(`soak on ${engine}, seed ${seed}: ${JSON.stringify(report)}\n`);
          await server.kill('SIGTERM');
          const { early, late, faults } = report;
          expect(faults).toEqual([]);
          expect(late.answers).toBeGreaterThan(0);
          if (minutes < minutesThatTell) return;
          expect(late.rssMb).toBeLessThan(early.rssMb * 1.1);
          expect(late.files).toBeLessThan(early.files * 1.1);
          expect(late.p95Ms).toBeLessThan(early.p95Ms * 1.25);
        } finally {
          await place.remove();
        }
      },
      (minutes + 20) * 60_000,
    );
  },
);
