import type { PromptSection } from '../model/entry.ts';
import { BASE } from './base.ts';
import type { Environment } from './environment.ts';
import { environmentText } from './environment.ts';
import type { InstructionFile } from './instructions.ts';
import { instructionsText } from './instructions.ts';

export interface PromptFacts {
  readonly environment: Environment;
  readonly instructions: readonly InstructionFile[];
  /** what is remembered of the project, within its bound; absent where nothing is */
  readonly memory?: string;
}

/** The system prompt as it would be today, in the order it is sent. Absent sections are left out. */
export function buildSections({ environment, instructions, memory }: PromptFacts): readonly PromptSection[] {
  const sections: { name: string; text: string | undefined }[] = [
    { name: 'base', text: BASE },
    { name: 'environment', text: environmentText(environment) },
    { name: 'instructions', text: instructionsText(instructions) },
    { name: 'memory', text: memory },
  ];
  return sections.flatMap(({ name, text }) => (text === undefined ? [] : [{ name, text }]));
}
