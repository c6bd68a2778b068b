import { modelInfo } from './profiles.ts';
import type { ModelProfile } from './profiles.ts';
import { invalidRequest, notFound } from './refusal.ts';
import type { RuledOut } from './rules/rule.ts';

type Answer = { readonly body: unknown } | RuledOut;

const DEFAULT_LIMIT = 20;
const MOST = 1_000;

function newestFirst(models: readonly ModelProfile[]): readonly ModelProfile[] {
  return models.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** One page: behind `after_id`, or before `before_id`. */
function slice(models: readonly ModelProfile[], query: URLSearchParams, limit: number) {
  const [after, before] = [query.get('after_id'), query.get('before_id')];
  const at = (id: string) => models.findIndex((model) => model.id === id);
  if (before !== null) {
    const end = at(before);
    const start = Math.max(0, end - limit);
    return { page: models.slice(start, end), hasMore: start > 0 };
  }
  const start = after === null ? 0 : at(after) + 1;
  return { page: models.slice(start, start + limit), hasMore: start + limit < models.length };
}

export interface ModelsOnOffer {
  readonly models: readonly ModelProfile[];
  readonly betas: readonly string[];
}

export function listModels({ models, betas }: ModelsOnOffer, query: URLSearchParams): Answer {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    return { rule: 'page-limit', refusal: invalidRequest(`limit: Input should be between 1 and ${MOST}`) };
  const { page, hasMore } = slice(newestFirst(models), query, limit);
  return {
    body: {
      data: page.map((profile) => modelInfo(profile, betas)),
      has_more: hasMore,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    },
  };
}

export function retrieveModel({ models, betas }: ModelsOnOffer, id: string): Answer {
  const profile = models.find((model) => model.id === id);
  return profile
    ? { body: modelInfo(profile, betas) }
    : { rule: 'known-model', refusal: notFound(`model: ${id}`) };
}
