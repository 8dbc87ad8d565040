import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { NanoUsd } from './nano-usd.ts'
import { nullableField, optionalField, plainText, withoutEmpty } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

export const useCases = ['text', 'short-text', 'image', 'transcription', 'embedding'] as const
export const UseCase = z.enum(useCases)
export type UseCase = z.output<typeof UseCase>

export const Lifecycle = z.enum(['active', 'preview', 'deprecated', 'retired'])
export type Lifecycle = z.output<typeof Lifecycle>

export const ProviderName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Must be up to 40 lowercase letters, digits and hyphens, such as openai.')
export const ModelName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[!-~]+$/, 'Must not contain spaces.')
/** Such as `openai/gpt-4o`. */
const ModelRef = z
  .string()
  .max(241)
  .regex(/^[a-z0-9][a-z0-9-]{0,39}\/[!-~]{1,200}$/, 'Must be a provider and a model, such as openai/gpt-4o.')

const refs = z.array(ModelRef).max(200)
const chain = z
  .array(ModelRef)
  .min(1, 'Name at least one model.')
  .max(10, 'Name at most 10 models.')
  .refine((models) => new Set(models).size === models.length, 'Name each model once.')

export const Route = z.object({
  useCase: UseCase,
  models: z.array(ModelRef).describe('In the order in which they are tried.'),
  setBy: z.enum(['organization', 'platform', 'default']).describe('default: nothing is set.'),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp.nullable(),
})
export type Route = z.output<typeof Route>
/** With dates, before it is sent. */
export type StoredRoute = z.input<typeof Route>

export const ModelPreferences = z.object({
  organizationId: Id,
  routes: z.array(Route),
  allowedModels: z.array(ModelRef).nullable().describe('Null: every model.'),
  imageModels: z.array(ModelRef).describe('Models that a request for an image can name.'),
})
export type ModelPreferences = z.output<typeof ModelPreferences>
/** With dates, before it is sent. */
export type StoredModelPreferences = z.input<typeof ModelPreferences>

const Routes = z.partialRecord(UseCase, nullableField(withoutEmpty(chain)))
export const ModelPreferencesEdit = z.object({
  id: Id,
  routes: Routes.optional().describe('Null restores the platform’s default.'),
  allowedModels: refs.nullable().optional().describe('Null allows every model.'),
})
export const ModelDefaultsEdit = z.object({ routes: Routes })

/** What a price is per, and the name of the rate in the open catalog. */
export const rateNames = {
  inputPerMillion: 'input_mtok',
  cacheReadPerMillion: 'cache_read_mtok',
  cacheWritePerMillion: 'cache_write_mtok',
  audioInputPerMillion: 'input_audio_mtok',
  imageInputPerMillion: 'input_image_mtok',
  outputPerMillion: 'output_mtok',
  audioOutputPerMillion: 'output_audio_mtok',
  imageOutputPerMillion: 'output_image_mtok',
  audioPerHour: 'audio_hours',
  requestsPerThousand: 'requests_kcount',
  webSearchesPerThousand: 'web_searches_kcount',
} as const
export const RateName = z.enum([
  'inputPerMillion',
  'cacheReadPerMillion',
  'cacheWritePerMillion',
  'audioInputPerMillion',
  'imageInputPerMillion',
  'outputPerMillion',
  'audioOutputPerMillion',
  'imageOutputPerMillion',
  'audioPerHour',
  'requestsPerThousand',
  'webSearchesPerThousand',
])
export type RateName = z.output<typeof RateName>
const Dollars = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,9})?$/, 'Must be US dollars as a decimal, such as "2.50", with at most 9 decimal places.')
const Rates = z
  .partialRecord(RateName, optionalField(Dollars))
  .refine(
    (rates) => Object.values(rates).some((rate) => rate !== undefined),
    'Name at least one price, such as inputPerMillion.',
  )

export const ModelPrice = z.object({
  provider: z.string(),
  model: z.string(),
  level: z.enum(['organization', 'platform', 'catalog']),
  rates: z
    .partialRecord(RateName, z.string())
    .describe('US dollars, per million tokens, thousand calls or hour of audio.'),
  since: z.iso.date().nullable(),
  reason: z.string().nullable(),
  createdAt: Timestamp.nullable(),
})
export type ModelPrice = z.output<typeof ModelPrice>
/** With dates, before it is sent. */
export type StoredModelPrice = z.input<typeof ModelPrice>

export const ModelPriceDraft = z.object({
  provider: ProviderName,
  model: ModelName,
  level: z.enum(['organization', 'platform']).default('organization'),
  rates: Rates,
  since: optionalField(z.iso.date()).describe('Today (UTC) when not set.'),
  reason: optionalField(plainText(500)),
})

export const LifecycleEdit = z.object({
  provider: ProviderName,
  model: ModelName,
  status: Lifecycle,
  deprecatedOn: z.iso.date().nullable().default(null),
  retiresOn: z.iso.date().nullable().default(null),
  replacement: ModelRef.nullable().default(null),
})

export const CatalogModel = z.object({
  provider: z.string(),
  model: z.string(),
  status: Lifecycle,
  deprecatedOn: z.iso.date().nullable(),
  retiresOn: z.iso.date().nullable(),
  replacement: z.string().nullable(),
  source: z.string(),
  priced: z.boolean(),
  firstSeenAt: Timestamp.nullable(),
})
export type CatalogModel = z.output<typeof CatalogModel>
/** With dates, before it is sent. */
export type StoredCatalogModel = z.input<typeof CatalogModel>

/** With what an organization pays for it and how much it uses it. */
export const UsedModel = CatalogModel.extend({
  price: ModelPrice.nullable().describe('What a call costs today.'),
  configured: z.boolean().describe('In a chain of the organization or the platform.'),
  calls: z.int().describe('In the last 30 days.'),
  costNanoUsd: NanoUsd,
})
export type UsedModel = z.output<typeof UsedModel>

const ModelUse = z.object({
  provider: z.string(),
  model: z.string().nullable(),
  calls: z.int(),
  costNanoUsd: NanoUsd,
  lastUsedOn: z.iso.date(),
})

export const ModelSource = z.object({
  name: z.string(),
  healthy: z.boolean(),
  error: z.string().nullable(),
  models: z.int(),
  checkedAt: Timestamp.nullable(),
  succeededAt: Timestamp.nullable().describe('The age of the data in use.'),
})
export type ModelSource = z.output<typeof ModelSource>
/** With dates, before it is sent. */
export type StoredModelSource = z.input<typeof ModelSource>

export const NamedRoute = Route.extend({ updatedByName: z.string().nullable() })
export type NamedRoute = z.output<typeof NamedRoute>

export const Governance = z.object({
  organizationId: Id,
  platformDefaults: z.array(NamedRoute),
  overrides: z.array(NamedRoute),
  recentUsage: z.array(ModelUse).describe('Of the last 30 days, dearest first; at most 100.'),
  lifecycle: z.array(UsedModel).describe('Of the configured and recently used models.'),
  unpricedModels: z
    .array(z.object({ provider: z.string(), model: z.string() }))
    .describe('Configured, without a price.'),
  candidates: z.array(CatalogModel).describe('Listed by a source and not configured, newest first; at most 50.'),
  sources: z.array(ModelSource),
  can: z.object({ update: z.boolean(), sync: z.boolean() }),
})
export type Governance = z.output<typeof Governance>
/** With dates, before it is sent. */
export type StoredGovernance = z.input<typeof Governance>

export const ModelDetails = z.object({
  organizationId: Id,
  model: UsedModel,
  usage: z
    .array(z.object({ applicationId: z.string().nullable(), calls: z.int(), costNanoUsd: NanoUsd }))
    .describe('Of the last 30 days, dearest first.'),
  routes: z.array(Route).describe('The chains in use that it is part of.'),
  can: z.object({ setPrice: z.boolean() }),
})
export type ModelDetails = z.output<typeof ModelDetails>
/** With dates, before it is sent. */
export type StoredModelDetails = z.input<typeof ModelDetails>

export const ModelPriceList = z.object({
  items: z.array(ModelPrice).describe('Entered by people, latest first, then the catalog’s.'),
})
export type ModelPriceList = z.output<typeof ModelPriceList>
