import { SUMMARY_SECTIONS } from '../../../src/core/context/summary-prompt.ts';

/** A summary that is taken: every section, with the bullets given. */
export function summaryText(
  sections: Partial<Record<(typeof SUMMARY_SECTIONS)[number], string>> = {},
): string {
  return SUMMARY_SECTIONS.map((title) => `## ${title}\n- ${sections[title] ?? 'none'}`).join('\n');
}
