import { toFieldErrors, type UploadFields, uploadFields } from '@mneme/contract';
import { type AppError, headerError, validationError } from '../../../kernel/errors.ts';
import { parseFormFields } from '../../../kernel/parse-query.ts';

export interface UploadMetadata {
  readonly filename: string;
  readonly filetype: string;
  /** Fields of the memory, not parsed yet. */
  readonly fields: Readonly<Record<string, string>>;
}

const fieldNames: ReadonlySet<string> = new Set(Object.keys(uploadFields.shape));
const isKnown = (name: string): boolean =>
  fieldNames.has(name) || name === 'filename' || name === 'filetype';

/**
 * Parses the header Upload-Metadata: `name base64,name base64` with unique names. Unknown names and
 * empty values are ignored, since tus clients send their own. Throws 400 invalid_request.
 */
export function parseUploadMetadata(header: string): UploadMetadata {
  const names = new Set<string>();
  const decoded = new Map<string, string>();
  for (const pair of header.split(',').map((text) => text.trim())) {
    if (pair === '') continue;
    const [, name = '', encoded = ''] = /^([!-~]+)(?: +([A-Za-z0-9+/]*={0,2}))?$/.exec(pair) ?? [];
    if (name === '' || names.has(name)) throw invalidMetadataError();
    names.add(name);
    if (isKnown(name) && encoded !== '') decoded.set(name, decodeValue(encoded));
  }
  const { filename = '', filetype = '', ...fields } = Object.fromEntries(decoded);
  return { filename, filetype, fields };
}

function decodeValue(encoded: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw invalidMetadataError();
  }
}

const invalidMetadataError = (): AppError =>
  headerError({
    'upload-metadata': {
      code: 'invalid_format',
      message: 'must be pairs of a name and a base64 text, separated by commas, each name once',
    },
  });

/** Parses values like the fields of a form. Throws 422 validation_error. */
export function parseUploadFields(texts: Readonly<Record<string, string>>): UploadFields {
  const { values, faults } = parseFormFields(uploadFields, texts);
  const parsed = uploadFields.safeParse(values);
  const all = {
    ...(parsed.success ? {} : toFieldErrors(uploadFields, parsed.error.issues, values)),
    ...faults,
  };
  if (!parsed.success || Object.keys(all).length > 0) throw validationError(all);
  return parsed.data;
}
