import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import base from '../../../vitest.config.ts';
import type { MutationControl } from '../control.ts';

/** Part of the instrumented copy: its own configuration, with the control file's order of tests. */

const control = new URL('../../../.mutant.json', import.meta.url);
const setup = fileURLToPath(new URL('./setup.ts', import.meta.url));

class Ordered extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { testOrder } = JSON.parse(readFileSync(control, 'utf8')) as MutationControl;
    const places = new Map(testOrder.map((path, i) => [path, i]));
    const placeOf = ({ moduleId }: TestSpecification) => places.get(moduleId) ?? testOrder.length;
    return files.toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}

interface Project {
  readonly test: { readonly setupFiles?: readonly string[] };
}

const projects = (base.test?.projects ?? []) as readonly Project[];

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    sequence: { ...base.test?.sequence, sequencer: Ordered },
    projects: projects.map((project) => ({
      ...project,
      test: { ...project.test, setupFiles: [setup, ...(project.test.setupFiles ?? [])] },
    })) as NonNullable<NonNullable<typeof base.test>['projects']>,
  },
});
