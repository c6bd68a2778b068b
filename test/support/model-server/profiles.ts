import { COMPACTION_BETA } from './betas.ts';
import type { ModelCapabilities, ModelInfo } from './sdk-types.ts';

export type ThinkingType = 'adaptive' | 'enabled' | 'disabled' | 'between_tools';

/** A kind of model: its limits and what its generation takes and refuses. */
export interface ModelProfile {
  readonly id: string;
  readonly displayName: string;
  /** as the Models API tells it */
  readonly line: ModelInfo['line'];
  /** RFC 3339; the list is newest first */
  readonly createdAt: string;
  /** input limit in tokens */
  readonly window: number;
  /** output limit in tokens */
  readonly maxOutput: number;
  /** false: the Models API does not tell the limits, though they hold */
  readonly tellsLimits: boolean;
  /** smallest prefix that is cached, in tokens */
  readonly minCachedPrefix: number;
  readonly thinkingTypes: readonly ThinkingType[];
  /** a thinking block is valid only behind the very conversation it was made in */
  readonly bindsThinking: boolean;
  /** takes `system` messages in mid-conversation */
  readonly takesSystemMessages: boolean;
  /** summarises on demand, and signs what it wrote */
  readonly summarises: boolean;
  /** continues a final assistant message */
  readonly takesPrefill: boolean;
  readonly takesForcedToolChoice: boolean;
  /** input + `max_tokens` over the window: a 400 at the door, or a reply that stops at the window's end */
  readonly overflow: 'refuse' | 'stop';
}

/** The models of today: thinking bound to its prefix, `system` messages in mid-conversation. */
export function currentModel(changes: Partial<ModelProfile> = {}): ModelProfile {
  return {
    id: 'claude-sim-current',
    displayName: 'Simulated model (no API key)',
    line: 'opus',
    createdAt: '2026-09-15T00:00:00Z',
    window: 200_000,
    maxOutput: 64_000,
    tellsLimits: true,
    minCachedPrefix: 512,
    thinkingTypes: ['adaptive', 'disabled', 'between_tools'],
    bindsThinking: true,
    takesSystemMessages: true,
    summarises: true,
    takesPrefill: false,
    takesForcedToolChoice: false,
    overflow: 'stop',
    ...changes,
  };
}

/** The models of yesterday: none of that. */
export function classicModel(changes: Partial<ModelProfile> = {}): ModelProfile {
  return {
    id: 'claude-sim-classic',
    displayName: 'Simulated older model (no API key)',
    line: 'sonnet',
    createdAt: '2025-09-29T00:00:00Z',
    window: 200_000,
    maxOutput: 32_000,
    tellsLimits: true,
    minCachedPrefix: 1_024,
    thinkingTypes: ['enabled', 'disabled'],
    bindsThinking: false,
    takesSystemMessages: false,
    summarises: false,
    takesPrefill: true,
    takesForcedToolChoice: true,
    overflow: 'refuse',
    ...changes,
  };
}

const yes = { supported: true } as const;
const no = { supported: false } as const;
const when = (supported: boolean) => ({ supported });

function capabilities(profile: ModelProfile): ModelCapabilities {
  const thinks = (type: ThinkingType) => when(profile.thinkingTypes.includes(type));
  return {
    batch: no,
    citations: no,
    code_execution: no,
    context_management: {
      supported: false,
      clear_thinking_20251015: no,
      clear_tool_uses_20250919: no,
      compact_20260112: no,
    },
    effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: yes, max: yes },
    image_input: yes,
    pdf_input: no,
    server_tools: { supported: false, code_execution: no, web_search: no },
    structured_outputs: no,
    thinking: {
      supported: profile.thinkingTypes.some((type) => type === 'adaptive' || type === 'enabled'),
      types: {
        adaptive: thinks('adaptive'),
        between_tools: thinks('between_tools'),
        disabled: thinks('disabled'),
        enabled: thinks('enabled'),
      },
    },
  };
}

/** What only those are told who name the beta it belongs to. */
function betaCapabilities(profile: ModelProfile, betas: readonly string[]): object {
  const summarises = when(profile.summarises);
  return betas.includes(COMPACTION_BETA) ? { compaction: { ...summarises, summarize: summarises } } : {};
}

export function modelInfo(profile: ModelProfile, betas: readonly string[]): ModelInfo {
  return {
    type: 'model',
    id: profile.id,
    display_name: profile.displayName,
    created_at: profile.createdAt,
    lifecycle: 'active',
    line: profile.line,
    deprecated_at: null,
    retires_at: null,
    max_input_tokens: profile.tellsLimits ? profile.window : null,
    max_tokens: profile.tellsLimits ? profile.maxOutput : null,
    capabilities: profile.tellsLimits
      ? { ...capabilities(profile), ...betaCapabilities(profile, betas) }
      : null,
  };
}
