/** The methods that send a file: `upload` and `upload_in_parts`. */
import type { Argument, PythonOperation } from './operations.ts';
import {
  argsSection,
  bodyLines,
  type Client,
  callOptions,
  descriptionsOf,
  jsonBody,
  type Method,
  parameterOf,
} from './signature.ts';

const source = [
  ['file', 'A path, bytes, a file in binary mode, or for `upload` an iterable of bytes.'],
  ['filename', 'Its name; default: that of the path or of the file.'],
] as const;
const progress = [
  ['upload_id', 'The id of an interrupted upload of the same file to resume.'],
  ['on_progress', 'Called when the upload starts or resumes, and after each progress.'],
  ['part_bytes', 'Bytes of one request.'],
] as const;

/** @param form the fields of the form, without the file */
export const uploadMethods = (
  operation: PythonOperation,
  form: readonly Argument[],
  client: Client,
): Method[] => [upload(operation, form, client), uploadInParts(form, client)];

const upload = (
  { constant, result }: PythonOperation,
  form: readonly Argument[],
  client: Client,
): Method => ({
  define: client.define,
  name: 'upload',
  positional: ['file: FileContent'],
  named: [
    'filename: str | None = None',
    ...form.map(parameterOf),
    'idempotency_key: str | None = None',
    ...callOptions,
  ],
  result: result.text,
  paragraphs: [
    'Store a text, audio or video file; the service detects the type from its bytes',
    'Paths, bytes and files that can seek are sent again on a retry; other content is sent once',
    argsSection([...source, ...descriptionsOf(form)]),
  ],
  body: [
    ...bodyLines(`fields = ${jsonBody(form)}`),
    '        form = form_arguments(file, filename, fields, idempotency_key)',
    `        return ${client.await}self._transport.call(`,
    `            ${constant}, **form, extra_headers=extra_headers, timeout=timeout`,
    '        )',
  ],
});

const uploadInParts = (form: readonly Argument[], client: Client): Method => ({
  define: client.define,
  name: 'upload_in_parts',
  positional: ['file: FileContent'],
  named: [
    'filename: str | None = None',
    'upload_id: str | None = None',
    'on_progress: Progress | None = None',
    'part_bytes: int = PART_BYTES_DEFAULT',
    ...form.map(parameterOf),
  ],
  result: 'CompletedUpload',
  paragraphs: [
    'Store a file like `upload`, in parts that resume after a lost connection',
    argsSection([...source, ...progress, ...descriptionsOf(form)]),
  ],
  body: [
    ...bodyLines(`fields = ${jsonBody(form)}`),
    '        parts = PartsUpload(file, filename, fields, upload_id, on_progress, part_bytes)',
    `        return ${client.await}upload_in_parts${client.suffix}(self._transport, parts)`,
  ],
});
