import type { ListedMedia, MediaFit, MediaUse } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Field, Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { NetworkMark, Status } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { excerpt } from '../posts/post-text.ts'
import { copyHref } from '../posts/shots.tsx'
import { CopyNotice } from './copy-notice.tsx'
import { canCrop, CropDialog, cropDialog } from './crop-dialog.tsx'
import { countedUses, factsText, nameOf, sizeText } from './file-text.ts'

export interface OpenedFile {
  file: ListedMedia
  fits: readonly MediaFit[]
  uses: readonly MediaUse[]
}

interface OpenedFileProps extends OpenedFile {
  zone: string
  canWrite: boolean
  /** The URL of the page without it. */
  closeHref: string
}

/** A file beside the list. */
export const OpenedFileView = (props: OpenedFileProps) => {
  const { file, closeHref, canWrite } = props
  return (
    <aside class="stack opened" id="opened" style="--gap: 1.25rem" aria-labelledby="opened-name" data-file={file.id}>
      <div class="row">
        <h2 class="grow truncate" id="opened-name" tabindex="-1" safe>
          {nameOf(file)}
        </h2>
        <ButtonLink label="Close" icon="x" iconOnly variant="ghost" size="sm" href={closeHref} {...closes(closeHref)} />
      </div>
      <Preview file={file} canWrite={canWrite} />
      <CopyNotice file={file} />
      <div class="actions">
        {canWrite && file.status === 'ready' ? (
          <ButtonLink
            label="Use in a post"
            icon="pen-line"
            variant="primary"
            href={`/workspace/posts/new?brandId=${file.brandId}&media=${file.id}`}
          />
        ) : null}
        <ButtonLink
          label={`Download ${nameOf(file)}`}
          icon="download"
          iconOnly
          href={`/api/media/${file.id}/file`}
          download={nameOf(file)}
        />
        {canWrite && canCrop(file) ? (
          <Button
            label={`Crop or rotate ${nameOf(file)}`}
            icon="crop"
            iconOnly
            commandfor={cropDialog}
            command="show-modal"
          />
        ) : null}
        {canWrite && file.usedIn === 0 ? (
          <Button
            label={`Delete ${nameOf(file)}`}
            icon="trash-2"
            iconOnly
            commandfor="delete-file"
            command="show-modal"
          />
        ) : null}
      </div>
      {canWrite ? <EditForm file={file} /> : <ReadOnly file={file} />}
      <Fits fits={props.fits} contentType={props.file.contentType} />
      <Uses {...props} />
      <Facts {...props} />
      {canWrite && file.usedIn > 0 ? (
        <Notice tone="info" text="You can’t delete it while posts use it. Remove it from them first." />
      ) : null}
      {canWrite && canCrop(file) ? <CropDialog file={file} /> : null}
      {canWrite && file.usedIn === 0 ? <DeleteDialog file={file} /> : null}
    </aside>
  )
}

const closes = (href: string) =>
  ({
    'hx-get': href,
    'hx-target': '#opened',
    'hx-select': '#opened',
    'hx-swap': 'outerHTML',
    'hx-push-url': 'true',
  }) as const

/** Its place while none is opened. */
export const NoOpenedFile = () => <aside id="opened" hidden />

const Preview = ({ file, canWrite }: Pick<OpenedFileProps, 'file' | 'canWrite'>) => {
  if (file.kind === 'video' && file.status === 'ready')
    return (
      <video
        class="shown"
        controls
        poster={file.renditions.preview ? copyHref(file, 'preview') : undefined}
        src={file.renditions.web ? copyHref(file, 'web') : `/api/media/${file.id}/file`}
        aria-label={nameOf(file)}
      />
    )
  if (!file.renditions.preview)
    return (
      <div class="shown blank">
        <Icon name={file.kind === 'document' ? 'file-text' : 'circle-alert'} />
        <p class="muted small" safe>
          {file.failure ??
            (file.status === 'processing' ? 'The preview is being drawn.' : 'There is no preview of this file.')}
        </p>
        {canWrite && file.kind !== 'image' && file.status !== 'processing' ? (
          <Form hx-post={`/api/media/${file.id}/process`}>
            <Button label="Retry" icon="rotate-cw" size="sm" type="submit" />
          </Form>
        ) : null}
      </div>
    )
  return (
    <img
      class="shown"
      src={copyHref(file, 'preview')}
      alt={file.alt}
      width={file.width ?? undefined}
      height={file.height ?? undefined}
    />
  )
}

const EditForm = ({ file }: { file: ListedMedia }) => (
  <Form
    class="stack"
    hx-put={`/api/media/${file.id}`}
    hx-target={`#file-${file.id}`}
    hx-swap="outerMorph"
    style="--gap: .75rem"
  >
    <TextField label="Name" name="name" id="file-name" value={file.name} maxlength={200} autocomplete="off" />
    <Field label="Alt text" id="alt" hint="Describes the image for people who can’t see it. Posts keep their own.">
      <textarea class="input" id="alt" name="alt" rows="3" maxlength="1500" aria-describedby="alt-hint alt-error" safe>
        {file.alt}
      </textarea>
    </Field>
    <TextField
      label="Tags"
      name="tags"
      id="tags"
      value={file.tags.join(', ')}
      hint="Separate them with commas."
      list="known-tags"
      autocomplete="off"
    />
    <div class="actions">
      <Button label="Save" type="submit" />
    </div>
  </Form>
)

const ReadOnly = ({ file: { alt, tags } }: { file: ListedMedia }) => (
  <>
    {alt ? <p safe>{alt}</p> : null}
    {tags.length > 0 ? (
      <p class="muted small" safe>
        {`Tags: ${tags.join(', ')}`}
      </p>
    ) : null}
  </>
)

/** Of the copy that the network gets. */
const copyText = (
  { contentType, bytes }: NonNullable<MediaFit['copy']>,
  original: ListedMedia['contentType'],
): string =>
  contentType === 'image/jpeg' && original !== contentType
    ? `As a JPEG of ${sizeText(bytes)}`
    : `Resized to ${sizeText(bytes)}`

/** Without the advice, which is for posts: nothing has to be removed from the library. */
const reasonOf = (problem: string): string => /^.+?\.(?= \p{Lu})/u.exec(problem)?.[0] ?? problem

const Fits = ({ fits, contentType }: { fits: readonly MediaFit[]; contentType: ListedMedia['contentType'] }) =>
  fits.length > 0 ? (
    <section class="section" style="--gap: .5rem" aria-labelledby="fits">
      <h3 id="fits">Fit by network</h3>
      <ul class="fits">
        {fits.map(({ provider, name, fits: isFit, copy, problem }) => (
          <li data-state={isFit ? 'ok' : 'failed'}>
            <NetworkMark network={provider} />
            <span safe>{name}</span>
            <span class="mark">
              <Icon name={isFit ? 'circle-check' : 'circle-alert'} />
              <span class="visually-hidden">{isFit ? 'Fits' : 'Doesn’t fit'}</span>
            </span>
            {(problem ?? copy) ? (
              <small class="muted" safe>
                {problem ? reasonOf(problem) : copy ? copyText(copy, contentType) : ''}
              </small>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  ) : (
    <></>
  )

const Uses = ({ file, uses, zone }: Pick<OpenedFileProps, 'file' | 'uses' | 'zone'>) => (
  <section class="section" style="--gap: .25rem" aria-labelledby="uses">
    <h3 id="uses" safe>
      {file.usedIn === 0 ? 'Not used in posts' : `Used in ${countedUses(file.usedIn)}`}
    </h3>
    {uses.length > 0 ? (
      <ul class="list" data-links>
        {uses.map(({ id, provider, text, status, scheduledAt, publishedAt }) => (
          <li>
            <NetworkMark network={provider} />
            <span class="grow truncate">
              <a class="row-link" href={`/workspace/posts/${id}?brandId=${file.brandId}`} safe>
                {excerpt(text, 60)}
              </a>
            </span>
            {status === 'failed' || !(publishedAt ?? scheduledAt) ? (
              <Status state={status} />
            ) : (
              <small>
                <Time at={publishedAt ?? scheduledAt ?? ''} zone={zone} form="day" />
              </small>
            )}
          </li>
        ))}
      </ul>
    ) : null}
  </section>
)

const Facts = ({ file, zone }: Pick<OpenedFileProps, 'file' | 'zone'>) => (
  <dl class="facts">
    <dt>Size</dt>
    <dd safe>{factsText(file)}</dd>
    <dt>Added</dt>
    <dd>
      {file.createdByName ? <span safe>{`${file.createdByName}, `}</span> : null}
      <Time at={file.createdAt} zone={zone} form="shortDay" />
    </dd>
    {file.kind === 'image' ? (
      <>
        <dt>Location</dt>
        <dd>Removed on upload</dd>
      </>
    ) : null}
  </dl>
)

const DeleteDialog = ({ file }: { file: ListedMedia }) => (
  <Dialog id="delete-file" title={`Delete ${nameOf(file)}?`}>
    <Form hx-delete={`/api/media/${file.id}`}>
      <div class="body">
        <p>This can’t be undone.</p>
      </div>
      <DialogButtons dialog="delete-file" submit="Delete" danger focusCancel />
    </Form>
  </Dialog>
)
