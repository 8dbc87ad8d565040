import type { ModelSource } from '#gateway/types'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { amount } from '../money.ts'

/** Where models and prices come from, and how old they are. */
export const Sources = ({ sources }: { sources: ModelSource[] }) => (
  <section class="card" aria-labelledby="sources">
    <header>
      <h2 id="sources">Sources</h2>
    </header>
    {sources.length === 0 ? (
      <p class="body muted">Only the built-in price list, which works offline. It is read daily.</p>
    ) : (
      <ul class="list" style="--pad: 1rem">
        {sources.map(({ name, healthy, error, models, succeededAt }) => (
          <li>
            <span class="grow">
              <span class="wrap-anywhere" safe>
                {name}
              </span>
              <small class="block wrap-anywhere">
                {error ? <span safe>{`${error} `}</span> : null}
                <span safe>{`${amount(models)} models`}</span>
                {succeededAt ? (
                  <>
                    , <Time at={succeededAt} form="moment" />
                  </>
                ) : null}
              </small>
            </span>
            {healthy ? (
              <StatusMark state="published" icon="circle-check" word="Healthy" />
            ) : (
              <StatusMark state="failed" icon="circle-alert" word="Failing" />
            )}
          </li>
        ))}
      </ul>
    )}
  </section>
)
