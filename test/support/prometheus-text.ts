/** The text format of metrics: https://prometheus.io/docs/instrumenting/exposition_formats/ */

export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly MetricSample[];
}

export interface MetricSample {
  /** With the suffix of a histogram. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface OpenFamily extends MetricFamily {
  type: string;
  readonly samples: MetricSample[];
}

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)",?/y;

/** Parses the text; throws for a line that the format does not allow. */
export function parseMetrics(text: string): Map<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map<string, OpenFamily>();
  let current: OpenFamily | undefined;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const help = /^# HELP (\S+) (.+)$/.exec(line);
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line);
    if (help) {
      const [, name = '', words = ''] = help;
      if (families.has(name)) throw new Error(`${name} appears twice`);
      current = { name, type: '', help: words, samples: [] };
      families.set(name, current);
    } else if (type && current !== undefined && current.name === type[1]) {
      current.type = type[2] as string;
    } else current?.samples.push(parseSample(line, current.name));
  }
  return families;
}

function parseSample(line: string, family: string): MetricSample {
  const [, name = '', pairs = '', value = ''] = sampleLine.exec(line) ?? [];
  const suffix = name.slice(family.length);
  if (!name.startsWith(family) || !['', '_bucket', '_sum', '_count'].includes(suffix)) {
    throw new Error(`not a sample of ${family}: ${line}`);
  }
  const labels: Record<string, string> = {};
  labelPair.lastIndex = 0;
  let end = 0;
  for (let pair = labelPair.exec(pairs); pair; pair = labelPair.exec(pairs)) {
    labels[pair[1] as string] = pair[2] as string;
    end = labelPair.lastIndex;
  }
  if (end !== pairs.length) throw new Error(`not a list of labels: ${line}`);
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  if (Number.isNaN(number)) throw new Error(`not a number: ${line}`);
  return { name, labels, value: number };
}
