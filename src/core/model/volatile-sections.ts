/**
 * Sections of the system prompt that change while a session runs. Between two breaks a change is said by a reminder of
 * the same name, and the next break folds it in; a change of any other section is a break itself.
 */
export const VOLATILE_SECTIONS: ReadonlySet<string> = new Set(['environment', 'instructions', 'memory']);
