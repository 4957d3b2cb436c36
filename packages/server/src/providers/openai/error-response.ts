export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a refusal; its sentence may repeat what was sent. */
export function readErrorCode(body: string): string {
  const error = (parseJson(body) as { error?: { code?: unknown; type?: unknown } } | null)?.error;
  const codes = [error?.code, error?.type].filter(
    (code) => typeof code === 'string' && /^[\w.-]{1,60}$/.test(code),
  );
  return codes.join(' ');
}

/** The field of what was sent that a refusal names: as OpenAI's `param`, or as FastAPI's `loc`. */
export function readErrorField(body: string): string | null {
  const refusal = parseJson(body) as { error?: { param?: unknown }; detail?: unknown } | null;
  const detail: unknown = Array.isArray(refusal?.detail) ? refusal.detail[0] : null;
  const place = (detail as { loc?: unknown } | null)?.loc;
  const field = refusal?.error?.param ?? (Array.isArray(place) ? place.at(-1) : null);
  return typeof field === 'string' ? field : null;
}
