/** Pure text functions without Zod: the server and the command line use them alike. */
export { injectedContextMarkers, stripInjectedContext } from './injected-context.ts';
export { addRedactionCounts, type RedactionCounts, redactSecrets } from './redact-secrets.ts';
