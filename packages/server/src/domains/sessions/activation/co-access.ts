export const coAccessKind = 'sessions.co_access';
