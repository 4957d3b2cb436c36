export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of an error response; its message may repeat the request. */
export function readErrorCode(body: string): string {
  const error = (parseJson(body) as { error?: { code?: unknown; type?: unknown } } | null)?.error;
  const codes = [error?.code, error?.type].filter(
    (code) => typeof code === 'string' && /^[\w.-]{1,60}$/.test(code),
  );
  return codes.join(' ');
}

/** The request field that an error response names: OpenAI's `param` or FastAPI's `loc`. */
export function readErrorField(body: string): string | null {
  const response = parseJson(body) as { error?: { param?: unknown }; detail?: unknown } | null;
  const detail: unknown = Array.isArray(response?.detail) ? response.detail[0] : null;
  const location = (detail as { loc?: unknown } | null)?.loc;
  const field = response?.error?.param ?? (Array.isArray(location) ? location.at(-1) : null);
  return typeof field === 'string' ? field : null;
}
