/** What of a .cpuprofile is read here; times are in microseconds. */
export interface CpuProfile {
  readonly startTime: number;
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** From one moment to another, in microseconds of the profile's clock. */
export interface TimeRange {
  readonly fromUs: number;
  readonly toUs: number;
}

export interface SelfTime {
  /** The function and where it stands. */
  readonly name: string;
  /** Its package, or its file where it is one of ours. */
  readonly module: string;
  readonly ms: number;
}

/** Self time of each function within the slices, summed over profiles of like processes. */
export function selfTimes(
  profiles: readonly CpuProfile[],
  slices: readonly TimeRange[],
): readonly SelfTime[] {
  const times = new Map<string, SelfTime>();
  for (const { startTime, nodes, samples, timeDeltas } of profiles) {
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, describeFrame(callFrame)]));
    let at = startTime;
    for (const [i, sample] of samples.entries()) {
      at += timeDeltas[i] ?? 0;
      if (!slices.some(({ fromUs, toUs }) => at >= fromUs && at < toUs)) continue;
      const frame = frames.get(sample) ?? { name: '?', module: '?' };
      // A sample stands for the time until the next one.
      const ms = (times.get(frame.name)?.ms ?? 0) + (timeDeltas[i + 1] ?? 0) / 1_000;
      times.set(frame.name, { ...frame, ms });
    }
  }
  return [...times.values()].sort((a, b) => b.ms - a.ms);
}

/** Paths begin at the package; all of WebAssembly is one, since its functions have no names. */
function describeFrame(frame: CpuProfile['nodes'][number]['callFrame']): {
  name: string;
  module: string;
} {
  const { functionName, url, lineNumber } = frame;
  if (url.startsWith('wasm:')) return { name: 'WebAssembly', module: 'WebAssembly' };
  const file = url.replace(/^.*\/(?:node_modules|packages)\//, '').replace(/^file:\/\//, '');
  const shown = functionName === '' ? '(anonymous)' : functionName;
  if (file === '') return { name: shown, module: 'native' };
  const ours = file.startsWith('server/src/');
  const outside = file
    .split('/')
    .slice(0, file.startsWith('@') ? 2 : 1)
    .join('/');
  return { name: `${shown} ${file}:${lineNumber + 1}`, module: ours ? file : outside };
}
