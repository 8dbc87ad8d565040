import { assetUrl } from '#lib/assets.ts'
import type { ImageModels } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { brandHref } from '../brands/brand-switcher.tsx'
import { isBlocked, Unavailable } from './failure.tsx'
import { Budget, costHint, OrderFields } from './order-fields.tsx'

const generateDialog = 'generate-images'

/** Leads to the page without scripts; `generate-dialog.js` opens the dialog instead. */
export const GenerateLink = ({ brand, iconOnly }: { brand: { id: string }; iconOnly?: true }) => (
  <ButtonLink
    label={iconOnly ? 'Generate images' : 'Generate'}
    icon="sparkles"
    iconOnly={iconOnly}
    variant="ghost"
    href={brandHref('/workspace/images', brand)}
    data-generate
  />
)

/** Loads the dialog when it is opened for the first time. Outside of other forms. */
export const GeneratePlace = ({ brandId }: { brandId: string }) => (
  <div id="generate-place" hx-get={`/api/image-models?brandId=${brandId}`} hx-trigger="open" hx-swap="innerHTML" />
)

/** Images for the library, or for the post that is being written. */
export const GenerateDialog = ({ models }: { models: ImageModels }) => (
  <Dialog id={generateDialog} title="Generate images">
    {/* Few people who open the composer need it. */}
    <link rel="stylesheet" href={assetUrl('css/screens/generate.css')} />
    {!models.can.generate || isBlocked(models) ? (
      <div class="body">
        <Unavailable models={models} />
      </div>
    ) : (
      <Order models={models} />
    )}
  </Dialog>
)

const Order = ({ models }: { models: ImageModels }) => (
  <>
    <div class="body stack">
      <form class="stack" aria-label="Generate images" novalidate>
        <Unavailable models={models} />
        <OrderFields models={models} />
        <div class="row" data-wrap>
          <small class="grow muted" safe>
            {costHint(models)}
          </small>
          <Button label="Generate" icon="sparkles" type="submit" />
        </div>
      </form>
      <p class="error" role="alert" />
      <small class="muted" data-wait hidden />
      <output class="muted small" />
      <span class="row" data-retry hidden>
        <Button label="Retry" size="sm" />
      </span>
      <ul class="generations" aria-label="Generated images" hidden />
      {models.budget ? <Budget budget={models.budget} /> : null}
    </div>
    <template>
      <li>
        <label>
          <input type="checkbox" checked />
          <span class="pic">
            <span data-note>Generating</span>
          </span>
        </label>
        <span class="row">
          <small class="grow muted" data-facts />
          <ButtonLink label="Download" icon="download" iconOnly variant="ghost" size="sm" href="" download="" hidden />
        </span>
      </li>
    </template>
    <footer>
      <small class="grow muted">Generated images are saved in the library.</small>
      <Button label="Close" variant="ghost" commandfor={generateDialog} command="close" />
      <Button label="Add to post" variant="primary" data-add-generated disabled hidden />
    </footer>
  </>
)
