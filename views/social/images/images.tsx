import type { ImageModels } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { brandHref } from '../brands/brand-switcher.tsx'
import { isBlocked, Unavailable } from './failure.tsx'
import { Generations, type GenerationsProps } from './generations.tsx'
import { Budget, costHint, OrderFields } from './order-fields.tsx'

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

const OrderForm = ({ models }: Pick<ImagesProps, 'models'>) => (
  <Form
    class="card"
    id="generate"
    hx-post="/api/images"
    hx-target="#generations"
    hx-swap="outerMorph"
    aria-label="Generate images"
  >
    <div class="body">
      <OrderFields models={models} />
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
