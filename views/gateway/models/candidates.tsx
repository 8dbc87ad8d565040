import type { CatalogModel } from '#gateway/types'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { providerName } from '../provider-name.ts'
import { modelHref } from './words.ts'

/** Shown at first; the others are found through the API. */
const maxShown = 10

export const Candidates = ({ candidates }: { candidates: CatalogModel[] }) => (
  <section class="card" aria-labelledby="candidates">
    <header>
      <h2 id="candidates">Available, not configured</h2>
      <Badge label={candidates.length} count />
    </header>
    {candidates.length === 0 ? (
      <p class="body muted">No other models were found in the sources.</p>
    ) : (
      <ul class="list" style="--pad: 1rem">
        {candidates.slice(0, maxShown).map(({ provider, model, status, priced, firstSeenAt }) => (
          <li>
            <span class="grow">
              <a class="wrap-anywhere" href={modelHref(provider, model)} safe>
                {model}
              </a>{' '}
              {status === 'preview' ? <Badge label="Preview" tone="info" /> : null}
              <small class="block">
                <span safe>{providerName(provider)}</span>
                {firstSeenAt ? (
                  <>
                    , first seen <Time at={firstSeenAt} form="shortDay" />
                  </>
                ) : null}
                {priced ? null : ' · no price yet'}
              </small>
            </span>
          </li>
        ))}
      </ul>
    )}
  </section>
)
