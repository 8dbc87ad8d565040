import { z } from 'zod'
import type { Lifecycle } from '../contract/models.ts'
import { ModelName } from '../contract/models.ts'

export interface ListedModel {
  readonly model: string
  readonly status: Lifecycle
  readonly deprecatedOn: string | null
  readonly retiresOn: string | null
  readonly replacement: string | null
}

/** The list of OpenAI, of Anthropic and of compatible servers. Some say when a model ends, each in its own field. */
const List = z.object({
  data: z.array(
    z.looseObject({
      id: ModelName,
      deprecated: z.boolean().nullish(),
      deprecation: z.string().nullish(),
      deprecation_replacement_model: z.string().nullish(),
      expiration_date: z.string().nullish(),
    }),
  ),
})

/** @throws {Error} for another format */
export function readModelList(body: unknown, at: Date): ListedModel[] {
  const parsed = List.safeParse(body)
  if (!parsed.success) throw new Error('The response isn’t a list of models.')
  const today = at.toISOString().slice(0, 10)
  const models = new Map(parsed.data.data.map((each) => [each.id, toListed(each, today)]))
  return [...models.values()]
}

type Item = z.output<typeof List>['data'][number]

function toListed(item: Item, today: string): ListedModel {
  const retiresOn = dayOf(item.deprecation ?? item.expiration_date)
  const replacement = item.deprecation_replacement_model ?? null
  return { model: item.id, status: statusOf(item, retiresOn, today), deprecatedOn: null, retiresOn, replacement }
}

function statusOf({ id, deprecated }: Item, retiresOn: string | null, today: string): Lifecycle {
  if (retiresOn !== null && retiresOn <= today) return 'retired'
  if (deprecated || retiresOn !== null) return 'deprecated'
  return /preview|alpha|beta|experimental/.test(id) ? 'preview' : 'active'
}

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}/)

const dayOf = (text: string | null | undefined): string | null => {
  const day = Day.safeParse(text)
  return day.success && !Number.isNaN(Date.parse(day.data)) ? day.data.slice(0, 10) : null
}
