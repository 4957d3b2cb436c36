const machineRoles = new Set([
  ...['assistant', 'ai', 'bot', 'chatbot', 'model', 'llm', 'agent'],
  ...['system', 'developer'],
  ...['tool', 'tool_call', 'tool_use', 'tool_result'],
  ...['function', 'function_call', 'function_result'],
]);

/** Whether turns of a role are of a machine: what they say is no statement of a person. */
export const isOfMachine = (role: string): boolean =>
  machineRoles.has(
    role
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/gu, '_'),
  );
