/** Pure text functions without Zod: the server and the command line use them alike. */
export { type CleanTurn, cleanTurn } from './clean-turn.ts';
export {
  injectedContextMarkers,
  stripInjectedContext,
  wrapInjectedContext,
} from './injected-context.ts';
export { addRedactionCounts, type RedactionCounts, redactSecrets } from './redact-secrets.ts';
