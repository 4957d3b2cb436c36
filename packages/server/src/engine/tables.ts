/**
 * The tables as Kysely sees them, one property per table. Each domain adds its own from its
 * `store.ts` by declaration merging:
 *
 * ```ts
 * declare module '../../engine/tables.ts' {
 *   interface Tables { memories: MemoryTable }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging.
export interface Tables {}
