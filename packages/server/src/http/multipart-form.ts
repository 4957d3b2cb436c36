import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { type FieldError, fieldErrors, limits } from '@mneme/contract';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Form, FormFile } from '../domains/handler.ts';
import { AppError, validationError } from '../kernel/errors.ts';
import { sanitizeFilename } from '../kernel/filename.ts';
import { parseFormFields } from '../kernel/parse-query.ts';
import type { FormDigest } from './form-digest.ts';
import { mediaTypeOf, sendContinue } from './request-timeout.ts';

export const multipartFormType = 'multipart/form-data';

declare module 'fastify' {
  interface FastifyRequest {
    /** Where a form has an Idempotency-Key: what is read of it is summed up here. */
    formSum?: FormDigest;
  }
}

export const isMultipartForm = (request: FastifyRequest): boolean =>
  request.body instanceof Readable && mediaTypeOf(request) === multipartFormType;

/** Of a boundary and the headers of its parts, beside the file itself. */
const overheadBytes = 1_048_576;
/** Longer than the name of any field. */
const nameCharactersMax = 100;

/** A form as it comes in: nothing of it is read before its verb asks. */
export function createForm(
  { body, headers, formSum }: FastifyRequest,
  schema: z.ZodType,
  fileBytesMax: number,
): Form<unknown> {
  const length = Number(headers['content-length'] ?? 0);
  if (length > fileBytesMax + overheadBytes) throw new AppError('payload_too_large');
  const type = headers['content-type'] ?? '';
  return { read: (take) => new FormReader(schema, take, formSum).read(body as Readable, type) };
}

/** Reads a form to its end for its sum alone. Throws as `read`, 413 payload_too_large. */
export async function digestForm(
  request: FastifyRequest,
  schema: z.ZodType,
  fileBytesMax: number,
): Promise<void> {
  await createForm(request, schema, fileBytesMax).read(async ({ bytes }) => {
    let left = fileBytesMax;
    for await (const piece of bytes) {
      left -= piece.length;
      if (left < 0) throw new AppError('payload_too_large');
    }
  });
}

/** One file and some fields, in any order. */
class FormReader<T> {
  readonly #schema: z.ZodType;
  readonly #take: (file: FormFile) => Promise<T>;
  readonly #sum: FormDigest | undefined;
  readonly #texts = new Map<string, string>();
  readonly #faults = new Map<string, FieldError>();
  readonly #failed = Promise.withResolvers<never>();
  #file: BusboyFileStream | null = null;
  #fileResult: Promise<T> | null = null;

  constructor(
    schema: z.ZodType,
    take: (file: FormFile) => Promise<T>,
    sum: FormDigest | undefined,
  ) {
    this.#schema = schema;
    this.#take = take;
    this.#sum = sum;
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
      // An 'error' that nobody hears would end the process.
      file.on('error', () => {});
      if (name !== undefined) return this.#addFile(truncateName(name), file, filename);
      file.resume();
      fail(unnamedPartError());
    });
    parser.on('fieldsLimit', () => this.#failed.reject(tooLarge()));
    parser.on('partsLimit', () => this.#failed.reject(tooLarge()));
    parser.on('error', fail);
    body.once('error', fail);
    // Whoever hangs up ends nothing: the stream is closed before its end.
    const gone = () => body.readableEnded || fail(new Error('the caller hung up'));
    if (body.closed) gone();
    else body.once('close', gone);
    try {
      sendContinue(body);
      body.pipe(parser);
      await Promise.race([once(parser, 'finish'), this.#failed.promise]);
      this.#sum?.markComplete();
      // It is known by its file, too, also where its fields are refused.
      await this.#fileResult?.catch(() => undefined);
      if (this.#fileResult === null && !this.#faults.has('file'))
        this.#faults.set('file', required);
      const fields = this.#checked();
      return { fields, fileResult: await (this.#fileResult as Promise<T>) };
    } catch (error) {
      body.unpipe(parser);
      this.#file?.destroy(error as Error);
      // What took bytes in ends before the refusal is told: it leaves nothing behind.
      await this.#fileResult?.catch(() => {});
      // An answer is to be sent yet; the rest of the body is let go by.
      body.resume();
      throw error;
    }
  }

  #addField(name: string, value: string, isCut: boolean): void {
    this.#sum?.addField(name, value);
    // What was no UTF-8 reads so.
    if (value.includes('\ufffd')) this.#faults.set(name, unreadable);
    else if (isCut) this.#faults.set(name, { ...tooLong, max: limits.formFieldBytesMax });
    else if (this.#texts.has(name)) this.#faults.set(name, repeated);
    else this.#texts.set(name, value);
  }

  #addFile(name: string, file: BusboyFileStream, filename: string): void {
    if (name !== 'file' || this.#fileResult !== null) {
      this.#faults.set(name, name === 'file' ? repeated : unknown);
      this.#sum?.markUnread();
      file.resume();
      return;
    }
    try {
      // Fields that came before it need not wait for its end to be refused.
      this.#checked();
    } catch (error) {
      file.resume();
      this.#failed.reject(error);
      return;
    }
    this.#file = file;
    const known = sanitizeFilename(unescapeFilename(filename ?? ''));
    const bytes = this.#sum?.digestFile(known, file) ?? file;
    this.#fileResult = this.#take({ filename: known, bytes });
    this.#fileResult.catch((error: unknown) => this.#failed.reject(error));
  }

  /** Throws 422 validation_error with every fault. */
  #checked(): unknown {
    const { values, faults } = parseFormFields(this.#schema, Object.fromEntries(this.#texts));
    const parsed = this.#schema.safeParse(values);
    const wrong = parsed.success ? {} : fieldErrors(this.#schema, parsed.error.issues, values);
    const all = { ...wrong, ...faults, ...Object.fromEntries(this.#faults) };
    if (Object.keys(all).length > 0) throw validationError(all);
    return parsed.data;
  }
}

/** What cannot stand in a header of a part, as forms of browsers write it (HTML, 4.10.21.8). */
const unescapeFilename = (filename: string): string =>
  filename.replaceAll(/%(22|0A|0D)/gi, (code) => decodeURIComponent(code));

/** It is told again where it is not known. */
const truncateName = (name: string): string => name.slice(0, nameCharactersMax);

const required: FieldError = { code: 'required', message: 'is required' };
const repeated: FieldError = { code: 'invalid_format', message: 'must come once' };
const unknown: FieldError = { code: 'unknown_field', message: 'is not a known field' };
const unreadable: FieldError = { code: 'invalid_characters', message: 'must be valid UTF-8' };
const tooLong: FieldError = { code: 'field_too_long', message: 'is too long' };

const tooLarge = (): AppError =>
  new AppError('payload_too_large', { message: 'The form has too many parts.' });
const unnamedPartError = (): Error => new Error('a part has no name');
const malformedFormError = (cause: unknown): AppError =>
  new AppError('invalid_request', { message: 'The form is malformed, or broke off.', cause });

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
