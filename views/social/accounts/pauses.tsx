import type { IntegrationList } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'

/** The button that resumes has the id of the one that paused, so that the focus stays on it. */
const changing = (scope: { brandId?: string }) =>
  ({
    id: scope.brandId ? 'pause-brand' : 'pause-all',
    'hx-vals': JSON.stringify(scope),
    'hx-target': '#accounts',
    'hx-swap': 'outerMorph',
  }) as const

/** Stops and resumes publishing of the brand and of the organization (SOC-47). */
export const Pauses = ({ brand, pauses, can }: Pick<IntegrationList, 'brand' | 'pauses' | 'can'>) => {
  const ofAll = pauses.some(({ brandId }) => brandId === null)
  const ofBrand = brand !== null && pauses.some(({ brandId }) => brandId === brand.id)
  return (
    <div class="stack">
      {ofAll ? <Paused title="Publishing is paused for all brands" resumes={can.pauseAll ? {} : null} /> : null}
      {brand && ofBrand ? (
        <Paused title={`Publishing is paused for ${brand.name}`} resumes={can.pause ? { brandId: brand.id } : null} />
      ) : null}
      <div class="actions">
        {brand && can.pause && !ofBrand ? (
          <Button
            label="Pause this brand"
            icon="pause"
            hx-post="/api/publishing/pause"
            {...changing({ brandId: brand.id })}
          />
        ) : null}
        {can.pauseAll && !ofAll ? (
          <Button label="Pause all publishing" icon="pause" hx-post="/api/publishing/pause" {...changing({})} />
        ) : null}
      </div>
    </div>
  )
}

const Paused = ({ title, resumes }: { title: string; resumes: { brandId?: string } | null }) => (
  <Notice tone="warning" role="status" title={title} text="Due posts wait until publishing resumes.">
    {resumes ? (
      <div class="actions">
        <Button label="Resume" icon="send" size="sm" hx-post="/api/publishing/resume" {...changing(resumes)} />
      </div>
    ) : null}
  </Notice>
)
