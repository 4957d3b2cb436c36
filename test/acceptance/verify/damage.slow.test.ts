import type { Verification } from '@mneme/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCount } from '../../support/run-count.ts';
import { engines, type Service, startService } from '../../support/service.ts';
import { type Damage, damages, ofDocument, ofVector, suggest } from './damages.ts';
import { runVerification, summarizeInconsistencies } from './run-verification.ts';
import { createScene, type Scene } from './scene.ts';

describe.each(engines)('a verification on %s', (engine) => {
  // Both engines run the same statements.
  const harms =
    engine === 'embedded'
      ? damages
      : runCount(
          damages.filter((_, i) => i % 4 === 0),
          damages,
        );
  const isMended = ({ isMended }: Damage): boolean => isMended === true;

  let service: Service;
  /** By the damage of its account: one verification looks at all of them. */
  const scenes = new Map<Damage, Scene>();
  let reports: Record<'found' | 'repaired' | 'left', Verification>;
  beforeAll(async () => {
    service = await startService(engine, { isExclusive: true });
    const { db } = service.running.context.app.engine;
    for (const damage of harms) {
      const scene = await createScene(service, { withMail: damage.isOfMail === true });
      await damage.done(scene).execute(db);
      scenes.set(damage, scene);
    }
    const found = await runVerification(service);
    const repaired = await runVerification(service, { repair: true });
    reports = { found, repaired, left: await runVerification(service) };
  }, 180_000);
  afterAll(() => service.stop());

  const verify = ({ account }: Scene, options: { repair?: boolean } = {}) =>
    runVerification(service, { account_id: account, ...options });
  const reportOf = (name: keyof typeof reports, { account }: Scene) => {
    const { faults } = reports[name];
    return { faults: faults.filter(({ account_id }) => account_id === account) };
  };

  it('finds nothing in whole data', async () => {
    const scene = await createScene(service, { withMail: true });
    expect(await verify(scene)).toMatchObject({ faults: [], faults_total: 0, outdated: 0 });
  });

  it('counts what it finds, and repairs nothing unless asked to', () => {
    const { found, repaired, left } = reports;
    const mended = harms.filter(isMended).length;
    expect(found).toMatchObject({ repaired: 0, outdated: 0, faults_total: found.faults.length });
    expect(repaired.faults_total).toBe(found.faults_total);
    expect(left).toMatchObject({ faults_total: found.faults_total - mended, repaired: 0 });
  });

  it.each(harms.filter((damage) => !isMended(damage)))(
    'finds $what, and nothing else',
    (damage) => {
      const scene = scenes.get(damage) as Scene;
      for (const name of ['found', 'repaired', 'left'] as const) {
        const report = reportOf(name, scene);
        expect([...new Set(summarizeInconsistencies(report))]).toEqual([damage.found(scene)]);
        expect(report.faults.filter(({ repaired }) => repaired)).toEqual([]);
      }
    },
  );

  it.each(harms.filter(isMended))(
    'finds $what, and nothing else, and mends it when asked to',
    async (damage) => {
      const scene = scenes.get(damage) as Scene;
      for (const name of ['found', 'repaired'] as const) {
        const report = reportOf(name, scene);
        expect(summarizeInconsistencies(report)).toEqual([damage.found(scene)]);
        expect(report).toMatchObject({ faults: [{ repaired: name === 'repaired' }] });
      }
      expect(reportOf('left', scene)).toEqual({ faults: [] });
      const { results } = await scene.client.search.post({ body: { q: 'a note on its own' } });
      expect(results[0]?.id).toBe(scene.note);
      await scene.client.memories.restore({ params: { id: scene.hidden } });
      const { results: restored } = await scene.client.search.post({ body: { q: 'softly gone' } });
      expect(restored[0]?.id).toBe(scene.hidden);
    },
  );

  it('takes what an earlier version analysed for outdated, not damaged, and mends it', async () => {
    const scene = await createScene(service);
    const { db } = service.running.context.app.engine;
    await sql`update documents set terms = '2:0:18 note 1 own 1', speaker = null
      where ${ofDocument(scene, scene.note)}`.execute(db);
    const account_id = scene.account;
    expect(await runVerification(service, { account_id })).toMatchObject({
      faults: [],
      outdated: 1,
    });
    const repaired = await runVerification(service, { account_id, repair: true });
    expect(repaired).toMatchObject({ faults: [], outdated: 0, repaired: 1 });
    expect(await runVerification(service, { account_id })).toMatchObject({
      faults: [],
      outdated: 0,
    });
  });

  it('takes a document that does not name what a suggestion does for outdated', async () => {
    const scene = await createScene(service);
    await suggest(scene, scene.turn, false).execute(service.running.context.app.engine.db);
    expect(await verify(scene)).toMatchObject({ faults: [], outdated: 1 });
    expect(await verify(scene, { repair: true })).toMatchObject({ outdated: 0, repaired: 1 });
    expect(await verify(scene)).toMatchObject({ faults: [], outdated: 0 });
  });

  it('takes the name of a lost memory for outdated, and not that of an erased one', async () => {
    const scene = await createScene(service);
    const { db } = service.running.context.app.engine;
    const name = (id: string) =>
      sql`update documents set likely_superseded_by = array[${id}::uuid]
      where ${ofDocument(scene, scene.note)}`.execute(db);
    await name(scene.gone);
    expect(await verify(scene)).toMatchObject({ faults: [], outdated: 0 });
    await name('019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e');
    expect(await verify(scene)).toMatchObject({ faults: [], outdated: 1 });
    expect(await verify(scene, { repair: true })).toMatchObject({ outdated: 0, repaired: 1 });
    expect(await verify(scene)).toMatchObject({ faults: [], outdated: 0 });
  });

  it('leaves a vector that the caller gave as it was when it mends the rest', async () => {
    const { id: account_id, client } = await service.createAccount();
    const { dimensions } = service.running.context.app.embedder;
    const embedding = Array.from({ length: dimensions }, (_, i) => (i === 3 ? 1 : 0));
    const { id } = await client.memories.create({ body: { content: 'Mine.', embedding } });
    const { db } = service.running.context.app.engine;
    const vector = () =>
      db.selectFrom('vectors').select('vector').where('document_id', '=', id).execute();
    const before = await vector();
    await db
      .updateTable('documents')
      .set({ tags: ['x'] })
      .where('id', '=', id)
      .execute();
    expect(await runVerification(service, { account_id, repair: true })).toMatchObject({
      repaired: 1,
    });
    expect(await vector()).toEqual(before);
    expect(await runVerification(service, { account_id })).toMatchObject({ faults: [] });
  });

  it('checks every account there is, or the one that is named', async () => {
    const scene = await createScene(service);
    const other = await service.createAccount();
    await sql`delete from vectors where ${ofVector(scene, scene.note)}`.execute(
      service.running.context.app.engine.db,
    );
    expect(
      summarizeInconsistencies(await runVerification(service, { account_id: other.id })),
    ).toEqual([]);
    const all = await runVerification(service);
    expect(summarizeInconsistencies(all)).toContain(`documents: vector_missing ${scene.note}`);
    expect(all.accounts).toBeGreaterThan(2);
  });

  it('is the operator’s, of an account that there is', async () => {
    const { client } = await service.createAccount();
    const path = '/admin/verifications';
    expect(await client.request({ method: 'POST', path })).toMatchObject({ status: 403 });
    const operator = service.operator();
    const account_id = '019b8d1c-3a40-7c11-9d3e-5f0a4b6c7d8e';
    const unknown = { method: 'POST', path, body: { account_id } };
    expect(await operator.request(unknown)).toMatchObject({ status: 404 });
    const none = { method: 'GET', path: `${path}/${account_id}` };
    expect(await operator.request(none)).toMatchObject({ status: 404 });
  });

  it('is a job that tells how far it is', async () => {
    const operator = service.operator();
    const { job_id: id } = await operator.admin.startVerification();
    await service.running.context.worker.drain();
    const job = await operator.jobs.get({ params: { id } });
    expect(job).toMatchObject({ id, kind: 'operations.verify', error: null });
  });
});
