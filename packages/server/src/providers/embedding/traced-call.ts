import { withSpan } from '../../kernel/tracing.ts';

/** Runs a call of a local model in a span of OpenTelemetry's conventions for embeddings. */
export const withEmbeddingSpan = <T>(
  { model, dimensions }: { readonly model: string; readonly dimensions: number },
  call: () => Promise<T>,
): Promise<T> => {
  const attributes = {
    'gen_ai.operation.name': 'embeddings',
    'gen_ai.provider.name': 'mneme',
    'gen_ai.request.model': model,
    'gen_ai.embeddings.dimension.count': dimensions,
  };
  return withSpan(`embeddings ${model}`, { attributes }, call);
};
