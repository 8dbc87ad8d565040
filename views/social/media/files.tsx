import type { ListedMedia } from '#social/types'
import { Icon } from '#views/ui/icon.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { copyHref } from '../posts/shots.tsx'
import { durationText, nameOf, noteOf } from './file-text.ts'

interface FileTilesProps {
  files: readonly ListedMedia[]
  /** The URL of the page with this file opened. */
  hrefOf(id: string): string
  openedId?: string
  canSelect: boolean
}

export const FileTiles = ({ files, hrefOf, openedId, canSelect }: FileTilesProps) => (
  <>
    {files.map((file) => (
      <FileTile file={file} href={hrefOf(file.id)} isOpened={file.id === openedId} canSelect={canSelect} />
    ))}
  </>
)

interface FileTileProps {
  file: ListedMedia
  href: string
  isOpened?: boolean
  canSelect: boolean
}

/** Its link shows the file beside the list. */
export const FileTile = ({ file, href, isOpened, canSelect }: FileTileProps) => (
  <li class="asset" id={`file-${file.id}`}>
    {canSelect ? <input type="checkbox" name="ids" value={file.id} aria-label={`Select ${nameOf(file)}`} /> : null}
    <span class="pic">
      <Picture file={file} />
      <Kind file={file} />
    </span>
    <a
      class="truncate"
      href={href}
      aria-current={isOpened ? 'true' : undefined}
      hx-get={href}
      hx-target="#opened"
      hx-select="#opened"
      hx-swap="outerHTML"
      hx-push-url="true"
      safe
    >
      {nameOf(file)}
    </a>
    <Note file={file} />
  </li>
)

const Picture = ({ file }: { file: ListedMedia }) =>
  file.renditions.preview ? (
    <img src={copyHref(file, 'preview')} alt="" loading="lazy" width="400" height="300" />
  ) : (
    <Icon name={file.kind === 'document' ? 'file-text' : file.kind === 'video' ? 'clapperboard' : 'image'} />
  )

const Kind = ({ file: { kind, durationMs, animated } }: { file: ListedMedia }) => {
  if (kind === 'video')
    return <Badge icon="clapperboard" label={durationMs === null ? 'Video' : durationText(durationMs)} />
  if (kind === 'document') return <Badge icon="file-text" label="PDF" />
  return animated ? <Badge label="GIF" /> : <></>
}

const Note = ({ file }: { file: ListedMedia }) => {
  const { text, tone } = noteOf(file)
  return (
    <small class="muted" data-tone={tone}>
      {tone ? <Icon name={tone === 'danger' ? 'circle-alert' : 'triangle-alert'} /> : null}
      <span safe>{text}</span>
    </small>
  )
}

/** The last item of a page, which the next page replaces. */
/** Loaded when it comes into view, since a library is looked through by scrolling. Its link remains for keyboards and after errors. */
export const MoreFiles = ({ next, shown }: { next: string; shown: number }) => (
  <li class="more">
    <Pager
      label="More files"
      summary={shown === 0 ? 'No matches so far' : `Showing ${shown.toLocaleString('en')}`}
      next={next}
      hx-get={next}
      hx-trigger="click, intersect once rootMargin:800px"
      hx-target="closest li"
      hx-select="#files > li"
      hx-swap="outerHTML"
    />
  </li>
)
