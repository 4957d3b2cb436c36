/** The URI of a memory as a resource. */
export const memoryUri = (id: string): string => `mneme://memories/${id}`;
