import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { type FieldError, limits, toFieldErrors } from '@mneme/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { MultipartFile, MultipartForm } from '../domains/handler.ts';
import { AppError, validationError } from '../kernel/errors.ts';
import { sanitizeFilename } from '../kernel/filename.ts';
import { parseFormFields } from '../kernel/parse-query.ts';
import type { FormDigest } from './form-digest.ts';
import { mediaTypeOf, sendContinue } from './request-timeout.ts';

export const multipartFormType = 'multipart/form-data';

declare module 'fastify' {
  interface FastifyRequest {
    /** The digest of a form with an Idempotency-Key. */
    formSum?: FormDigest;
  }
}

export const isMultipartForm = (request: FastifyRequest): boolean =>
  request.body instanceof Readable && mediaTypeOf(request) === multipartFormType;

/** The maximum size of boundaries, part headers and fields, in addition to the file. */
const overheadBytes = 1_048_576;
/** Longer than the name of any field. */
const nameCharactersMax = 100;

/** A form that is not read before the handler calls `read`. */
export function createMultipartForm(
  { body, headers, formSum }: FastifyRequest,
  schema: z.ZodType,
  fileBytesMax: number,
): MultipartForm<unknown> {
  const length = Number(headers['content-length'] ?? 0);
  if (length > fileBytesMax + overheadBytes) throw new AppError('payload_too_large');
  const type = headers['content-type'] ?? '';
  return {
    read: (handleFile) => new FormReader(schema, handleFile, formSum).read(body as Readable, type),
  };
}

/** Reads a form to its end for its digest. Throws like `read`, and 413 payload_too_large. */
export async function digestForm(
  request: FastifyRequest,
  schema: z.ZodType,
  fileBytesMax: number,
): Promise<void> {
  await createMultipartForm(request, schema, fileBytesMax).read(async ({ bytes }) => {
    let remaining = fileBytesMax;
    for await (const chunk of bytes) {
      remaining -= chunk.length;
      if (remaining < 0) throw new AppError('payload_too_large');
    }
  });
}

/** Reads one file and some fields in any order. */
class FormReader<T> {
  readonly #schema: z.ZodType;
  readonly #handleFile: (file: MultipartFile) => Promise<T>;
  readonly #digest: FormDigest | undefined;
  readonly #texts = new Map<string, string>();
  readonly #errors = new Map<string, FieldError>();
  readonly #failed = Promise.withResolvers<never>();
  #file: BusboyFileStream | null = null;
  #fileResult: Promise<T> | null = null;

  constructor(
    schema: z.ZodType,
    handleFile: (file: MultipartFile) => Promise<T>,
    digest: FormDigest | undefined,
  ) {
    this.#schema = schema;
    this.#handleFile = handleFile;
    this.#digest = digest;
    this.#failed.promise.catch(() => {});
  }

  async read(body: Readable, type: string): Promise<{ fields: unknown; fileResult: T }> {
    const parser = createMultipartParser(type);
    const fail = (cause: unknown): void => this.#failed.reject(malformedFormError(cause));
    parser.on('field', (name, value, nameCut, valueCut) => {
      if (name === undefined) fail(unnamedPartError());
      else this.#addField(truncateName(name), value, nameCut || valueCut);
    });
    parser.on('file', (name, file, filename) => {
      // An unhandled 'error' event would end the process.
      file.on('error', () => {});
      if (name !== undefined) return this.#addFile(truncateName(name), file, filename);
      file.resume();
      fail(unnamedPartError());
    });
    parser.on('fieldsLimit', () => this.#failed.reject(tooLarge()));
    parser.on('partsLimit', () => this.#failed.reject(tooLarge()));
    parser.on('error', fail);
    body.once('error', fail);
    // When the client disconnects, the stream closes without 'end'.
    const onClose = () => body.readableEnded || fail(new Error('the client disconnected'));
    if (body.closed) onClose();
    else body.once('close', onClose);
    try {
      sendContinue(body);
      body.pipe(parser);
      await Promise.race([once(parser, 'finish'), this.#failed.promise]);
      this.#digest?.markComplete();
      // The digest includes the file, also when the fields are invalid.
      await this.#fileResult?.catch(() => undefined);
      if (this.#fileResult === null && !this.#errors.has('file'))
        this.#errors.set('file', required);
      const fields = this.#parseFields();
      return { fields, fileResult: await (this.#fileResult as Promise<T>) };
    } catch (error) {
      body.unpipe(parser);
      this.#file?.destroy(error as Error);
      // Wait for the handler of the file, so that it has removed its data before the response.
      await this.#fileResult?.catch(() => {});
      // Discard the rest of the body, so that the response can be sent.
      body.resume();
      throw error;
    }
  }

  #addField(name: string, value: string, isCut: boolean): void {
    this.#digest?.addField(name, value);
    // The decoder replaces invalid UTF-8 with this character.
    if (value.includes('\ufffd')) this.#errors.set(name, unreadable);
    else if (isCut) this.#errors.set(name, { ...tooLong, max: limits.formFieldBytesMax });
    else if (this.#texts.has(name)) this.#errors.set(name, repeated);
    else this.#texts.set(name, value);
  }

  #addFile(name: string, file: BusboyFileStream, filename: string): void {
    if (name !== 'file' || this.#fileResult !== null) {
      this.#errors.set(name, name === 'file' ? repeated : unknown);
      this.#digest?.markUnread();
      file.resume();
      return;
    }
    try {
      // Reject invalid fields that precede the file before the file is read.
      this.#parseFields();
    } catch (error) {
      file.resume();
      this.#failed.reject(error);
      return;
    }
    this.#file = file;
    const sanitized = sanitizeFilename(unescapeFilename(filename ?? ''));
    const bytes = this.#digest?.digestFile(sanitized, file) ?? file;
    this.#fileResult = this.#handleFile({ filename: sanitized, bytes });
    this.#fileResult.catch((error: unknown) => this.#failed.reject(error));
  }

  /** Throws 422 validation_error with all invalid fields. */
  #parseFields(): unknown {
    const { values, faults } = parseFormFields(this.#schema, Object.fromEntries(this.#texts));
    const parsed = this.#schema.safeParse(values);
    const invalid = parsed.success ? {} : toFieldErrors(this.#schema, parsed.error.issues, values);
    const errors = { ...invalid, ...faults, ...Object.fromEntries(this.#errors) };
    if (Object.keys(errors).length > 0) throw validationError(errors);
    return parsed.data;
  }
}

/** Decodes the characters that browsers escape in file names (HTML, 4.10.21.8). */
const unescapeFilename = (filename: string): string =>
  filename.replaceAll(/%(22|0A|0D)/gi, (code) => decodeURIComponent(code));

/** Limits the name, because the error for an unknown field repeats it. */
const truncateName = (name: string): string => name.slice(0, nameCharactersMax);

const required: FieldError = { code: 'required', message: 'is required' };
const repeated: FieldError = { code: 'invalid_format', message: 'must occur only once' };
const unknown: FieldError = { code: 'unknown_field', message: 'is not a known field' };
const unreadable: FieldError = { code: 'invalid_characters', message: 'must be valid UTF-8' };
const tooLong: FieldError = { code: 'field_too_long', message: 'is too long' };

const tooLarge = (): AppError =>
  new AppError('payload_too_large', { message: 'The form has too many parts.' });
const unnamedPartError = (): Error => new Error('a part has no name');
const malformedFormError = (cause: unknown): AppError =>
  new AppError('invalid_request', { message: 'The form is malformed or incomplete.', cause });

/** Throws 400 invalid_request for a type without a boundary. */
function createMultipartParser(type: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: {
        fieldSize: limits.formFieldBytesMax,
        fields: limits.formFieldsMax,
        files: 2,
        parts: limits.formFieldsMax + 2,
        headerPairs: 100,
      },
    });
  } catch (error) {
    throw malformedFormError(error);
  }
}
