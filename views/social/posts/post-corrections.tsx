import type { PostCorrection, PostDetails } from '#social/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { networkNames, type Place } from './post-text.ts'

interface PostCorrectionsProps {
  post: PostDetails
  corrections: PostCorrection[]
  place: Place
}

const looks: Record<PostCorrection['state'], StatusLook> = {
  sending: { state: 'sending', icon: 'send', word: 'Sending' },
  corrected: { state: 'published', icon: 'circle-check', word: 'Corrected' },
  failed: { state: 'failed', icon: 'circle-alert', word: 'Failed' },
  unknown: { state: 'failed', icon: 'circle-help', word: 'Not confirmed' },
}

/** What was changed of a published post, newest first. */
export const PostCorrections = ({ post, corrections, place }: PostCorrectionsProps) => {
  if (post.status !== 'published') return <></>
  const { can, correctionNote, provider, withdrawnAt } = post
  if (withdrawnAt !== null && corrections.length === 0) return <></>
  return (
    <section class="section" id="corrections" aria-labelledby="corrections-title">
      <header>
        <h2 id="corrections-title">Corrections</h2>
        {can.correct ? <ButtonLink label="Correct" icon="pen-line" size="sm" href={correctHref(post)} /> : null}
      </header>
      {corrections.length > 0 ? (
        <ol class="stack" aria-label="Corrections, newest first">
          {corrections.map((correction) => (
            <Correction correction={correction} place={place} />
          ))}
        </ol>
      ) : (
        <p class="muted small" safe>
          {correctionNote === null
            ? `Atrium can’t correct published posts on ${networkNames[provider]}. Delete the post there and publish a corrected copy.`
            : `None. ${correctionNote}`}
        </p>
      )}
    </section>
  )
}

const correctHref = ({ id }: Pick<PostDetails, 'id'>): string => `/workspace/posts/${id}/correct`

const Correction = ({ correction, place }: { correction: PostCorrection; place: Place }) => (
  <li class="card">
    <div class="body stack" style="--gap: .5rem">
      <span class="row" data-wrap>
        <StatusMark {...looks[correction.state]} />
        <small class="muted">
          <Time at={correction.createdAt} zone={place.zone} />
          {correction.authorName === null ? null : (
            <span class="wrap-anywhere" safe>
              {` by ${correction.authorName}`}
            </span>
          )}
        </small>
      </span>
      {correction.reason === null ? null : (
        <p class="small wrap-anywhere" safe>
          {correction.reason}
        </p>
      )}
      <p class="prose wrap-anywhere muted">
        <span class="visually-hidden">Former text: </span>
        <del safe>{correction.formerText}</del>
      </p>
      <p class="prose wrap-anywhere">
        <span class="visually-hidden">New text: </span>
        <ins safe>{correction.text}</ins>
      </p>
      {correction.failureMessage === null ? null : (
        <p class="small wrap-anywhere" safe>
          {correction.failureMessage}
        </p>
      )}
    </div>
  </li>
)
