import type { ImageGeneration } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { dollars } from '#views/ui/dollars.ts'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { fileHref } from '../posts/shots.tsx'
import { causeOf, isFree } from './failure.tsx'

export interface GenerationsProps {
  items: ImageGeneration[]
  nextCursor: string | null
  filter: { brandId?: string | undefined; status?: string | undefined; cursor?: string | undefined }
  /** Whether the form to begin with is on the page. */
  canGenerate?: boolean
}

/** Saved generations, newest first. */
export const Generations = ({ items, nextCursor, filter, canGenerate }: GenerationsProps) => (
  <section
    class="section"
    id="generations"
    aria-labelledby="saved-generations"
    {...(filter.brandId && liveAt(listHref('/api/images', filter), `images:${filter.brandId}`))}
  >
    <h2 id="saved-generations">Saved generations</h2>
    {items.length > 0 ? (
      <ul class="generated">
        {items.map((generation) => (
          <GenerationCard generation={generation} />
        ))}
      </ul>
    ) : (
      <Empty
        icon="sparkles"
        small
        title="No generated images yet"
        text={
          canGenerate
            ? 'Describe an image above. It is saved here and in the library.'
            : 'Images that your team generates are saved here.'
        }
      />
    )}
    {nextCursor ? (
      <Pager
        label="More generations"
        summary={`Showing ${items.length}`}
        next={listHref('/workspace/images', { ...filter, cursor: nextCursor })}
        action="Older"
      />
    ) : null}
  </section>
)

export const GenerationCard = ({ generation }: { generation: ImageGeneration }) => (
  <li class="card" id={`generation-${generation.id}`} data-state={generation.status}>
    <Previews generation={generation} />
    <div class="body">
      <p class="prompt" safe>
        {generation.prompt}
      </p>
      <small class="muted">
        <Facts generation={generation} />
      </small>
    </div>
    {generation.status === 'generating' ? null : <Actions generation={generation} />}
  </li>
)

/** Without a preview that can't be shown: `image-preview` hides it, and the rest of the card stays usable. */
const Previews = ({ generation }: { generation: ImageGeneration }) => {
  const { status, images, count, failure } = generation
  if (status === 'generating')
    return (
      <div class="previews">
        {Array.from({ length: count }, () => (
          <span class="pic" data-busy aria-hidden="true" />
        ))}
      </div>
    )
  if (failure)
    return (
      <p class="pic" role="note">
        <Icon name="circle-slash" />
        <span safe>{failure.message}</span>
      </p>
    )
  if (images.length === 0)
    return (
      <p class="pic">
        <Icon name="image" />
        <span>Deleted from the library</span>
      </p>
    )
  return (
    <div class="previews">
      {images.map(({ id, alt, name }) => (
        <image-preview>
          <a href={`/api/media/${id}/file`} target="_blank" rel="noopener" aria-label={`Open ${name}`}>
            <img src={fileHref(id, 'preview')} alt={alt} loading="lazy" />
          </a>
          <span class="pic" hidden>
            <Icon name="image" />
            <span>No preview</span>
          </span>
        </image-preview>
      ))}
    </div>
  )
}

const Facts = ({ generation }: { generation: ImageGeneration }) => {
  const { status, failure, model, requestedModel, size, costNanoUsd, createdByName, service, createdAt } = generation
  const free = failure && isFree(failure.code) ? 'not charged' : null
  const cost = costNanoUsd === null ? free : dollars(costNanoUsd)
  const facts = [status === 'generating' ? 'Generating' : null, model ?? requestedModel, size.replace('x', ' × '), cost]
  return (
    <>
      <span safe>{facts.filter((fact) => fact !== null).join(', ')}</span>
      <br />
      <span safe>{createdByName ?? service ?? 'Deleted account'}</span>, <Time at={createdAt} form="moment" />
    </>
  )
}

const Actions = ({ generation }: { generation: ImageGeneration }) => {
  const { id, brandId, images, failure } = generation
  const cause = failure && causeOf(failure.code)
  return (
    <footer>
      {images.length > 0 ? (
        <ButtonLink
          label="Use in post"
          icon="pen-line"
          size="sm"
          href={`/workspace/posts/new?${new URLSearchParams({ brandId, media: images.map((image) => image.id).join() })}`}
        />
      ) : null}
      {cause?.href ? <ButtonLink label={cause.label} size="sm" href={cause.href} /> : null}
      <span class="grow" />
      <Button
        label="Delete"
        icon="trash-2"
        iconOnly
        variant="ghost"
        size="sm"
        commandfor={`delete-generation-${id}`}
        command="show-modal"
      />
      <Dialog id={`delete-generation-${id}`} title="Delete this generation?">
        <Form hx-delete={`/api/images/${id}`} hx-target={`#generation-${id}`} hx-swap="outerHTML">
          <div class="body">
            <p>
              {images.length > 0
                ? 'Its prompt and cost are no longer listed here. Its images stay in the library.'
                : 'It is no longer listed here. This can’t be undone.'}
            </p>
          </div>
          <DialogButtons dialog={`delete-generation-${id}`} submit="Delete" danger focusCancel />
        </Form>
      </Dialog>
    </footer>
  )
}
