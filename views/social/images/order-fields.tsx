import type { ImageModels } from '#social/types'
import { dollars } from '#views/ui/dollars.ts'
import { Field, SelectField } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'

const shapes = [
  { value: '1024x1024', label: 'Square' },
  { value: '1024x1536', label: 'Portrait' },
  { value: '1536x1024', label: 'Landscape' },
]

interface OrderProps {
  models: ImageModels
}

/** What to generate. */
export const OrderFields = ({ models }: OrderProps) => (
  <>
    <input type="hidden" name="brandId" value={models.brand.id} />
    <Field label="What should it show?" id="prompt">
      <textarea
        class="input"
        id="prompt"
        name="prompt"
        rows="3"
        maxlength="4000"
        required
        aria-describedby="prompt-error"
      />
    </Field>
    <div class="fields">
      <Segments legend="Shape" name="size" options={shapes} />
      <Segments legend="Images" name="count" options={['1', '2', '4'].map((value) => ({ value, label: value }))} />
      {models.can.override && models.models.length > 1 ? <ModelField models={models} /> : null}
      {models.brand.colors.length > 0 ? (
        <fieldset class="field">
          <legend>Style</legend>
          <label class="check">
            <input type="checkbox" name="useBrandColors" value="true" />
            <span safe>Use {models.brand.name}’s colors</span>
          </label>
        </fieldset>
      ) : null}
    </div>
  </>
)

interface SegmentsProps {
  legend: string
  name: string
  options: { value: string; label: string }[]
}

const Segments = ({ legend, name, options }: SegmentsProps) => (
  <fieldset class="field">
    <legend safe>{legend}</legend>
    <div class="segments">
      {options.map(({ value, label }, at) => (
        <label>
          <input class="visually-hidden" type="radio" name={name} value={value} checked={at === 0} />
          <span safe>{label}</span>
        </label>
      ))}
    </div>
  </fieldset>
)

const ModelField = ({ models: { models } }: { models: ImageModels }) => (
  <SelectField
    label="Model"
    name="model"
    hint="For this time only"
    value=""
    options={models.map(({ model, isDefault, costNanoUsd }) => ({
      value: isDefault ? '' : model,
      label: [model, costNanoUsd === null ? null : dollars(costNanoUsd), isDefault ? 'default' : null]
        .filter((part) => part !== null)
        .join(', '),
    }))}
  />
)

/** The model that is used, and what its images cost. */
export function costHint({ models }: ImageModels): string {
  const first = models.find(({ isDefault }) => isDefault)
  if (!first) return ''
  const cost = first.costNanoUsd === null ? '' : `, about ${dollars(first.costNanoUsd)} an image`
  return `${first.model}${cost}`
}

export const Budget = ({ budget }: { budget: NonNullable<ImageModels['budget']> }) => {
  const { limitNanoUsd, spentNanoUsd, reservedNanoUsd, resetsAt, period } = budget
  const shareOf = (part: number) => (limitNanoUsd > 0 ? Math.min(100, Math.round((part / limitNanoUsd) * 100)) : 100)
  const [spent, all] = [shareOf(spentNanoUsd), shareOf(spentNanoUsd + reservedNanoUsd)]
  const held = reservedNanoUsd > 0 ? `, ${dollars(reservedNanoUsd)} held` : ''
  return (
    <div class="stack budget">
      <span class="row small">
        <span class="grow" safe>
          {`Budget ${periods[period] ?? ''}`.trim()}
        </span>
        <span class="num muted" safe>{`${dollars(spentNanoUsd)} of ${dollars(limitNanoUsd)}${held}`}</span>
      </span>
      <span
        class="meter"
        data-state={all >= 100 ? 'over' : all >= 80 ? 'near' : undefined}
        style={`--value: ${spent}%; --held: ${all - spent}%`}
        role="img"
        aria-label={`${spent}% spent`}
      />
      {resetsAt ? (
        <small class="muted">
          Resets <Time at={resetsAt} form="full" />
        </small>
      ) : null}
    </div>
  )
}

const periods: Record<string, string> = {
  hour: 'this hour',
  day: 'today',
  week: 'this week',
  month: 'this month',
}
