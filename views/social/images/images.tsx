import type { ImageModels } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { dollars } from '#views/ui/dollars.ts'
import { Field, Form, SelectField } from '#views/ui/form.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'
import { brandHref } from '../brands/brand-switcher.tsx'
import { isBlocked, Unavailable } from './failure.tsx'
import { Generations, type GenerationsProps } from './generations.tsx'

export interface ImagesProps {
  models: ImageModels
  generations: GenerationsProps
}

export const Images = ({ models, generations }: ImagesProps) => {
  const canGenerate = models.can.generate && !isBlocked(models)
  return (
    <>
      <PageHeader
        title="Generate images"
        crumbs={[{ href: brandHref('/workspace/media', models.brand), label: 'Media' }]}
      />
      <div class="page stack" style="--measure: none">
        {models.can.generate ? <Unavailable models={models} /> : null}
        {canGenerate ? <OrderForm models={models} /> : null}
        {models.budget ? <Budget budget={models.budget} /> : null}
        <Generations {...generations} canGenerate={canGenerate} />
      </div>
    </>
  )
}

const shapes = [
  { value: '1024x1024', label: 'Square' },
  { value: '1024x1536', label: 'Portrait' },
  { value: '1536x1024', label: 'Landscape' },
]

const OrderForm = ({ models }: Pick<ImagesProps, 'models'>) => (
  <Form
    class="card"
    id="generate"
    hx-post="/api/images"
    hx-target="#generations"
    hx-swap="outerMorph"
    aria-label="Generate images"
  >
    <input type="hidden" name="brandId" value={models.brand.id} />
    <div class="body">
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
      <div class="pending" role="status">
        <span>Generating. This can take a minute. You can leave this page: the result is saved below.</span>
      </div>
    </div>
    <footer>
      <small class="grow muted" safe>
        {costHint(models)}
      </small>
      <Button label="Generate" icon="sparkles" variant="primary" type="submit" />
    </footer>
  </Form>
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

function costHint({ models }: ImageModels): string {
  const first = models.find(({ isDefault }) => isDefault)
  if (!first) return ''
  const cost = first.costNanoUsd === null ? '' : `, about ${dollars(first.costNanoUsd)} an image`
  return `${first.model}${cost}`
}

const Budget = ({ budget }: { budget: NonNullable<ImageModels['budget']> }) => {
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
