const machineRoles = new Set(
  'assistant system developer tool function ai bot model agent'.split(' '),
);

/** Whether turns of a role are of a machine: what they say is no statement of a person. */
export const isOfMachine = (role: string): boolean => machineRoles.has(role.toLowerCase());
