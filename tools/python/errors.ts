/** The module mneme/errors.py: a class for each error code. */
import { errorCatalogue, statusesOfError } from '@mneme/contract';
import { errorClassName } from './names.ts';
import { docstring, generatedNotice, importLine } from './text.ts';

/** Classes of statuses, in mneme/_errors.py; a code with the same name has no other class. */
const statusClasses: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'UnauthorizedError',
  403: 'ForbiddenError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'UnprocessableContentError',
  429: 'TooManyRequestsError',
  500: 'ServerError',
  503: 'ServerError',
};

const others = ['FieldError', 'MnemeConnectionError', 'MnemeError', 'MnemeTimeoutError'];

export function renderErrors(): string {
  const codes = Object.entries(errorCatalogue);
  const classes = codes
    .map(([code]) => [code, errorClassName(code)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const statuses = [...new Set(Object.values(statusClasses))];
  const defined = codes.filter(([code]) => !statuses.includes(errorClassName(code)));
  return [
    ...generatedNotice('Errors by code. Each class derives from that of its usual status.'),
    'from typing import Any',
    '',
    'import httpx',
    '',
    ...importLine('._errors', [...statuses, ...others, 'CLASS_OF_STATUS', 'parse_error']),
    ...defined.flatMap(([code, { status, message }]) => [
      '',
      '',
      `class ${errorClassName(code)}(${statusClasses[status] ?? 'MnemeError'}):`,
      ...docstring([`${code}, status ${statusesOf(code)}: ${message}`], '    '),
    ]),
    '',
    '',
    'CLASS_OF_CODE: dict[str, type[MnemeError]] = {',
    ...classes.map(([code, name]) => `    "${code}": ${name},`),
    '}',
    '',
    '',
    'def error_class_of(response: httpx.Response, body: Any) -> type[MnemeError]:',
    '    """The class of the code; for a code that this version does not know, of the status."""',
    '    status = response.status_code',
    '    of_status = CLASS_OF_STATUS.get(status, ServerError if status >= 500 else MnemeError)',
    '    return CLASS_OF_CODE.get(parse_error(response, body).code, of_status)',
    '',
    '',
    '__all__ = [',
    ...[...new Set([...statuses, ...others, ...classes.map(([, name]) => name)])]
      .sort()
      .map((name) => `    "${name}",`),
    ']',
    '',
  ].join('\n');
}

const statusesOf = (code: string): string =>
  statusesOfError(code as keyof typeof errorCatalogue).join(' or ');
