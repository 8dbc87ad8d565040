import type { MediaList, MediaStorage, MediaTag } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { GenerateLink, GeneratePlace } from '../images/generate-dialog.tsx'
import type { Place } from '../posts/post-text.ts'
import { FileTiles, MoreFiles } from './files.tsx'
import { StorageMeter } from './storage-meter.tsx'
import { isNarrowed, mediaHref, MediaFilters, type MediaFilterValues } from './media-filters.tsx'
import { MediaSelection } from './media-selection.tsx'
import { NoOpenedFile, OpenedFileView, type OpenedFile } from './opened-file.tsx'
import { DropHint, FromUrlDialog, Uploads } from './uploads.tsx'

export interface LibraryProps {
  filter: MediaFilterValues
  place: Place
  list: MediaList
  tags: readonly MediaTag[]
  storage: MediaStorage
  opened: OpenedFile | null
  /** Files on the pages before. */
  shown: number
}

/** The media library of a brand (SOC-30). */
export const Library = (props: LibraryProps) => {
  const { filter, list, storage, opened, place } = props
  const { upload: canWrite } = list.can
  return (
    <media-library data-brand={filter.brandId}>
      <header class="page-header">
        <h1 tabindex="-1">Media</h1>
        <StorageMeter {...storage} />
        {canWrite ? (
          <div class="actions">
            <GenerateLink brand={place.brand} />
            <Button label="From URL" icon="link" commandfor="from-url" command="show-modal" />
            <Button label="Upload" icon="upload" variant="primary" data-choose />
          </div>
        ) : null}
      </header>
      <div class={opened ? 'page split' : 'page'} style="--measure: none; --aside: 21rem">
        <div class="stack">
          <MediaFilters filter={filter} tags={props.tags} />
          {canWrite ? <Uploads /> : null}
          <div id="bulk-problems" />
          <Files {...props} />
          {canWrite ? <MediaSelection tags={props.tags} /> : null}
        </div>
        {opened ? (
          <OpenedFileView {...opened} zone={place.zone} canWrite={canWrite} closeHref={mediaHref(filter)} />
        ) : (
          <NoOpenedFile />
        )}
      </div>
      {canWrite ? <FromUrlDialog brandId={filter.brandId} /> : null}
      {canWrite ? <GeneratePlace brandId={filter.brandId} /> : null}
      {canWrite ? <DropHint /> : null}
    </media-library>
  )
}

/** It loads itself again on the event `changed`. */
const Files = ({ filter, place, list, opened, shown }: LibraryProps) => {
  const { items, nextCursor } = list
  const total = shown + items.length
  return (
    <div id="library" hx-get={mediaHref(filter)} hx-trigger="changed" hx-select="#library" hx-swap="outerMorph">
      {items.length > 0 || nextCursor ? (
        <ul class="library" id="files" aria-label={`Files of ${place.brand.name}`}>
          <FileTiles
            files={items}
            hrefOf={(id) => mediaHref(filter, { file: id })}
            openedId={opened?.file.id}
            canSelect={list.can.upload}
          />
          {nextCursor ? (
            <MoreFiles next={mediaHref(filter, { cursor: nextCursor, shown: String(total) })} shown={total} />
          ) : null}
        </ul>
      ) : isNarrowed(filter) ? (
        <Empty icon="search" title="No matching files" text="Try fewer filters." />
      ) : (
        <Empty
          icon="image"
          title="No files yet"
          text="Images, videos and documents for your posts appear here. Drag files onto this page, or paste them."
        >
          {list.can.upload ? <Button label="Upload" icon="upload" variant="primary" data-choose /> : null}
        </Empty>
      )}
    </div>
  )
}
