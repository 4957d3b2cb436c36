import type { CurrentFindingKind, Diagnosis, Health, StoredFindingKind } from '@mneme/contract';
import type { IntegrityFinding } from '../../../database/index.ts';

/** A current problem. */
export interface Problem {
  readonly kind: CurrentFindingKind | StoredFindingKind;
  readonly severity: Diagnosis['findings'][number]['severity'];
  readonly message: string;
  /** What to do. */
  readonly action: string;
}

export interface CheckResult {
  readonly detail?: string;
  readonly problems?: readonly Problem[];
  /** Default true; ignored with a problem. */
  readonly isOk?: boolean;
}

/** Runs checks in sequence and collects their findings. */
export class DiagnosisReport {
  readonly #now: Date;
  readonly #checks: Health['checks'];
  readonly #findings: Diagnosis['findings'] = [];

  constructor(now: Date, checks: Health['checks'] = {}) {
    this.#now = now;
    this.#checks = { ...checks };
  }

  /** Runs a check; its failure is a finding, and the next checks still run. */
  async run(name: string, check: () => Promise<CheckResult> | CheckResult): Promise<void> {
    try {
      this.add(name, await check());
    } catch (error) {
      const message = `The check ${name} failed: ${String((error as Error)?.message ?? error)}`;
      const action = 'Fix the cause and run the check again.';
      this.add(name, { problems: [{ kind: 'check_failed', severity: 'error', message, action }] });
    }
  }

  add(name: string, { detail, problems = [], isOk = true }: CheckResult): void {
    const before = this.#checks[name] ?? { ok: true };
    const ok = before.ok && isOk && problems.length === 0;
    const nextDetail = detail ?? before.detail;
    this.#checks[name] = { ok, ...(nextDetail === undefined ? {} : { detail: nextDetail }) };
    for (const problem of problems) {
      this.#findings.push({
        id: null,
        ...problem,
        degrades_health: false,
        found_at: this.#now.toISOString(),
        acknowledged_at: null,
      });
    }
  }

  /** Adds findings of the stored data that the engine has recorded. */
  addStoredFindings(findings: readonly IntegrityFinding[]): void {
    for (const finding of findings) this.#findings.push(present(finding));
  }

  /** Whether any finding is not acknowledged. */
  get hasFindings(): boolean {
    return this.#findings.some(({ acknowledged_at: at }) => at === null);
  }

  toDiagnosis(status: Health['status'], data_dir: string | null): Diagnosis {
    return { status, checks: this.#checks, data_dir, findings: [...this.#findings] };
  }
}

const present = (finding: IntegrityFinding): Diagnosis['findings'][number] => ({
  id: finding.id,
  kind: finding.kind,
  severity: finding.isDegrading ? 'error' : 'warning',
  degrades_health: finding.isDegrading,
  message: finding.message,
  action: finding.action,
  found_at: finding.foundAt,
  acknowledged_at: finding.acknowledgedAt,
});
