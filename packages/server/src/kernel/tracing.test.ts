import { describe, expect, it } from 'vitest';
import {
  activeSpan,
  errorTypeOf,
  runInSpan,
  runOutsideTrace,
  type Span,
  type SpanOptions,
  tracing,
  withSpan,
  withTrace,
} from './tracing.ts';

interface RecordedSpan extends Span {
  readonly name: string;
  readonly options: SpanOptions;
  readonly children: RecordedSpan[];
  error: string | null;
  isRecording: boolean;
}

function createSpan(name: string, options: SpanOptions = {}): RecordedSpan {
  const span: RecordedSpan = {
    name,
    options,
    children: [],
    error: null,
    isRecording: true,
    traceId: '1'.repeat(32),
    spanId: '2'.repeat(16),
    traceparent: '',
    setAttributes: () => undefined,
    fail: (errorType) => {
      span.error = errorType;
    },
    end: () => {
      span.isRecording = false;
    },
    startChild: (childName, childOptions) => {
      const child = createSpan(childName, childOptions);
      span.children.push(child);
      return child;
    },
  };
  return span;
}

class Conflict extends Error {
  override readonly name = 'Conflict';
}

describe('withSpan', () => {
  it('records a child that ends with its work, and nothing outside of a trace', async () => {
    const root = createSpan('root');
    const result = await runInSpan(root, () =>
      withSpan('child', {}, async (span) => {
        expect(activeSpan()).toBe(span);
        return 7;
      }),
    );
    expect(result).toBe(7);
    expect(root.children).toMatchObject([{ name: 'child', isRecording: false, error: null }]);
    expect(await withSpan('none', {}, async (span) => span)).toBeUndefined();
  });

  it('marks a span whose work failed, and throws the error', async () => {
    const root = createSpan('root');
    const failing = runInSpan(root, () =>
      withSpan('child', {}, async () => {
        throw new Conflict('Zerbinetta');
      }),
    );
    await expect(failing).rejects.toThrow('Zerbinetta');
    expect(root.children).toMatchObject([{ isRecording: false, error: 'Conflict' }]);
  });
});

describe('activeSpan', () => {
  it('is none for work that outlives the request', async () => {
    const root = createSpan('root');
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const later = runInSpan(root, async () => {
      await ended;
      return activeSpan();
    });
    root.end();
    end();
    expect(await later).toBeUndefined();
  });

  it('is none for work for everybody that a request happens to start', () => {
    const root = createSpan('root');
    expect(runInSpan(root, () => runOutsideTrace(activeSpan))).toBeUndefined();
  });
});

describe('withTrace', () => {
  it('starts a trace of its own, or none without a tracer', async () => {
    await using disposables = new AsyncDisposableStack();
    const app = { disposables };
    expect(await withTrace(app, 'job', {}, async (span) => span)).toBeUndefined();
    const started: RecordedSpan[] = [];
    tracing.of(app).tracer = {
      startTrace(name, options) {
        const span = createSpan(name, options);
        started.push(span);
        return span;
      },
    };
    const outer = createSpan('request');
    await runInSpan(outer, () => withTrace(app, 'job', {}, async () => undefined));
    expect(started.map(({ name }) => name)).toEqual(['job']);
    expect(outer.children).toEqual([]);
  });
});

describe('errorTypeOf', () => {
  it.each([
    [Object.assign(new Error('x'), { code: 'not_found' }), 'not_found'],
    [new TypeError('x'), 'TypeError'],
    ['x', '_OTHER'],
  ])('is the code or the class, never the message: %s', (error, type) => {
    expect(errorTypeOf(error)).toBe(type);
  });
});
